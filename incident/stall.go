package incident

import (
	"cmp"

	"github.com/limpet-storage/limpet/localise"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
)

// A component may stand still for so short a time that no window shows it, and
// so long that every application hangs: 103 s for two minutes (L13 §5.2.1, §7).
// Such steps are looked for in the rows themselves.

// stalls are the worst steps since the last tick.
type stalls struct {
	worst map[int]stalled // by component
}

type stalled struct {
	await float64
	first int64 // end of the first step
	value int   // steps
}

func (s *stalls) row(t *Tracker, row *table.Row) {
	if t.schema.Metrics[t.lead] != metric.Await {
		return
	}
	for _, c := range t.watched {
		await := row.Values[t.lead][c]
		if !(await >= t.opts.StallMs) {
			continue
		}
		if s.worst == nil {
			s.worst = map[int]stalled{}
		}
		x, ok := s.worst[c]
		if !ok {
			x.first = row.End
		}
		x.await, x.value = max(x.await, await), x.value+1
		s.worst[c] = x
	}
}

// givesUp is the await after which one component alone is an incident: Linux
// gives a request up after 30 s.
const givesUp = 30_000

// stalled finds what stood still, and begins anew.
func (t *Tracker) stalled() []finding {
	if len(t.stalls.worst) == 0 {
		return nil
	}
	var units []localise.Unit
	var who []int
	for _, c := range t.watched {
		if _, ok := t.stalls.worst[c]; ok || t.paths.all[c].now == serving {
			units, who = append(units, localise.Unit{Odd: ok, In: t.in[c]}), append(who, c)
		}
	}
	var found []finding
	told := map[int]bool{}
	for _, x := range t.opts.Localise.Explain(units, len(t.places)) {
		f := finding{class: stallClass, place: t.places[x.Component], judged: x.Judged, certain: true}
		for _, u := range x.Members {
			f.members = append(f.members, t.stall(who[u]))
			told[who[u]] = true
		}
		found = append(found, f)
	}
	found = append(found, t.stalledAlone(told)...)
	for i := range found {
		found[i].onset = t.since(found[i].members)
	}
	clear(t.stalls.worst)
	return found
}

// stalledAlone finds components that stood still and nothing explains: each, or
// the system where they are more than anybody reads.
func (t *Tracker) stalledAlone(told map[int]bool) []finding {
	var found []finding
	all := finding{class: stallClass, place: place{System, cmp.Or(t.system.Name, "everything")}, certain: true}
	for _, c := range t.watched {
		if x, ok := t.stalls.worst[c]; ok && !told[c] && x.await >= givesUp {
			found = append(found, finding{class: stallClass, place: t.alone(c), judged: 1, certain: true, members: []Member{t.stall(c)}})
			all.members = append(all.members, t.stall(c))
		}
	}
	if len(found) > 4*t.opts.Localise.MinMembers {
		return []finding{all}
	}
	return found
}

func (t *Tracker) stall(c int) Member {
	x := t.stalls.worst[c]
	peers := t.usual(t.of(c).Group - 1)
	if table.IsMissing(peers) {
		peers = 0
	}
	worst := min(x.await/max(peers, 1), 1e6)
	return Member{Component: c, Role: Stalled, Odd: true, Value: x.value, Ratio: worst, Worst: worst, Own: x.await, Peers: peers, Since: x.first - int64(t.facts.step)}
}

// since is the onset of what began at once: when the first did.
func (t *Tracker) since(members []Member) Onset {
	first := members[0].Since
	for i := range members {
		first = min(first, members[i].Since)
	}
	return Onset{At: first, Early: first, Late: first + int64(t.facts.step)}
}

package incident

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/table"
)

// silentServer is how long a server has sent nothing while others did.
type silentServer struct {
	steps  int
	last   int64 // it sent something, 0 where it never did
	down   bool
	ticks  int // windows in which it was down
	stands int // windows in which others served its LUNs, where it never sent anything
}

// listen counts the steps in which servers are silent. Whoever never sent
// anything may not have been asked: that is a warning of another place, unless
// its LUNs are served by others.
func (t *Tracker) listen(row *table.Row) {
	for i := range t.silence {
		s := &t.silence[i]
		if t.facts.heard[i] {
			*s = silentServer{last: row.End}
			continue
		}
		if s.steps++; !s.down && s.last > 0 && s.steps >= t.patience() {
			s.down = true
			f := t.silent(i)
			t.takeUp(&f, nil, row.End)
		}
	}
}

// patience in steps.
func (t *Tracker) patience() int {
	return max(4, int(math.Ceil(float64(t.opts.PatienceSeconds)/t.facts.step)))
}

// silent is the finding that a server is down.
func (t *Tracker) silent(server int) finding {
	s := &t.silence[server]
	f := finding{class: pathClass, place: place{Server, t.system.Servers[server]}, certain: true, silent: true}
	for _, c := range t.watched {
		if t.serverOf[c] == server && (t.facts.lastSeen[c] > 0 || !t.standby(c)) {
			f.members = append(f.members, Member{Component: c, Role: Gone, Odd: true, Value: max(s.ticks, 1), Ratio: t.opts.Lost, Worst: t.opts.Lost, Since: s.last})
		}
	}
	for _, list := range t.layout.paths {
		if t.serverOf[list[0]] == server {
			if at := slices.IndexFunc(list, func(c int) bool { return t.paths.all[c].now == serving }); at > 0 {
				f.heirs = appendHeir(f.heirs, list[at])
			}
		}
	}
	f.judged = len(f.members)
	f.onset = Onset{At: s.last, Early: s.last, Late: s.last + int64(t.facts.step)}
	return f
}

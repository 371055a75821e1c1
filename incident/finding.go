package incident

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/localise"
)

// class is what findings have to share to be the same story.
type class uint8

const (
	slowClass class = iota
	pathClass
	stallClass
	workClass
)

// finding is what one window has to say of one problem.
type finding struct {
	class               class
	place               place
	members             []Member
	heirs               []int // components that carry what lost paths did
	judged              int   // components that hang on the place
	oddElse, judgedElse int   // those that do not
	onset               Onset
	certain             bool // no persistence is needed
	silent              bool // the server sends nothing
	loaded              bool // slow for having more to do
}

// findings are all of this window.
func (t *Tracker) findings(end int64) []finding {
	var found []finding
	for i := range t.silence {
		if s := &t.silence[i]; s.down {
			s.ticks++
			found = append(found, t.silent(i))
		}
	}
	found = append(found, t.absent()...)
	found = append(found, t.lostPaths()...)
	found = append(found, t.stalled()...)
	found = append(found, slices.DeleteFunc(t.slow(), t.standsStill)...)
	return joined(append(found, t.working(end)...))
}

// joined makes one of findings of one class at one place: a server may have lost
// devices that are gone and others that are unused, and at two arrays.
func joined(all []finding) []finding {
	var out []finding
	for _, f := range all {
		at := slices.IndexFunc(out, func(o finding) bool { return o.class == f.class && o.place == f.place })
		if at < 0 {
			out = append(out, f)
			continue
		}
		o := &out[at]
		for _, m := range f.members {
			if !slices.ContainsFunc(o.members, func(x Member) bool { return x.Component == m.Component }) {
				o.members = append(o.members, m)
			}
		}
		for _, c := range f.heirs {
			o.heirs = appendHeir(o.heirs, c)
		}
		if f.onset.At < o.onset.At {
			o.onset = f.onset
		}
		o.judged, o.certain, o.silent = max(o.judged, f.judged), o.certain || f.certain, o.silent || f.silent
	}
	return out
}

// standsStill says whether what is slow stands still, which is worse and the
// same problem, unless it was slow before.
func (t *Tracker) standsStill(f finding) bool {
	still, slow := false, false
	for _, in := range t.open {
		if in.at(f.place) && in.State != Pending {
			still = still || in.class == stallClass && in.State == Active
			slow = slow || in.class == slowClass
		}
	}
	return still && !slow
}

// slow finds what explains the components that are slow.
func (t *Tracker) slow() []finding {
	odd := map[int]bool{}
	for _, c := range t.watched {
		if g := &t.grades[c]; g.fresh && g.suspect && g.value > 0 {
			odd[c] = true
		}
	}
	found := t.known(odd)
	var units []localise.Unit
	var who []int
	for _, c := range t.watched {
		if t.grades[c].fresh && t.paths.all[c].busy() {
			units, who = append(units, localise.Unit{Odd: odd[c], In: t.in[c]}), append(who, c)
		}
	}
	for _, x := range t.opts.Localise.Explain(units, len(t.places)) {
		var members []int
		for _, u := range x.Members {
			members = append(members, who[u])
		}
		members = t.begunTogether(members)
		for _, c := range members {
			delete(odd, c)
		}
		found = t.add(found, t.places[x.Component], members, x.Judged)
	}
	for _, c := range t.watched {
		if odd[c] {
			found = append(found, t.slowAt(t.alone(c), []int{c}, 1))
		}
	}
	return found
}

// add takes up what is slow at a place, together with what is known there.
func (t *Tracker) add(found []finding, p place, members []int, judged int) []finding {
	at := slices.IndexFunc(found, func(f finding) bool { return f.place == p })
	if at < 0 {
		return append(found, t.slowAt(p, members, judged))
	}
	for i := range found[at].members {
		members = append(members, found[at].members[i].Component)
	}
	found[at] = t.slowAt(p, members, max(judged, found[at].judged))
	return found
}

// begunTogether leaves out members that were slow long before the others, for
// long enough to matter: they are slow for a reason of their own.
func (t *Tracker) begunTogether(members []int) []int {
	onset := t.slowAt(place{}, members, 0).onset
	return slices.DeleteFunc(members, func(c int) bool { return t.longBefore(c, onset) })
}

// longBefore says whether a component was slow for a quarter of what makes an
// incident, and since more than an hour before an onset, and was not hit since.
func (t *Tracker) longBefore(c int, onset Onset) bool {
	g := &t.grades[c]
	return g.onset.Late < onset.Early-together && g.evidence() >= t.opts.Bound/4 && !g.hit()
}

// known takes out what belongs to incidents that are known already. What is
// slow on its own stays so, whatever befalls its array; what was hit with
// others is not told again one by one.
func (t *Tracker) known(odd map[int]bool) []finding {
	var found []finding
	for _, in := range t.open {
		if in.class != slowClass || in.State == Pending || in.wide() {
			continue
		}
		for _, c := range t.watched {
			if _, ok := in.seen[c]; ok && odd[c] {
				found = append(found, t.slowAt(place{in.Tier, in.Component}, []int{c}, 1))
				delete(odd, c)
			}
		}
	}
	for _, in := range t.open {
		if in.class == slowClass && in.State != Pending && in.wide() {
			found = append(found, t.still(in, odd)...)
		}
	}
	return found
}

// settling is how many windows an incident of many components takes in new
// ones: later ones stand for themselves, unless nothing was normal about them
// since it began.
const settling = 24

// still finds what shows of an incident of many components, and those of them
// that are far slower than the others, which is a problem of its own.
func (t *Tracker) still(in *Incident, odd map[int]bool) []finding {
	var members []int
	luns := t.lunsOf(in)
	for _, c := range t.watched {
		_, seen := in.seen[c]
		seen = seen || t.lunOf[c] >= 0 && luns[t.lunOf[c]]
		if settles := in.ticks < settling || t.grades[c].normal < in.Onset.Early; !seen && settles && !t.longBefore(c, in.Onset) {
			seen = t.hangs(c, place{in.Tier, in.Component})
		}
		if seen && odd[c] {
			members = append(members, c)
			delete(odd, c)
		}
	}
	var found []finding
	if len(members) >= t.opts.Localise.MinMembers {
		found = t.apart(members)
	}
	if len(members) >= max(2, len(in.seen)/8) {
		found = append(found, t.slowAt(place{in.Tier, in.Component}, members, in.Judged))
	}
	return found
}

// lunsOf are the LUNs that an incident shows on, whichever path serves them.
func (t *Tracker) lunsOf(in *Incident) map[int]bool {
	luns := map[int]bool{}
	for c := range in.seen {
		if t.lunOf[c] >= 0 {
			luns[t.lunOf[c]] = true
		}
	}
	return luns
}

// outlier is how many times the slowness of nearly all others, as a logarithm,
// makes one of them a problem of its own.
const outlier = 1.5

// apart finds members that are far slower than nine in ten of the others.
func (t *Tracker) apart(members []int) []finding {
	var all []float64
	for _, c := range members {
		all = append(all, t.grades[c].slowness())
	}
	slices.Sort(all)
	usual := all[(9*len(all)-1)/10]
	var found []finding
	for _, c := range members {
		if g := &t.grades[c]; g.slowness() > outlier*usual && g.evidence() >= t.opts.Bound {
			found = append(found, t.slowAt(t.alone(c), []int{c}, 1))
		}
	}
	return found
}

// slowAt is the finding that some components are slow for one reason.
func (t *Tracker) slowAt(p place, members []int, judged int) finding {
	f := finding{class: slowClass, place: p, judged: judged}
	loaded := 0
	var onsets []Onset
	for _, c := range members {
		g := &t.grades[c]
		f.members = append(f.members, Member{
			Component: c, Role: Slow, Odd: g.suspect, Value: g.value, Ratio: g.ratio, Worst: g.worst, Mean: math.Exp(g.slowness()),
			Own: g.own, Peers: g.peers, Load: g.load(), Since: g.onset.At,
		})
		onsets = append(onsets, g.onset)
		if g.loaded() {
			loaded++
		}
	}
	f.loaded = 2*loaded > len(members)
	f.onset = common(onsets)
	if len(members) > 1 {
		t.lookElsewhere(&f)
	}
	return f
}

// lookElsewhere counts what is slow that does not hang on a finding's place.
func (t *Tracker) lookElsewhere(f *finding) {
	for _, c := range t.watched {
		if g := &t.grades[c]; g.fresh && t.paths.all[c].busy() && !t.hangs(c, f.place) {
			f.judgedElse++
			if g.suspect {
				f.oddElse++
			}
		}
	}
}

// hangs says whether a component hangs on a place.
func (t *Tracker) hangs(c int, p place) bool {
	return slices.ContainsFunc(t.in[c], func(at int) bool { return t.places[at] == p })
}

// working finds servers with work of their own.
func (t *Tracker) working(end int64) []finding {
	var found []finding
	for s := range t.works {
		w := &t.works[s]
		own := t.paths.own[s]
		if own && w.value == 0 && w.filter == 0 {
			w.onset = Onset{At: end, Early: end - t.span(), Late: end}
		}
		if !w.filter.Push(own, t.k) {
			w.value = max(w.value-1, 0)
			continue
		}
		w.value++
		f := finding{class: workClass, place: place{Server, t.system.Servers[s]}, onset: w.onset}
		for _, c := range t.watched {
			if t.serverOf[c] == s && t.standby(c) {
				f.members = append(f.members, Member{Component: c, Role: OwnWork, Odd: t.paths.all[c].now == working, Value: w.value, Ratio: 1, Worst: 1, Since: w.onset.At})
			}
		}
		f.judged, f.certain = len(f.members), w.value >= lasting
		found = append(found, f)
	}
	return found
}

// lasting is for how many windows a server works for itself before that is
// worth a word: an hour.
const lasting = 8

// span is the seconds of a window.
func (t *Tracker) span() int64 { return int64(t.facts.steps()) * int64(t.facts.step) }

// common is the onset of what has one: where most of them overlap.
func common(all []Onset) Onset {
	best, most := all[0], 0
	for _, at := range all {
		covers := 0
		o := Onset{Early: at.Early, Late: at.Late, Earlier: at.Earlier, At: at.At}
		for _, other := range all {
			if other.Early <= at.Early && at.Early <= other.Late {
				covers++
				o.Late = min(o.Late, other.Late)
			}
		}
		if covers > most || covers == most && o.Early < best.Early {
			best, most = o, covers
		}
	}
	if !best.Earlier {
		best.At = min(max(best.At, best.Early), best.Late)
	}
	return best
}

// byComponent orders members.
func byComponent(a, b Member) int { return cmp.Compare(a.Component, b.Component) }

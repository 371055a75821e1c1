package incident

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/feedback"
)

// follow takes the findings of a window up into incidents.
func (t *Tracker) follow(found []finding, end int64) {
	shown := map[*Incident]bool{}
	for i := range found {
		shown[t.takeUp(&found[i], shown, end)] = true
	}
	t.age(shown)
}

// takeUp makes a finding a part of the incident that it is of, which may be a
// new one.
func (t *Tracker) takeUp(f *finding, shown map[*Incident]bool, end int64) *Incident {
	in := t.match(f, shown)
	if in == nil {
		in = &Incident{class: f.class, State: Pending, seen: map[int]int64{}}
		t.open = append(t.open, in)
	}
	t.update(in, f, end)
	return in
}

// match finds the incident that a finding is of: the one at the same
// component; or those that are nothing but a part of it, which are joined.
func (t *Tracker) match(f *finding, shown map[*Incident]bool) *Incident {
	var in *Incident
	var parts []*Incident
	for _, other := range t.open {
		switch {
		case other.class != f.class || shown[other] || other.merged:
		case other.at(f.place):
			in = other
		case t.part(other, f):
			parts = append(parts, other)
		}
	}
	if in == nil && len(parts) > 0 {
		in, parts = parts[0], parts[1:]
	}
	for _, part := range parts {
		absorb(in, part)
	}
	return in
}

// at says whether an incident is at a place.
func (in *Incident) at(p place) bool { return in.Component == p.name && in.Tier == p.tier }

// before finds the incident that has come back: one at the same component that
// was over not long ago.
func (t *Tracker) before(in *Incident, end int64) *Incident {
	for _, old := range t.done {
		if old.class == in.class && old.at(place{in.Tier, in.Component}) && !old.Resolved && end-old.Cleared <= t.opts.RejoinSeconds {
			return old
		}
	}
	return nil
}

// part says whether an incident is nothing but a part of what was found. What
// is known to be slow on its own never is.
func (t *Tracker) part(in *Incident, f *finding) bool {
	if in.class == slowClass && in.State != Pending {
		return false
	}
	if apart := f.onset.At - in.Onset.At; in.State != Pending && (f.silent || apart > together || apart < -together) {
		return false
	}
	part := 0
	for i := range f.members {
		if _, ok := in.seen[f.members[i].Component]; ok {
			part++
		}
	}
	return len(in.seen) > 0 && 5*part >= 4*len(in.seen)
}

// absorb makes an incident a part of another. The one confirmed first gives its
// number.
func absorb(in, part *Incident) {
	if part.ID > 0 && (in.ID == 0 || part.ID < in.ID) {
		in.ID, in.Confirmed, in.State, in.Spans, in.Onset = part.ID, part.Confirmed, part.State, part.Spans, part.Onset
	}
	in.Worst, in.Evidence = max(in.Worst, part.Worst), max(in.Evidence, part.Evidence)
	for c, at := range part.seen {
		in.seen[c] = max(in.seen[c], at)
	}
	part.merged = true
}

// update takes a finding up into an incident, and confirms it where there is
// evidence enough.
func (t *Tracker) update(in *Incident, f *finding, end int64) {
	in.Component, in.Tier, in.Judged = f.place.name, f.place.tier, max(in.Judged, f.judged)
	in.oddElse, in.judgedElse = f.oddElse, f.judgedElse
	if in.State == Pending {
		in.Onset = f.onset
	}
	in.since = f.onset
	for i := range f.members {
		in.seen[f.members[i].Component] = end
	}
	in.quiet, in.Last, in.Unjudged = 0, end, 0
	in.ticks++
	t.members(in, f)
	in.Kind = f.kind()
	switch {
	case in.State != Pending:
		in.State = Active
	case t.confirms(in, f, end):
		t.confirm(in, end)
	default:
		return
	}
	t.say(in)
}

// confirm makes an incident of one that was pending: a new one, or the one that
// has come back.
func (t *Tracker) confirm(in *Incident, end int64) {
	in.State, in.Confirmed = Active, end
	span := Span{From: in.Onset.At}
	old := t.before(in, end)
	if old == nil {
		in.ID, in.Spans = t.next, []Span{span}
		t.next++
		return
	}
	in.ID, in.Onset, in.Confirmed, in.Spans = old.ID, old.Onset, old.Confirmed, slices.Concat(old.Spans, []Span{span})
	in.Worst, in.Evidence = max(in.Worst, old.Worst), max(in.Evidence, old.Evidence)
	t.done = slices.DeleteFunc(t.done, func(other *Incident) bool { return other == old })
}

// members takes the members of a finding over, and keeps those that showed
// before.
func (t *Tracker) members(in *Incident, f *finding) {
	now := map[int]bool{}
	for i := range f.members {
		now[f.members[i].Component] = true
	}
	for _, c := range f.heirs {
		now[c] = true
	}
	old := slices.DeleteFunc(in.Members, func(m Member) bool { return now[m.Component] })
	for i := range old {
		old[i].Odd = false
	}
	in.Members = slices.Concat(f.members, old)
	for _, c := range f.heirs {
		in.Members = append(in.Members, Member{Component: c, Role: TookOver, Odd: true, Ratio: 1, Worst: 1, Since: f.onset.At})
	}
	slices.SortStableFunc(in.Members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(order(a.Role), order(b.Role)), cmp.Compare(b.Worst, a.Worst), byComponent(a, b))
	})
	in.Severity, in.Value = 0, 0
	for i := range in.Members {
		m := &in.Members[i]
		if m.Odd && m.Role != TookOver {
			in.Severity = max(in.Severity, m.Ratio)
		}
		in.Worst, in.Value = max(in.Worst, m.Worst), max(in.Value, m.Value)
	}
	in.Evidence = max(in.Evidence, t.evidence(f))
}

// order puts those who took over last.
func order(r Role) int {
	if r == TookOver {
		return 1
	}
	return 0
}

// evidence is how slow times how long, over the members of a finding. Of what
// many share only that counts which work cannot explain: they are not
// independent, and a burst that hits an array is no fault of it.
func (t *Tracker) evidence(f *finding) float64 {
	sum := 0.0
	for i := range f.members {
		m := &f.members[i]
		switch g := &t.grades[m.Component]; {
		case f.class != slowClass:
			sum += float64(m.Value) * logRatio(m.Ratio)
		case len(f.members) == 1:
			sum += g.evidence()
		default:
			sum += float64(g.value) * max(g.slowness()-math.Log(busyRatio), 0)
		}
	}
	return sum
}

// busyRatio is how many times slower all that shares something becomes for being
// busier than the rest, without a fault.
const busyRatio = 1.5

// confirms says whether there is evidence enough. For what has come back half
// of it will do.
func (t *Tracker) confirms(in *Incident, f *finding, end int64) bool {
	if f.certain || f.class == workClass {
		return f.certain
	}
	bound := t.opts.Bound
	if t.before(in, end) != nil {
		bound /= 2
	}
	return t.evidence(f) >= bound || in.Value > t.opts.Persistent
}

// age lets incidents that do not show recover and end, and drops what came to
// nothing.
func (t *Tracker) age(shown map[*Incident]bool) {
	t.open = slices.DeleteFunc(t.open, func(in *Incident) bool {
		switch {
		case shown[in]:
			return false
		case in.State == Pending || in.merged:
			return true
		case !t.fresh(in):
			in.Unjudged = in.Last
			return false
		}
		in.Unjudged = 0
		if in.quiet++; in.quiet >= t.k {
			in.State, in.Severity = Recovering, 0
		}
		if in.quiet < t.opts.ClearWindows {
			return false
		}
		t.clear(in)
		return true
	})
}

// fresh says whether something could be said of most members of an incident in
// this window.
func (t *Tracker) fresh(in *Incident) bool {
	if in.class == stallClass || in.class == workClass || in.Kind == SilentServer {
		return true
	}
	n := 0
	for c := range in.seen {
		if in.class == slowClass && t.grades[c].fresh || in.class == pathClass && t.paths.all[c].fresh {
			n++
		}
	}
	return 2*n >= len(in.seen)
}

// clear ends an incident. What its members were is forgotten: if they are odd
// again, that is for them to show anew.
func (t *Tracker) clear(in *Incident) {
	in.State, in.Cleared = Cleared, in.Last
	in.Spans[len(in.Spans)-1].To = in.Last
	t.say(in)
	for i := range in.Members {
		in.Members[i].Odd = false
	}
	t.forget(in)
	t.done = append(t.done, in)
}

func (t *Tracker) forget(in *Incident) {
	for c := range in.seen {
		if t.held(c, in) {
			continue
		}
		switch in.class {
		case slowClass:
			t.grades[c].reset()
		case pathClass:
			t.paths.forget(c)
		}
	}
}

// held says whether another incident of the same class shows on a component.
func (t *Tracker) held(c int, in *Incident) bool {
	return slices.ContainsFunc(t.open, func(other *Incident) bool {
		_, ok := other.seen[c]
		return ok && other != in && other.class == in.class && other.State != Pending
	})
}

// Apply carries out an operator's word. What is resolved begins anew, and what
// is muted is listed behind all else.
func (t *Tracker) Apply(f feedback.Feedback) {
	for _, c := range f.Components {
		switch f.Verb {
		case feedback.Mute:
			t.muted[c] = true
		case feedback.Unmute:
			delete(t.muted, c)
		case feedback.Resolve:
			t.grades[c].reset()
			t.paths.forget(c)
		}
	}
	if f.Verb != feedback.Resolve {
		return
	}
	t.open = slices.DeleteFunc(t.open, func(in *Incident) bool {
		if in.Component != f.Name && (in.Kind.Harmless() || !within(in, f.Components)) {
			return false
		}
		if in.State != Pending {
			t.clear(in)
			in.Resolved = true
		}
		return true
	})
}

// within says whether all that an incident shows on is among components.
func within(in *Incident, components []int) bool {
	for c := range in.seen {
		if !slices.Contains(components, c) {
			return false
		}
	}
	return len(in.seen) > 0
}

// List returns the incidents that were confirmed, in an order.
func (t *Tracker) List(o Order) []Incident {
	var list []Incident
	for _, in := range slices.Concat(t.open, t.done) {
		if in.State == Pending || in.merged {
			continue
		}
		out := *in
		out.Members = slices.Clone(in.Members)
		out.Muted = t.hidden(in)
		list = append(list, out)
	}
	slices.SortFunc(list, func(a, b Incident) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(o.weight(&b), o.weight(&a)), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func (t *Tracker) hidden(in *Incident) bool {
	for c := range in.seen {
		if !t.muted[c] {
			return false
		}
	}
	return len(in.seen) > 0
}

// wide says whether an incident is of something that others hang on.
func (in *Incident) wide() bool {
	return in.Tier != LUN && in.Tier != Drive && in.Tier != Attachment
}

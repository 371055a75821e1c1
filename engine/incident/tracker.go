package incident

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Tracker follows the incidents of a system.
type Tracker struct {
	opts   Options
	system *blame.Map
	muted  map[int]bool // components
	open   []*entry     // not over, pending ones too
	ended  endings      // over, and remembered
	tell   func(*Event)
	forget func(finding.Class, int)
}

// entry is an incident with what only its life needs.
type entry struct {
	Incident
	seen    map[int]int64 // components that it showed on, by when they did last
	odd     map[int]int64 // those that were odd, by when they were last
	shown   int64         // seconds for which it has shown
	quiet   int64         // seconds since it showed last in which it could be judged
	merged  bool          // it is a part of another
	renamed bool          // it has the ID of a part of it, which nobody was told yet
	bereft  bool          // the topology has lost every component that it showed on
}

// New returns a tracker without incidents. Tell hears every event; forget is
// told of components whose problem of a class is over, so that detectors begin
// anew with them.
func New(o Options, m *blame.Map, tell func(*Event), forget func(finding.Class, int)) *Tracker {
	return &Tracker{opts: o, system: m, muted: map[int]bool{}, tell: tell, forget: forget}
}

// Tick is what detectors have found at one time.
type Tick struct {
	Time    int64           // end of the window
	Seconds int64           // since the tick before
	Classes []finding.Class // that were looked for: incidents of others do not age
	Found   []finding.Finding
	// Judged says whether a component could be judged for a class.
	Judged func(finding.Class, int) bool
	// Metrics names the other metrics in which members are suspect.
	Metrics func([]finding.Member) []string
}

// Follow takes the findings of a window up into incidents, and lets those that
// do not show recover and end.
func (t *Tracker) Follow(k Tick) {
	shown := map[*entry]bool{}
	k.Found = t.atKnownPlaces(k.Found)
	for i := range k.Found {
		shown[t.takeUp(&k.Found[i], shown, &k)] = true
	}
	t.age(&k, shown)
	t.forgetOld(k.Time)
}

// TakeUp takes one finding up at once, between two windows.
func (t *Tracker) TakeUp(f *finding.Finding, now int64) {
	t.takeUp(f, nil, &Tick{Time: now, Metrics: func([]finding.Member) []string { return nil }})
}

// takeUp makes a finding a part of the incident that it is of, which may be a
// new one.
func (t *Tracker) takeUp(f *finding.Finding, shown map[*entry]bool, k *Tick) *entry {
	if by := t.explainedBy(f); by != nil {
		t.add(by, f, k)
		return by
	}
	in := t.match(f, shown, k.Time)
	if in == nil {
		in = &entry{Incident: Incident{Class: f.Class, Phase: Pending, Suspected: k.Time}, seen: map[int]int64{}, odd: map[int]int64{}}
		t.open = append(t.open, in)
	}
	t.update(in, f, k)
	return in
}

// update takes a finding up into an incident, and confirms it where there is
// evidence enough.
func (t *Tracker) update(in *entry, f *finding.Finding, k *Tick) {
	was := t.outline(in, in.Last)
	in.refresh(f, k)
	switch {
	case in.Phase == Pending && t.isIncident(in, f, k):
		t.settle(in, k.Time)
		return
	case in.Phase == Pending:
		return
	}
	in.Phase = Active
	if in.renamed || !was.equal(t.outline(in, k.Time)) {
		in.renamed = false
		t.event(in, Changed, k.Time)
	}
}

// refresh sets what the last finding says of an incident.
func (in *entry) refresh(f *finding.Finding, k *Tick) {
	if in.Place != f.Place || len(f.Alike) > 0 {
		in.Alike = f.Alike
	}
	if in.Place != f.Place {
		in.Judged = 0
	}
	in.Place, in.Kind, in.Judged, in.Elsewhere = f.Place, f.Kind, max(in.Judged, f.Judged), f.Elsewhere
	if in.Phase == Pending {
		in.Onset = f.Onset
	}
	in.Spell = f.Onset
	for i := range f.Members {
		if f.Members[i].Role != finding.TookOver {
			in.seen[f.Members[i].Component] = k.Time
		}
		if f.Members[i].Odd {
			in.odd[f.Members[i].Component] = k.Time
		}
	}
	in.quiet, in.Last, in.Unjudged, in.WindowSeconds = 0, k.Time, 0, max(in.WindowSeconds, k.Seconds)
	in.shown += k.Seconds
	in.members(f)
	in.Amount, in.Nats, in.Until, in.WaitedSeconds = max(in.Amount, f.Amount), max(in.Nats, f.Nats), f.Until, max(in.WaitedSeconds, f.WaitedSeconds)
	in.MayBe, in.Evidence, in.RuledOut = f.MayBe, f.Evidence, f.RuledOut
	in.Metrics = k.Metrics(in.Members)
}

// members takes the members of a finding over, and keeps those that showed
// before.
func (in *entry) members(f *finding.Finding) {
	now := map[int]bool{}
	for i := range f.Members {
		now[f.Members[i].Component] = true
	}
	old := slices.DeleteFunc(in.Members, func(m finding.Member) bool { return now[m.Component] })
	for i := range old {
		old[i].Odd = false
	}
	in.Members = slices.Concat(f.Members, old)
	in.Severity, in.Windows = 0, 0
	for i := range in.Members {
		m := &in.Members[i]
		if m.Role == finding.TookOver && now[m.Component] {
			m.Since = f.Onset.At
		}
		if m.Odd && m.Role != finding.TookOver {
			in.Severity = max(in.Severity, cmp.Or(m.Ratio, m.Worst))
		}
		in.Worst, in.Windows = max(in.Worst, m.Worst), max(in.Windows, m.Windows)
	}
	slices.SortStableFunc(in.Members, worstFirst)
}

// worstFirst orders members, those who took over last.
func worstFirst(a, b finding.Member) int {
	return cmp.Or(cmp.Compare(standsIn(a), standsIn(b)), cmp.Compare(b.Worst, a.Worst), cmp.Compare(a.Component, b.Component))
}

// standsIn is 1 for a member that only carries the load of others.
func standsIn(m finding.Member) int {
	if m.Role == finding.TookOver {
		return 1
	}
	return 0
}

// isIncident says whether there is evidence enough to make what is pending an incident.
func (t *Tracker) isIncident(in *entry, f *finding.Finding, k *Tick) bool {
	switch {
	case f.Certain:
		return true
	case f.Class == finding.OwnWork: // nothing else makes it worth a word
		return false
	}
	return f.Sure && f.Amount >= t.bound(in) && k.Time >= f.Until
}

// bound is what makes an incident. For what has come back less will do.
func (t *Tracker) bound(in *entry) float64 {
	if old := t.ended.find(in); old != nil && old.Ending.MayReturn() {
		return t.opts.AgainShare
	}
	return 1
}

// settle makes an incident of what there is evidence enough of: it goes on under
// the name of one that it explains, or under its own.
func (t *Tracker) settle(in *entry, now int64) {
	in.Phase = Active
	if t.takeOver(in, now); in.ID == "" {
		t.openOrReopen(in, now)
	}
}

// openOrReopen makes an incident of one that was pending: a new one, or the one that
// has come back.
func (t *Tracker) openOrReopen(in *entry, now int64) {
	in.Phase, in.Confirmed = Active, now
	span := Span{From: in.Onset.At}
	old := t.ended.find(in)
	t.ended = slices.DeleteFunc(t.ended, func(other *entry) bool { return other == old })
	if old == nil || old.Ending == Replaced { // what was put in its place is another
		in.ID, in.Spans = t.newID(in), []Span{span}
		t.event(in, Opened, now)
		return
	}
	in.ID, in.Comments, in.Spans = old.ID, old.Comments, slices.Concat(old.Spans, []Span{span})
	in.Spans = in.Spans[max(0, len(in.Spans)-MaxSpans):]
	if old.Ending.MayReturn() { // otherwise it is a new problem at a place that was repaired
		in.Onset, in.Suspected, in.Confirmed = old.Onset, old.Suspected, old.Confirmed
	}
	if old.Ending.MayReturn() && old.Class == in.Class { // figures of two classes cannot be compared
		in.Worst, in.Amount = max(in.Worst, old.Worst), max(in.Amount, old.Amount)
	}
	t.event(in, Reopened, now)
}

// MaxSpans is how many spans of an incident are kept: what comes back every few
// hours for years must not grow.
const MaxSpans = 128

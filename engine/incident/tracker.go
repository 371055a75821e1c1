package incident

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Tracker turns findings into incidents, and follows each incident until it is over.
type Tracker struct {
	opts   Options
	system *blame.Map
	muted  map[int]bool // muted components
	open   []*entry     // incidents that are not over, including pending incidents
	ended  []*entry     // incidents that ended at most RememberSeconds ago, and may come back
	listen func(*Event)
	forget func(finding.Class, int)
}

// entry is an incident with the data that only the tracker needs.
type entry struct {
	Incident
	lastAffected    map[int]int64 // by affected component: Unix time of the last tick in which the incident affected it
	lastAnomalous   map[int]int64 // by component that was anomalous: Unix time at which this component was last anomalous
	presentSeconds  int64         // total time of the ticks in which the incident was present, in seconds
	quietSeconds    int64         // seconds since the incident was last present; ticks in which the incident could not be judged do not count; for an ended incident: seconds from Last until it was ended
	merged          bool          // the incident was merged into another incident; it is removed from the open incidents at the end of this tick
	renamed         bool          // the incident has taken the ID of one of its parts, and no event about the new ID has been sent yet
	hasNoComponents bool          // every affected component is gone from the topology
}

// New returns a tracker without incidents. The tracker calls the function `listen` with every
// event. When an incident is over, the tracker calls the function `forget` with the class of the
// incident and with each of its components. The detectors of this class then drop their evidence
// about the component.
func New(o Options, m *blame.Map, listen func(*Event), forget func(finding.Class, int)) *Tracker {
	return &Tracker{opts: o, system: m, muted: map[int]bool{}, listen: listen, forget: forget}
}

// Tick holds the results of one or more detectors at one time.
type Tick struct {
	Time    int64           // Unix time of the end of the tick or window
	Seconds int64           // seconds since the previous tick
	Classes []finding.Class // classes of the detectors that ran; incidents of other classes stay unchanged
	Found   []finding.Finding
	// Judged reports whether a component could be judged for a class.
	Judged func(finding.Class, int) bool
	// SilenceJudged reports whether the data can show that the server of a component is no longer
	// silent. It must be set if Classes contains the class path.
	SilenceJudged func(int) bool
	// Metrics returns the names of other metrics in which at least one of the given members is
	// suspect. It leaves out the leading metric, by which detectors judge slowness.
	Metrics func([]finding.Member) []string
}

// AddTick adds the findings of a tick to incidents. It also handles open incidents of the tick's
// classes about which the tick has no finding. After some time these incidents recover, and after a
// longer time they end.
func (t *Tracker) AddTick(k Tick) {
	shown := map[*entry]bool{}
	k.Found = t.atKnownPlaces(k.Found)
	for i := range k.Found {
		shown[t.addFinding(&k.Found[i], shown, &k)] = true
	}
	t.ageIncidents(&k, shown)
	t.forgetOld(k.Time)
}

// AddFinding adds one finding to an incident immediately, without waiting for the next tick.
func (t *Tracker) AddFinding(f *finding.Finding, now int64) {
	t.addFinding(f, nil, &Tick{Time: now, Metrics: func([]finding.Member) []string { return nil }})
}

// addFinding adds a finding to the incident that it belongs to, or to a new pending incident. It
// returns this incident.
func (t *Tracker) addFinding(f *finding.Finding, shown map[*entry]bool, k *Tick) *entry {
	if by := t.explainedBy(f); by != nil {
		t.addSecondFinding(by, f, k)
		return by
	}
	in := t.match(f, shown, k.Time)
	if in == nil {
		in = &entry{Incident: Incident{Class: f.Class, Phase: Pending, Suspected: k.Time}, lastAffected: map[int]int64{}, lastAnomalous: map[int]int64{}}
		t.open = append(t.open, in)
	}
	if in.Phase == Recovering && isDoubtful(f) {
		in.Unjudged = 0
		return in
	}
	t.update(in, f, k)
	return in
}

// isDoubtful reports whether the component of a slow finding may be as fast as its peers. This is so if
// the interval of its effect includes 1. An incident that recovers does not become active again by such a
// finding. The incident does not end either, because the finding may become clear at a later tick.
func isDoubtful(f *finding.Finding) bool {
	if f.Class != finding.Slow || len(f.Members) != 1 {
		return false
	}
	effect := &f.Members[0].Effect
	return effect.Times > 0 && effect.Low <= 1
}

// update adds a finding to an incident. If the incident is pending and the finding is enough for an
// incident (isIncident), update confirms it.
func (t *Tracker) update(in *entry, f *finding.Finding, k *Tick) {
	was := t.outline(in, in.Last)
	in.refresh(f, k)
	if in.Phase == Pending {
		t.beginAfterEnd(in, k.Time)
	}
	switch {
	case in.Phase == Pending && t.isIncident(in, f, k):
		t.confirm(in, k.Time)
		return
	case in.Phase == Pending:
		return
	}
	in.Phase = Active
	if in.renamed || !was.equal(t.outline(in, k.Time)) {
		in.renamed = false
		t.sendEvent(in, Changed, k.Time)
	}
}

// beginAfterEnd moves the onset of a pending incident. If the same problem was an incident before, the
// new period begins after the end of the last period, so that the two periods do not overlap. Detectors
// do not know this end. For example, a device is missing since it was last present, although an operator
// has resolved its incident in between. A command may have a later time than the last row. Then the new
// period begins at the Unix time `now` of the finding.
func (t *Tracker) beginAfterEnd(in *entry, now int64) {
	if old := t.endedIncident(in); old != nil && old.Ending != Replaced {
		in.Onset = in.Onset.NotBefore(min(old.earliestReturn(), now))
		in.Spell = in.Onset
	}
}

// earliestReturn returns the earliest time at which the next period of an ended incident may begin.
// This time is the end of the last period. If an operator resolved the incident, it is the time of the
// operator's command, because the problem was repaired by then.
func (in *entry) earliestReturn() int64 {
	if in.Ending == Resolved {
		return in.Last + in.quietSeconds
	}
	return in.Last
}

// refresh copies the data of a finding into an incident.
func (in *entry) refresh(f *finding.Finding, k *Tick) {
	joined := f.Joined
	if in.Place == f.Place {
		joined = blame.Union(in.Joined, f.Joined)
	}
	if in.Place != f.Place || len(joined) != len(in.Joined) || len(f.Alike) > 0 {
		in.Alike = f.Alike
	}
	if in.Place != f.Place {
		in.Judged = 0
	}
	in.Joined = joined
	if in.Class != f.Class { // the numbers of two classes are not comparable
		in.Class, in.Worst = f.Class, 0
	}
	in.Place, in.Kind, in.Judged, in.Elsewhere = f.Place, f.Kind, max(in.Judged, f.Judged), f.Elsewhere
	if in.Phase == Pending {
		in.Onset, in.Spell = f.Onset, f.Onset
	}
	for i := range f.Members {
		if f.Members[i].Role != finding.TookOver {
			in.lastAffected[f.Members[i].Component] = k.Time
		}
		if f.Members[i].Odd {
			in.lastAnomalous[f.Members[i].Component] = k.Time
		}
	}
	in.quietSeconds, in.Last, in.Unjudged, in.WindowSeconds = 0, k.Time, 0, max(in.WindowSeconds, k.Seconds)
	in.presentSeconds += k.Seconds
	in.updateMembers(f, k)
	in.Amount, in.Nats, in.Until, in.WaitedSeconds = max(in.Amount, f.Amount), max(in.Nats, f.Nats), f.Until, max(in.WaitedSeconds, f.WaitedSeconds)
	in.MayBe, in.Evidence, in.RuledOut = f.MayBe, f.Evidence, f.RuledOut
	in.Metrics = k.Metrics(in.Members)
}

// updateMembers copies the members of a finding into an incident. Earlier members of the incident
// stay, even if the finding no longer has them. In class slow, updateMembers drops an earlier member
// that is now a member of another finding of this tick.
func (in *entry) updateMembers(f *finding.Finding, k *Tick) {
	now, elsewhere := map[int]bool{}, map[int]bool{}
	for i := range f.Members {
		now[f.Members[i].Component] = true
	}
	for i := range k.Found {
		if other := &k.Found[i]; f.Class == finding.Slow && other.Class == f.Class && other != f {
			for j := range other.Members {
				elsewhere[other.Members[j].Component] = true
			}
		}
	}
	old := slices.DeleteFunc(in.Members, func(m finding.Member) bool { return now[m.Component] || elsewhere[m.Component] })
	for i := range old {
		old[i].Odd = false
	}
	in.Members = slices.Concat(f.Members, old)
	in.Severity, in.Windows = 0, 0
	if in.keepsPeaks() {
		in.Worst = 0
	}
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
	slices.SortStableFunc(in.Members, WorstFirst)
}

// WorstFirst compares members by their effects since the onset, and members without an effect by
// Worst. Members that took over load come last.
func WorstFirst(a, b finding.Member) int {
	return cmp.Or(cmp.Compare(takeoverRank(a), takeoverRank(b)), cmp.Compare(b.Effect.Times, a.Effect.Times), cmp.Compare(b.Worst, a.Worst), cmp.Compare(a.Component, b.Component))
}

// takeoverRank returns 1 if a member only took over load from other components, and 0 otherwise.
// WorstFirst sorts by this number first.
func takeoverRank(m finding.Member) int {
	if m.Role == finding.TookOver {
		return 1
	}
	return 0
}

// isIncident reports whether a pending incident is confirmed. It is the only function that makes an
// incident of a suspect. If the field Certain of the finding is set, the incident is confirmed.
// Otherwise three conditions must hold: chance does not explain the finding (Sure), its amount
// reaches the bound (confirmAmount), and the time Until has passed. Before the time Until, a
// harmless cause is possible.
func (t *Tracker) isIncident(in *entry, f *finding.Finding, k *Tick) bool {
	switch {
	case f.Certain:
		return true
	case f.Class == finding.OwnWork: // own work of a server is an incident only if the field Certain is set
		return false
	}
	return f.Sure && f.Amount >= t.confirmAmount(in) && k.Time >= f.Until
}

// confirmAmount returns the smallest amount with which a pending incident is confirmed. If the
// problem was an incident before and has come back, a smaller amount is enough.
func (t *Tracker) confirmAmount(in *entry) float64 {
	if old := t.endedIncident(in); old != nil && old.Ending.MayReturn() {
		return t.opts.Criteria.HalfShare
	}
	return 1
}

// confirm confirms a pending incident. The incident may explain other open incidents
// (explainedIncidents). confirm then merges these other incidents into the confirmed incident. The
// confirmed incident may get the ID of a merged incident (mayName). If mayName allows none of these
// IDs, confirm opens or reopens the incident under the ID of its own problem.
func (t *Tracker) confirm(in *entry, now int64) {
	in.Phase = Active
	parts := t.explainedIncidents(in)
	for _, part := range parts {
		in.Also = append(in.Also, SecondFinding{part.Class, part.Kind, part.Place, part.Onset, part.Members, part.Evidence})
	}
	if !slices.ContainsFunc(parts, func(part *entry) bool { return t.mayName(part, in) }) {
		t.openOrReopen(in, now)
	}
	t.takeOver(in, parts, now)
}

// openOrReopen opens a new incident, or reopens the old incident that has come back.
func (t *Tracker) openOrReopen(in *entry, now int64) {
	in.Phase, in.Confirmed = Active, now
	span := Span{From: in.Onset.At}
	old := t.endedIncident(in)
	t.ended = slices.DeleteFunc(t.ended, func(other *entry) bool { return other == old })
	if old == nil || old.Ending == Replaced { // all components at the place were replaced, so the problem is a new incident
		in.ID, in.Spans = t.newID(in), []Span{span}
		t.sendEvent(in, Opened, now)
		return
	}
	in.ID, in.Comments, in.Spans = old.ID, old.Comments, slices.Concat(old.Spans, []Span{span})
	in.Spans = in.Spans[max(0, len(in.Spans)-MaxSpans):]
	if old.Ending.MayReturn() { // nothing was repaired, so the old problem has come back; after a repair, the problem would be new
		in.Onset, in.Suspected, in.Confirmed = old.Onset, old.Suspected, old.Confirmed
	}
	if old.Ending.MayReturn() && old.Class == in.Class { // the numbers of two classes are not comparable
		in.KeepWorst(old.Worst)
		in.Amount = max(in.Amount, old.Amount)
	}
	t.sendEvent(in, Reopened, now)
}

// MaxSpans is the greatest length of Incident.Spans. If an incident has more periods than this, its
// oldest periods are dropped. This bounds the memory of an incident that comes back every few hours
// for years.
const MaxSpans = 128

package commoncause

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/state"
)

// Reducer finds causes that several partitions share, and makes incidents from them. The findings
// depend only on the counts, not on the order in which the counts of different partitions arrive.
type Reducer struct {
	opts      engine.Options
	emit      func(*incident.Event)
	maxWait   time.Duration
	places    *blame.Map
	tracker   *incident.Tracker
	parts     map[string]*partitionCounts
	names     []string // names of the partitions, sorted
	evaluated int64    // Unix time of the last evaluation of counts
}

// partitionCounts holds the counts of one partition, and the time of its newest counts.
type partitionCounts struct {
	Waiting []*Counts // counts that were not evaluated yet, in order of time
	Latest  *Counts   // the newest counts that are not later than the last evaluation
	Newest  int64
	// Spoke is the arrival time of the last counts of the partition, in Unix nanoseconds. If the
	// partition has sent no counts yet, Spoke is the arrival time of the first counts of any
	// partition.
	Spoke int64
}

// NewReducer returns a reducer for the partitions of a system. If a partition sends no counts, the
// reducer waits for the partition, but no longer than maxWait.
func NewReducer(o engine.Options, m *blame.Map, partitions []string, maxWait time.Duration, emit func(*incident.Event)) *Reducer {
	r := &Reducer{opts: o, maxWait: maxWait, emit: emit, parts: map[string]*partitionCounts{}}
	r.set(m, partitions)
	return r
}

// set sets the fields that depend on the system.
func (r *Reducer) set(m *blame.Map, partitions []string) {
	r.places, r.names = m, slices.Sorted(slices.Values(partitions))
	r.tracker = incident.New(r.opts.Incidents(), m, r.emit, func(finding.Class, int) {})
	parts := map[string]*partitionCounts{}
	for _, name := range r.names {
		if parts[name] = r.parts[name]; parts[name] == nil {
			parts[name] = &partitionCounts{}
		}
	}
	r.parts = parts
}

// Change makes the reducer continue with another generation of the system. The element to[c] is the
// index of the old component c in the new system, or -1 if the new system does not have this
// component. Incidents at removed components end. Waiting counts get the indexes of the new system.
// Counts with a removed slow component are dropped, because the partition sends new counts at its
// next tick.
func (r *Reducer) Change(generation int, m *blame.Map, partitions []string, to []int) error {
	tracker, err := r.saveTracker()
	if err != nil {
		return err
	}
	r.set(m, partitions)
	for _, p := range r.parts {
		p.Waiting = slices.DeleteFunc(p.Waiting, func(c *Counts) bool { return !c.Move(generation, to) })
		if p.Latest != nil && !p.Latest.Move(generation, to) {
			p.Latest = nil
		}
	}
	if err := r.restoreTracker(tracker); err != nil {
		return err
	}
	r.tracker.Drop(r.evaluated)
	return nil
}

// Take processes the counts of a partition. The parameter `taken` is the time at which the log
// stored the counts.
func (r *Reducer) Take(partition string, c *Counts, taken time.Time) error {
	p := r.parts[partition]
	if p == nil {
		return fmt.Errorf("NATS has counts of %s, but the cluster does not have this partition: check which other program writes to NATS", partition)
	}
	now := taken.UnixNano()
	for _, other := range r.parts {
		if other.Spoke == 0 {
			other.Spoke = now
		}
	}
	p.Spoke = now
	if c.Time <= p.Newest || c.Time <= r.evaluated {
		p.Newest = max(p.Newest, c.Time)
		return nil
	}
	p.Waiting, p.Newest = append(p.Waiting, c), c.Time
	for at := r.next(); at > 0 && r.isComplete(at, now); at = r.next() {
		r.evaluate(at)
	}
	return nil
}

// next returns the earliest time of the counts that were not evaluated yet. It returns 0 if all
// counts were evaluated.
func (r *Reducer) next() (at int64) {
	for _, p := range r.parts {
		if len(p.Waiting) > 0 && (at == 0 || p.Waiting[0].Time < at) {
			at = p.Waiting[0].Time
		}
	}
	return at
}

func (r *Reducer) isComplete(at, now int64) bool {
	for _, p := range r.parts {
		if p.Newest < at && time.Duration(now-p.Spoke) < r.maxWait {
			return false
		}
	}
	return true
}

// Counts that are older than staleSeconds are not used. If a partition sends no newer counts, its
// last counts are used until this age. At the default settings, staleSeconds is the length of 15
// ticks, so a short delay of a partition has no effect.
const staleSeconds = 900

// evaluate adds up the counts of all partitions at the given Unix time, finds the common causes,
// and passes the findings to the tracker.
func (r *Reducer) evaluate(at int64) {
	seconds := at - r.evaluated
	if r.evaluated == 0 {
		seconds = r.opts.Criteria.TickSteps * r.opts.Detect.StepSeconds
	}
	r.evaluated = at
	var all []*Counts
	for _, name := range r.names {
		if c := r.parts[name].upTo(at); c != nil {
			all = append(all, c)
		}
	}
	m := Merge(all)
	r.tracker.AddTick(incident.Tick{
		Time: at, Seconds: seconds, Classes: []finding.Class{finding.Slow}, Found: r.explain(m, seconds),
		Judged:  func(finding.Class, int) bool { return len(all) == len(r.names) },
		Metrics: func([]finding.Member) []string { return nil },
	})
}

// upTo returns the last counts of a partition that are not later than the given Unix time. It
// returns nil if there are no such counts, or if these counts are older than staleSeconds.
func (p *partitionCounts) upTo(at int64) *Counts {
	for len(p.Waiting) > 0 && p.Waiting[0].Time <= at {
		p.Latest, p.Waiting = p.Waiting[0], p.Waiting[1:]
	}
	if p.Latest == nil || at-p.Latest.Time > staleSeconds {
		return nil
	}
	return p.Latest
}

// explain finds the causes that span several partitions. If all slow components of a cause are in
// one partition, explain skips the cause, because the engine of this partition finds it. If several
// causes act on the same servers and began together, explain makes one finding from these causes.
func (r *Reducer) explain(m *Merged, seconds int64) []finding.Finding {
	var list []slow.Explanation
	var causes []slow.Cause
	for _, x := range r.opts.Localise.ExplainTally(&m.Tally, m.Across, seconds) {
		if m.Across[x.Place] && m.spreads(x.Members) {
			list, causes = append(list, x), append(causes, r.cause(m, &x))
		}
	}
	var found []finding.Finding
	for _, of := range r.opts.Localise.Join(causes, m.Tally.Clean+len(m.Tally.Held), &r.opts.Criteria) {
		f := r.finding(m, &list[of[0]])
		for _, i := range of[1:] {
			r.join(&f, r.finding(m, &list[i]))
		}
		found = append(found, f)
	}
	return found
}

// cause converts an explanation to a slow.Cause, which Localise.Join can compare with other causes.
// If an open incident has the same place, the cause gets Joined and Confirmed from this incident.
func (r *Reducer) cause(m *Merged, x *slow.Explanation) slow.Cause {
	c := slow.Cause{Place: m.Places[x.Place]}
	for _, o := range r.tracker.Open() {
		if o.Place == c.Place {
			c.Joined, c.Confirmed = o.Joined, o.Confirmed
		}
	}
	for _, u := range x.Members {
		c.Begun = append(c.Begun, slow.Begun{Holder: m.Tally.Odd[u].Holder, Onset: m.Odd[u].Onset})
	}
	return c
}

// join adds the finding of a second cause to the finding of the first cause. If a component belongs
// to both places, the field Judged of both findings counts it. So join subtracts the number of
// these components from the sum. The partitions do not send how many of these components were
// judged. So join assumes that all of them were judged.
func (r *Reducer) join(f *finding.Finding, other finding.Finding) {
	both := 0
	for _, c := range r.places.Attachments {
		if r.places.DependsOn(c, other.Place) && r.places.DependsOnAny(c, append(f.Joined, f.Place)) {
			both++
		}
	}
	f.Joined = blame.Union(f.Joined, []blame.Place{other.Place})
	f.Members = append(f.Members, other.Members...)
	f.Judged = max(f.Judged+other.Judged-both, len(f.Members))
	f.Elsewhere.Odd -= len(other.Members)
	f.Elsewhere.Judged -= other.Judged - both
	f.Amount, f.Nats, f.WaitedSeconds = f.Amount+other.Amount, max(f.Nats, other.Nats), f.WaitedSeconds+other.WaitedSeconds
	f.Onset = finding.CommonOnset([]finding.Onset{f.Onset, other.Onset})
	f.Until, f.Alike = f.Onset.At+r.opts.Criteria.WideSeconds(), nil
}

// spreads reports whether the given slow components (indexes in m.Odd) belong to several
// partitions.
func (m *Merged) spreads(units []int) bool {
	return slices.ContainsFunc(units, func(u int) bool { return m.From[u] != m.From[units[0]] })
}

func (r *Reducer) finding(m *Merged, x *slow.Explanation) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Kind: finding.SharedSlowness, Place: m.Places[x.Place], Judged: x.Judged, Sure: true, Gathers: true}
	for _, p := range x.Alike {
		f.Alike = append(f.Alike, m.Places[p])
	}
	var onsets []finding.Onset
	for _, u := range x.Members {
		one := &m.Odd[u]
		f.Members = append(f.Members, one.Members...)
		f.Amount += one.Amount
		f.Nats = max(f.Nats, one.Nats)
		f.WaitedSeconds += one.WaitedSeconds
		onsets = append(onsets, one.Onset)
	}
	f.Onset = finding.CommonOnset(onsets)
	f.Until = f.Onset.At + r.opts.Criteria.WideSeconds()
	f.Elsewhere = finding.Tally{Odd: len(m.Odd) - len(x.Members), Judged: m.Tally.All - x.Judged}
	return f
}

// Apply executes an operator's command on the components with the given indexes.
func (r *Reducer) Apply(c *command.Command, components []int) {
	r.tracker.Apply(c, components, max(c.Time, r.evaluated))
}

// Incidents returns all incidents of the tracker: open incidents, and incidents that have ended.
func (r *Reducer) Incidents() []incident.Incident { return r.tracker.List(incident.Combined) }

// Time returns the Unix time of the last evaluation of counts.
func (r *Reducer) Time() int64 { return r.evaluated }

// memory is the saved state of a reducer.
type memory struct {
	Looked  int64
	Parts   map[string]*partitionCounts
	Tracker []byte
}

// formVersion is the version of the format in which the tracker's state is saved, and oldestVersion
// is the oldest version that is read. Version 3 has no clients in evidence (finding.HasClients).
// When formVersion is raised, oldestVersion becomes the previous formVersion.
const (
	formVersion   = 4
	oldestVersion = 3
)

// form describes the saved state of the tracker. The tracker's findings are saved by the same code
// as the findings of an engine. This code knows only the versions of an engine's saved state, so
// Stages returns such a version.
var form = state.Form{Version: formVersion, Oldest: oldestVersion, Stages: func(version uint32) uint32 {
	if version < formVersion {
		return finding.StageVersionBefore
	}
	return engine.StageVersion
}}

// Save encodes the counts of all partitions, the time of the last evaluation, and the state of the
// tracker.
func (r *Reducer) Save() ([]byte, error) {
	tracker, err := r.saveTracker()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gob.NewEncoder(&b).Encode(memory{r.evaluated, r.parts, tracker})
	return b.Bytes(), err
}

// Restore sets the reducer to a state that Save encoded. It returns an error if the state lacks a
// partition.
func (r *Reducer) Restore(data []byte) error {
	var m memory
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&m); err != nil {
		return err
	}
	for _, name := range r.names {
		if m.Parts[name] == nil {
			return fmt.Errorf("the saved state has no partition %s", name)
		}
	}
	r.evaluated, r.parts = m.Looked, m.Parts
	return r.restoreTracker(m.Tracker)
}

func (r *Reducer) saveTracker() ([]byte, error) {
	return form.Encode(func(c *state.Codec) { r.tracker.State(c, r.places.Axes(c)) })
}

func (r *Reducer) restoreTracker(data []byte) error {
	return form.Decode(data, func(c *state.Codec) { r.tracker.State(c, r.places.Axes(c)) })
}

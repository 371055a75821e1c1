package incident

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
)

// ageIncidents handles the open incidents about which this tick has no finding. It drops pending
// incidents. Any other incident recovers after some time without a finding, and ends after a longer
// time without a finding. ageIncidents first updates the list of open incidents, and then sends the
// events.
func (t *Tracker) ageIncidents(k *Tick, shown map[*entry]bool) {
	var quiet []*entry
	t.open = slices.DeleteFunc(t.open, func(in *entry) bool {
		switch {
		case in.merged:
			return true
		case shown[in] || !slices.Contains(k.Classes, in.Class):
			return false
		case in.Phase == Pending:
			return true
		case !t.isJudged(in, k):
			if in.Unjudged == 0 {
				in.Unjudged = k.Time - k.Seconds
			}
			return false
		}
		quiet = append(quiet, in)
		return false
	})
	for _, in := range quiet {
		in.Unjudged = 0
		in.quietSeconds += k.Seconds
		t.recoverIfQuiet(in, k.Time)
	}
}

// recoverIfQuiet changes the phase of an incident to Recovering after RecoverSeconds of quiet
// ticks. It ends the incident after OverSeconds of quiet ticks. A tick is quiet if the incident
// could be judged, and there was no finding about it.
func (t *Tracker) recoverIfQuiet(in *entry, now int64) {
	recovers, clears := t.opts.recoveryTimes(in.Class)
	if in.quietSeconds >= recovers && in.Phase == Active {
		in.Phase, in.Severity = Recovering, 0
		t.sendEvent(in, Recovers, now)
	}
	if in.quietSeconds >= clears {
		t.open = slices.DeleteFunc(t.open, func(other *entry) bool { return other == in })
		t.endIncident(in, Recovered, now)
	}
}

// isJudged reports whether the detectors could judge at least half of the components of an incident
// at this tick. A silent server is judged by its data, and not by the states of its paths. The data
// of a server that never sent any show nothing: other servers no longer carry its load, perhaps only
// because there is no load. So the incident stays as it is until the server sends data.
func (t *Tracker) isJudged(in *entry, k *Tick) bool {
	if !in.Class.Judged() {
		return true
	}
	judged := func(c int) bool { return k.Judged(in.Class, c) }
	if in.Kind == finding.SilentServer {
		judged = k.SilenceJudged
	}
	n := 0
	for c := range in.lastAffected {
		if judged(c) {
			n++
		}
	}
	return 2*n >= len(in.lastAffected)
}

// endIncident ends an incident. The detectors that found the incident drop their evidence about its
// components, so that a new incident needs new evidence.
func (t *Tracker) endIncident(in *entry, why Ending, now int64) {
	in.Phase, in.Ending, in.Cleared, in.quietSeconds = Cleared, why, in.Last, max(now-in.Last, 0)
	in.Spans[len(in.Spans)-1].To = in.Last
	for i := range in.Members {
		in.Members[i].Odd = false
	}
	for _, c := range slices.Sorted(maps.Keys(in.lastAffected)) {
		t.forgetIn(in.Class, c, in)
	}
	for i := range in.Also {
		for _, m := range in.Also[i].Members {
			t.forgetIn(in.Also[i].Class, m.Component, in)
		}
	}
	t.ended = append(t.ended, in)
	t.sendEvent(in, Clears, now)
}

// forgetIn is called when the incident `ends` ends. It makes the detectors of a class drop their
// evidence about a component of this incident. If another open incident of this class has affected
// the component, the evidence stays.
func (t *Tracker) forgetIn(class finding.Class, c int, ends *entry) {
	held := slices.ContainsFunc(t.open, func(other *entry) bool {
		return other.hasAffected(c) && other != ends && other.Class == class && other.Phase != Pending && !other.merged
	})
	if !held {
		t.forget(class, c)
	}
}

// forgetOld drops incidents that ended more than RememberSeconds ago.
func (t *Tracker) forgetOld(now int64) {
	t.ended = slices.DeleteFunc(t.ended, func(in *entry) bool { return now-in.Cleared > t.opts.Criteria.RememberSeconds })
}

// Apply executes an operator's command at the Unix time `now`. The parameter `components` has the
// numbers of the components that the command applies to. Mute marks incidents as muted, so that
// they come last in lists. Comment adds a text to incidents. Resolve ends incidents, and it ends
// the mutes of the components. The evidence about the components then starts again from zero.
// Accept ends only incidents of class past, and only the evidence of this class starts again from
// zero. Accept leaves mutes as they are.
func (t *Tracker) Apply(c *command.Command, components []int, now int64) {
	switch c.Verb {
	case command.Mute, command.Unmute:
		t.mute(components, c.Verb == command.Mute, now)
	case command.Comment:
		t.comment(c, components, now)
	case command.Resolve:
		t.resolve(c, components, finding.Classes(), now)
		t.mute(components, false, now) // unmute, so that a repaired component is reported again if its problem comes back
	case command.Accept:
		t.resolve(c, components, []finding.Class{finding.Past}, now)
	}
}

func (t *Tracker) mute(components []int, muted bool, now int64) {
	for _, c := range components {
		if muted {
			t.muted[c] = true
		} else {
			delete(t.muted, c)
		}
	}
	for _, in := range t.open {
		switch is := t.isMuted(in); {
		case is && !in.Muted:
			t.sendEvent(in, Mutes, now)
		case !is && in.Muted:
			t.sendEvent(in, Unmutes, now)
		}
	}
}

func (t *Tracker) comment(c *command.Command, components []int, now int64) {
	about := newTopic(c.Name, components)
	for _, in := range slices.Concat(t.open, t.ended) {
		if in.Phase != Pending && about.isAbout(in) {
			in.Comments = append(in.Comments, Comment{c.Time, c.Text})
			t.sendEvent(in, Commented, now)
		}
	}
}

// resolve ends the incidents that a command is about, if they belong to one of the given classes. A
// harmless incident needs no repair, so resolve ends it only if the command names the incident by
// its place or ID.
func (t *Tracker) resolve(c *command.Command, components []int, classes []finding.Class, now int64) {
	for _, component := range components {
		for _, class := range classes {
			t.forget(class, component)
		}
	}
	about, over := newTopic(c.Name, components), []*entry(nil)
	t.open = slices.DeleteFunc(t.open, func(in *entry) bool {
		if !slices.Contains(classes, in.Class) || !about.isAbout(in) || !about.hasName(in) && in.Harmless() {
			return false
		}
		over = append(over, in)
		return true
	})
	for _, in := range over {
		if in.Phase != Pending {
			t.endIncident(in, Resolved, now)
		}
	}
}

// topic is what an operator's command is about: the name or the incident ID in the command, and the
// components that the command applies to.
type topic struct {
	name       string
	components map[int]bool
}

func newTopic(name string, components []int) topic {
	t := topic{name, make(map[int]bool, len(components))}
	for _, c := range components {
		t.components[c] = true
	}
	return t
}

// hasName reports whether the command names an incident by its place or its ID.
func (t topic) hasName(in *entry) bool {
	return in.IsAt(t.name) || in.ID != "" && in.ID == t.name
}

// isAbout reports whether the command is about an incident. The command must name the incident, or
// include every component that the incident has affected.
func (t topic) isAbout(in *entry) bool {
	if t.hasName(in) {
		return true
	}
	for c := range in.lastAffected {
		if !t.components[c] {
			return false
		}
	}
	return len(in.lastAffected) > 0
}

// Open returns the open incidents, in the form that detectors need. It leaves out pending and
// merged incidents.
func (t *Tracker) Open() []finding.OpenIncident {
	var list []finding.OpenIncident
	for _, in := range t.open {
		if in.Phase != Pending && !in.merged {
			list = append(list, finding.OpenIncident{
				Class: in.Class, Kind: in.Kind, Place: in.Place, Joined: in.Joined, Active: in.Phase == Active, Onset: in.Onset, Confirmed: in.Confirmed,
				Seconds: in.presentSeconds, Judged: in.Judged, Seen: in.lastAffected,
			})
		}
	}
	return list
}

// Blames reports whether a component is slow or stalled in an open incident, or is a suspect. An
// imbalance of workload blames no component.
func (t *Tracker) Blames(c int) bool {
	return slices.ContainsFunc(t.open, func(in *entry) bool {
		slow := in.Class == finding.Slow || in.Class == finding.Tail || in.Class == finding.Stall
		return slow && in.Kind != finding.WorkloadImbalance && !in.merged && in.hasAffected(c)
	})
}

// List returns copies of all incidents, open and ended, in the order o. It leaves out pending and
// merged incidents.
func (t *Tracker) List(o Order) []Incident {
	var list []Incident
	for _, in := range slices.Concat(t.open, t.ended) {
		if in.Phase == Pending || in.merged {
			continue
		}
		in.Muted = t.isMuted(in)
		list = append(list, in.Clone())
	}
	o.Sort(list)
	return list
}

// Pending returns the pending incidents, worst first. The time by[i] is an estimate of the Unix
// time at which the incident list[i] will be confirmed. It assumes that the amount of the incident
// continues to grow at its mean rate since the onset.
func (t *Tracker) Pending() (list []Incident, by []int64) {
	var all []*entry
	for _, in := range t.open {
		if in.Phase == Pending && !in.merged && !in.Harmless() && in.Kind != finding.WorkloadImbalance {
			in.Muted = t.isMuted(in)
			all = append(all, in)
		}
	}
	slices.SortStableFunc(all, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Place.Name, b.Place.Name))
	})
	for _, in := range all {
		list, by = append(list, in.Clone()), append(by, t.confirmTime(in))
	}
	return list, by
}

// confirmTime estimates the Unix time at which a pending incident will be confirmed. It assumes
// that the amount of the incident continues to grow at its mean rate since the onset.
func (t *Tracker) confirmTime(in *entry) int64 {
	grown := float64(max(in.Last-in.Onset.At, in.WindowSeconds))
	left := 0.0
	if in.Amount > 0 {
		left = max(t.confirmAmount(in)/in.Amount-1, 0) * grown
	}
	return max(in.Last+int64(math.Ceil(left)), in.Last+in.WindowSeconds, in.Until)
}

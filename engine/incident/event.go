package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Change is the kind of an event.
type Change string

// The kinds of events.
const (
	Opened    Change = "opened"
	Changed   Change = "changed" // the incident's ID, kind, place or members have changed, or a second detector has found the same problem
	Recovers  Change = "recovering"
	Clears    Change = "cleared"
	Reopened  Change = "reopened"
	Mutes     Change = "muted"
	Unmutes   Change = "unmuted"
	Commented Change = "commented"
)

// Event is a change of an incident. The field Incident is valid only until the listener returns.
type Event struct {
	Time     int64 // Unix time of the row or of the operator's command
	Change   Change
	Incident *Incident
}

// sendEvent calls the function Tracker.listen with an event about a change of an incident. It sends
// no events about pending incidents.
func (t *Tracker) sendEvent(in *entry, change Change, now int64) {
	if in.Phase == Pending {
		return
	}
	in.Muted = t.isMuted(in)
	out := in.Incident
	t.listen(&Event{Time: now, Change: change, Incident: &out})
}

// isMuted reports whether every affected component of an incident is muted.
func (t *Tracker) isMuted(in *entry) bool {
	for c := range in.lastAffected {
		if !t.muted[c] {
			return false
		}
	}
	return len(in.lastAffected) > 0
}

// outline has the fields of an incident that cause an event when they change.
type outline struct {
	place   blame.Place
	joined  []blame.Place
	kind    finding.Kind
	mayBe   finding.Kind
	phase   Phase
	members []int
}

// outline returns the outline of an incident at the given Unix time. After a component was last
// anomalous, it stays a member for as long as an incident needs to recover. So a component that is
// anomalous at some ticks and normal at others causes no events.
func (t *Tracker) outline(in *entry, now int64) outline {
	o := outline{place: in.Place, joined: in.Joined, kind: in.Kind, mayBe: in.MayBe, phase: in.Phase}
	recovers, _ := t.opts.recoveryTimes(in.Class)
	for c, last := range in.lastAnomalous {
		if now-last < recovers {
			o.members = append(o.members, c)
		}
	}
	slices.Sort(o.members)
	return o
}

func (o outline) equal(p outline) bool {
	return o.place == p.place && slices.Equal(o.joined, p.joined) && o.kind == p.kind && o.mayBe == p.mayBe && o.phase == p.phase && slices.Equal(o.members, p.members)
}

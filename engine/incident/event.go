package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Change is what has become of an incident.
type Change string

// The changes of an incident.
const (
	Opened    Change = "opened"
	Changed   Change = "changed" // its kind, its place or its members
	Recovers  Change = "recovering"
	Clears    Change = "cleared"
	Reopened  Change = "reopened"
	Mutes     Change = "muted"
	Unmutes   Change = "unmuted"
	Commented Change = "commented"
)

// Event is a change of an incident. The incident is valid until the listener
// returns.
type Event struct {
	Time     int64 // of the row, or of the feedback
	Change   Change
	Incident *Incident
}

// event tells of a change.
func (t *Tracker) event(in *entry, change Change, now int64) {
	if in.Phase == Pending {
		return
	}
	in.Muted = t.hidden(in)
	out := in.Incident
	t.tell(&Event{Time: now, Change: change, Incident: &out})
}

// hidden says whether all that an incident shows on is muted.
func (t *Tracker) hidden(in *entry) bool {
	for c := range in.seen {
		if !t.muted[c] {
			return false
		}
	}
	return len(in.seen) > 0
}

// outline is what an event tells of a change of.
type outline struct {
	place   blame.Place
	kind    finding.Kind
	mayBe   finding.Kind
	phase   Phase
	members []int
}

// outline is that of an incident at a time. A component belongs to it until it has not
// been odd for as long as an incident recovers in: what comes and goes from tick to tick
// is no news.
func (t *Tracker) outline(in *entry, now int64) outline {
	o := outline{place: in.Place, kind: in.Kind, mayBe: in.MayBe, phase: in.Phase}
	recovers, _ := t.opts.lasts(in.Class)
	for c, last := range in.odd {
		if now-last < recovers {
			o.members = append(o.members, c)
		}
	}
	slices.Sort(o.members)
	return o
}

func (o outline) equal(p outline) bool {
	return o.place == p.place && o.kind == p.kind && o.mayBe == p.mayBe && o.phase == p.phase && slices.Equal(o.members, p.members)
}

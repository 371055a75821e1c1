package action

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// Cause identifies the incident or the suspect that an action is about. A suspect has no ID, and may
// become an incident later.
type Cause struct {
	Incident string // ID; empty: a suspect
	Kind     finding.Kind
	Tier     blame.Tier
	Place    string
}

// CauseOf returns the cause that identifies an incident.
func CauseOf(in *incident.Incident) Cause {
	return Cause{in.ID, in.Kind, in.Place.Tier, in.Place.Name}
}

// Is reports whether c identifies the incident.
func (c Cause) Is(in *incident.Incident) bool {
	if c.Incident != "" && in.ID != "" {
		return c.Incident == in.ID
	}
	return c.Kind == in.Kind && c.Tier == in.Place.Tier && c.Place == in.Place.Name
}

// KeptSeconds is the time for which ended actions are remembered, so that they can prevent further
// actions on the same incident. It is the longest pause of a policy.
const KeptSeconds = 30 * 86400

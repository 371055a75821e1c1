package engine

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
)

// Mute is a mute command with an end time. Saved states contain mutes as JSON and as gob. Both
// formats contain the names of the fields, so these names must not change.
type Mute struct {
	Until int64           `json:"until"` // Unix time; the first row that ends at or after this time ends the mute
	Word  command.Command `json:"word"`  // the command that muted the components
}

// Apply executes an operator's command between two rows.
func (s *Session) Apply(c *command.Command) {
	if c.Verb != command.Comment && c.Verb != command.Label {
		s.Mutes = slices.DeleteFunc(s.Mutes, func(m Mute) bool { return slices.Equal(m.Word.Components, c.Components) })
	}
	if c.Verb == command.Mute && c.Until > 0 {
		s.Mutes = append(s.Mutes, Mute{c.Until, *c})
	}
	if c.Verb != command.Label && len(c.Components) > 0 {
		s.Engine.Apply(c)
	}
}

// endMutes unmutes the components of every mute that ends at or before the Unix time `now`.
func (s *Session) endMutes(now int64) {
	s.Mutes = slices.DeleteFunc(s.Mutes, func(m Mute) bool {
		if m.Until > now {
			return false
		}
		unmute := m.Word
		unmute.Time, unmute.Verb, unmute.Text = m.Until, command.Unmute, ""
		s.Engine.Apply(&unmute)
		return true
	})
}

// MutedUntil returns the Unix time at which each mute ends, by the ID of the muted incident.
func (s *Session) MutedUntil() map[string]int64 {
	until := map[string]int64{}
	for i := range s.Mutes {
		until[s.Mutes[i].Word.Incident] = s.Mutes[i].Until
	}
	return until
}

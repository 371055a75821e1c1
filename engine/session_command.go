package engine

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
)

// Command is what an operator says of an incident, or of a component and all that hang on
// it. Who says it names an incident or gives a name; number or key, time and components
// are found out when it is put between two rows.
type Command struct {
	Number     int64        `json:"number"`        // of one process: how many words it has heard
	Key        string       `json:"key,omitempty"` // of a cluster: no other word has it
	Time       int64        `json:"time"`
	Who        string       `json:"who"`
	Verb       command.Verb `json:"verb"`
	Incident   string       `json:"incident,omitempty"`   // ID; empty where a component is named
	Name       string       `json:"name"`                 // a name or a pattern, as operators write it
	Components []string     `json:"components,omitempty"` // that it is about
	Text       string       `json:"text,omitempty"`       // of a comment; the cause of a label
	Until      int64        `json:"until,omitempty"`      // Unix time at which a mute ends; 0: it does not
}

// Mute ends by itself at the time of a row.
type Mute struct {
	Until int64   `json:"until"`
	Word  Command `json:"word"`
}

// Execute carries a word out.
func (m *Session) Execute(one *Command) {
	if one.Verb != command.Comment && one.Verb != command.Label {
		m.Mutes = slices.DeleteFunc(m.Mutes, func(x Mute) bool { return slices.Equal(x.Word.Components, one.Components) })
	}
	if one.Verb == command.Mute && one.Until > 0 {
		m.Mutes = append(m.Mutes, Mute{one.Until, *one})
	}
	if one.Verb != command.Label && len(one.Components) > 0 {
		m.apply(one)
	}
}

// apply has the engine act on a word.
func (m *Session) apply(one *Command) {
	f := command.Feedback{Time: one.Time, Verb: one.Verb, Name: one.Name, Text: one.Text}
	for _, name := range one.Components {
		if c, ok := m.System.Lookup(name); ok {
			f.Components = append(f.Components, c)
		}
	}
	m.Engine.Apply(f)
}

// endMutes ends the mutes whose time has come.
func (m *Session) endMutes(now int64) {
	m.Mutes = slices.DeleteFunc(m.Mutes, func(x Mute) bool {
		if x.Until > now {
			return false
		}
		over := x.Word
		over.Time, over.Verb, over.Text = x.Until, command.Unmute, ""
		m.apply(&over)
		return true
	})
}

// MutedUntil is when mutes end, by the incident's ID.
func (m *Session) MutedUntil() map[string]int64 {
	until := map[string]int64{}
	for _, x := range m.Mutes {
		until[x.Word.Incident] = x.Until
	}
	return until
}

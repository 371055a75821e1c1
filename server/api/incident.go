package api

import (
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
)

// Record is an incident and what operators last said of it.
type Record struct {
	Incident document.Incident `json:"incident"`
	Section  string            `json:"section"` // heading under which reports list it
	Note
}

// Kept is an incident with all that happened to it.
type Kept struct {
	Record
	Stale  string  `json:"stale,omitempty"` // how old the newest data are, where that is long
	Events []Event `json:"events"`          // in order; without the incident in each
	Said   []Said  `json:"said"`
	// Actions are what limpet asked, did or reversed about it, the last one first.
	Actions []Action `json:"actions"`
}

// Event is a change of an incident.
type Event struct {
	Number int64           `json:"number"` // from 1, without gaps
	Time   document.Time   `json:"time"`
	Change incident.Change `json:"change"`
	ID     string          `json:"id"`   // of the incident
	Text   string          `json:"text"` // by package words
	// Incident is how it was then; nil where only the change is told.
	Incident *document.Incident `json:"incident,omitempty"`
}

// Was is the API's word for [command.Label]: the text is the true cause of an incident,
// kept for later evaluation.
const Was command.Verb = "was"

// Said is the document of a [command.Command] that was executed. It is a type of its own
// because its JSON differs: fields have other names, and times are text.
type Said struct {
	Time      document.Time `json:"time"`
	User      string        `json:"user"`
	Verb      command.Verb  `json:"verb"`
	Component string        `json:"component,omitempty"`
	Text      string        `json:"text,omitempty"`
	Until     document.Time `json:"until,omitzero"`
}

// SaidOf returns the document of a command.
func SaidOf(c *command.Command) Said {
	said := Said{Time: document.Time(c.Time), User: c.Who, Verb: c.Verb, Component: c.Name, Text: c.Text, Until: document.Time(c.Until)}
	if c.Verb == command.Label {
		said.Verb = Was
	}
	return said
}

// PastQuery chooses incidents.
type PastQuery struct {
	From, To  int64  // Unix times; incidents that overlap; 0: no bound
	Component string // the place, or one of the members; empty: any
	Kind      string // empty: any
	After     string // ID of the last incident of the page before; empty: the first page
	Limit     int    // at most
}

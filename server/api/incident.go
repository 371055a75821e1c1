package api

import (
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
)

// Record is an incident with the latest feedback of operators.
type Record struct {
	Incident document.Incident `json:"incident"`
	Section  string            `json:"section"` // heading under which reports list it
	Note
}

// Kept is an incident with its whole history.
type Kept struct {
	Record
	Stale  string  `json:"stale,omitempty"` // age of the newest data, if they are too old; otherwise empty
	Events []Event `json:"events"`          // in order of time; the field Incident of each is nil
	Said   []Said  `json:"said"`            // commands of operators about the incident
	// Actions are the actions that limpet proposed, did or reversed because of the incident, latest
	// first.
	Actions []Action `json:"actions"`
}

// Event is a change of an incident.
type Event struct {
	Number int64           `json:"number"` // from 1, without gaps
	Time   document.Time   `json:"time"`
	Change incident.Change `json:"change"`
	ID     string          `json:"id"`   // ID of the incident
	Text   string          `json:"text"` // sentence about the change
	// Incident is the state of the incident after the change; nil if the answer holds only the
	// changes.
	Incident *document.Incident `json:"incident,omitempty"`
}

// Was is the API's name for [command.Label]: the text is the true cause of an incident, which is
// stored for later evaluation.
const Was command.Verb = "was"

// Said is the document of a [command.Command] that was executed. Its JSON differs from the JSON of
// the command: fields have other names, and times are text.
type Said struct {
	Time      document.Time `json:"time"`
	User      string        `json:"user"`
	Verb      command.Verb  `json:"verb"`
	Component string        `json:"component,omitempty"`
	Text      string        `json:"text,omitempty"`
	Until     document.Time `json:"until,omitzero"`
	// Incident and Place are only in the answer to a command about an incident, which may have been
	// named by the beginning of its ID: its full ID, and its place in words (LUN 1.07).
	Incident string `json:"incident,omitempty"`
	Place    string `json:"place,omitempty"`
}

// SaidOf returns the document of a command.
func SaidOf(c *command.Command) Said {
	said := Said{Time: document.Time(c.Time), User: c.Who, Verb: c.Verb, Component: c.Name, Text: c.Text, Until: document.Time(c.Until)}
	if c.Verb == command.Label {
		said.Verb = Was
	}
	return said
}

// PastQuery is a request for past incidents.
type PastQuery struct {
	From, To  int64  // Unix times; only incidents that overlap the time between them; 0: no bound
	Component string // place of the incident, or one of its members; empty: any
	Kind      string // empty: any
	After     string // ID of the last incident of the page before; empty: the first page
	Limit     int    // largest number of incidents
}

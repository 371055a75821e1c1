package api

import (
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Standing is how things stand after a row. A new one is made for each change, and
// none is changed after it was handed out.
type Standing struct {
	Subject report.Subject // system, schema, options, version
	report.Standing

	// Windows are the last of each peer group and metric, in that order. They share
	// nothing with the engine.
	Windows []persistence.Window
	Notes   map[string]Note // what operators said, by incident's ID

	Sources  []Source // in the order of the configuration
	Troubles []Trouble
	// Receivers are the receivers of alerts of this server.
	Receivers []Receiver
	// AlertsDecidedBy is the name of the node of a cluster that decides which alerts fire; empty in a
	// single process.
	AlertsDecidedBy string
	AlertsDecidedTo int64 // time of the last row that this server has decided on; 0: another node decides
	// Waiting is why the server is not ready, one plain sentence; empty once the
	// backlog has been read.
	Waiting string

	Actions        map[string]int // actions that are not over, by state; nil: the server carries out none
	ActionsStopped bool           // an operator has stopped all actions

	Event  int64 // number of the last event
	Opened int64 // incidents ever
}

// SentenceWriter is whoever speaks of the standing's system.
func (s *Standing) SentenceWriter() *sentence.Writer {
	v := s.Subject.Sentences()
	now := s.Summary
	now.Incidents = s.Incidents // with those that the engine has forgotten, which are over
	s.Subject.Advise(v, &now)
	return v
}

// Note is what operators last said of an incident, beside their comments.
type Note struct {
	MutedUntil document.Time `json:"muted_until,omitzero"` // where muting has an end
	MutedBy    string        `json:"muted_by,omitempty"`   // the user who muted it last, where that is known
	Was        *Said         `json:"was,omitempty"`        // the true cause
}

// SourceState is how a source does.
type SourceState string

// The states of a source.
const (
	SourceReading SourceState = "reading" // its backlog
	SourceLive    SourceState = "live"
	SourceLate    SourceState = "late"
	SourceSilent  SourceState = "silent"
	SourceFailing SourceState = "failing"
)

// Source is where samples come from.
type Source struct {
	Name       string          `json:"name"`
	Kind       string          `json:"kind"` // activity, scrape, push
	State      SourceState     `json:"state"`
	Last       document.Time   `json:"last,omitzero"` // time of its newest sample
	LagSeconds document.Number `json:"lag_seconds"`   // behind the newest of all sources; null before the first sample
	Samples    int64           `json:"samples"`       // used since the start; of activity files: steps
	Dropped    int64           `json:"dropped"`       // not used since the start
	Text       string          `json:"text"`          // one plain sentence
}

// Receiver is a receiver of alerts, and how far its deliveries are.
type Receiver struct {
	Name     string        `json:"name"`
	Node     string        `json:"node,omitempty"`  // node of a cluster that delivers to it
	Here     bool          `json:"here"`            // this server delivers to it
	Queued   int           `json:"queued"`          // notifications that it has not acknowledged
	Oldest   document.Time `json:"oldest,omitzero"` // time of the row that caused the first of them
	Last     document.Time `json:"last,omitzero"`   // its last acknowledgement
	Failures int           `json:"failures"`        // failures of this server since its last success
}

// Trouble is something that the server suffers from itself.
type Trouble struct {
	Kind  string        `json:"kind"` // disk, source, group, lag, delivery, …: a word from a short list, as a label of metrics
	Since document.Time `json:"since,omitzero"`
	Text  string        `json:"text"` // one plain sentence that says what would cure it
}

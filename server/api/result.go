package api

import (
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Result is the result of the diagnosis after a row. Each change makes a new Result; a Result never
// changes.
type Result struct {
	Subject report.Subject // system, schema, options, version
	report.Result

	// Windows holds the last window of each peer group and metric, ordered by group, then by
	// metric. They share no memory with the engine.
	Windows []persistence.Window
	Notes   map[string]Note // latest feedback of operators, by ID of the incident

	Sources  []Source // in the order of the configuration
	Troubles []Trouble
	// Receivers are the receivers of alerts of this server.
	Receivers []Receiver
	// AlertsDecidedBy is the name of the node of a cluster that decides which alerts fire; empty in a
	// single process.
	AlertsDecidedBy string
	AlertsDecidedTo int64 // time of the last row that this server has decided on; 0: another node decides
	// Waiting is the reason why the server is not ready, as one plain sentence; empty after the
	// backlog was read.
	Waiting string

	Actions        map[string]int // number of actions that have not ended, by state; nil: the server has no actions
	ActionsStopped bool           // an operator has stopped all actions

	Event  int64 // number of the last event
	Opened int64 // number of incidents ever opened
}

// SentenceWriter returns a writer of sentences about the system.
func (s *Result) SentenceWriter() *sentence.Writer {
	v := s.Subject.Sentences()
	now := s.Summary
	now.Incidents = s.Incidents // also the ended incidents that the engine has forgotten
	s.Subject.Advise(v, &now)
	return v
}

// Note is the latest feedback of operators on an incident, without their comments.
type Note struct {
	MutedUntil document.Time `json:"muted_until,omitzero"` // end of the mute; zero: the mute has no end
	MutedBy    string        `json:"muted_by,omitempty"`   // user who muted the incident last; empty: unknown
	Was        *Said         `json:"was,omitempty"`        // true cause of the incident
}

// SourceState is the state of a source of samples.
type SourceState string

// The states of a source.
const (
	SourceReading SourceState = "reading" // the source reads its backlog
	SourceLive    SourceState = "live"
	SourceLate    SourceState = "late"
	SourceSilent  SourceState = "silent"
	SourceFailing SourceState = "failing"
)

// Source is a source of samples.
type Source struct {
	Name  string        `json:"name"`
	Kind  string        `json:"kind"` // activity, scrape, push
	State SourceState   `json:"state"`
	Last  document.Time `json:"last,omitzero"` // time of its newest sample
	// LagSeconds is the age of its newest sample, in seconds; negative if its clock is ahead; null: no
	// sample yet.
	LagSeconds document.Number `json:"lag_seconds"`
	Samples    int64           `json:"samples"` // number of samples used since the start; for activity files, number of steps
	Dropped    int64           `json:"dropped"` // number of samples discarded since the start
	Text       string          `json:"text"`    // one plain sentence
}

// Receiver is a receiver of alerts, with the state of its deliveries.
type Receiver struct {
	Name     string        `json:"name"`
	Node     string        `json:"node,omitempty"`  // node of a cluster that delivers to it
	Here     bool          `json:"here"`            // this server delivers to it
	Queued   int           `json:"queued"`          // number of notifications that the receiver has not acknowledged
	Oldest   document.Time `json:"oldest,omitzero"` // time of the row that caused the oldest of them
	Last     document.Time `json:"last,omitzero"`   // time of its last acknowledgement
	Failures int           `json:"failures"`        // number of failures of this server since its last success
}

// Trouble is a problem of the server itself.
type Trouble struct {
	Kind  string        `json:"kind"` // disk, source, group, lag, delivery, …: one of a few fixed words, so that it can be a label of metrics
	Since document.Time `json:"since,omitzero"`
	Text  string        `json:"text"` // one plain sentence that says how to fix the problem
}

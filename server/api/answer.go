package api

import (
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Error is the answer to a request that failed.
type Error struct {
	Text string `json:"error"` // one plain sentence
}

// sections are the names of words' sections in requests and answers.
var sections = [sentence.NumSections]string{"now", "suspected", "recovering", "over", "harmless", "muted"}

// Sections lists them in the order of a report.
func Sections() []string { return sections[:] }

// SectionName is the name of a section in requests and answers.
func SectionName(s sentence.Section) string { return sections[s] }

// Status is how the server does.
type Status struct {
	Version string        `json:"limpet"`
	System  string        `json:"system"`
	Ready   bool          `json:"ready"`
	Waiting string        `json:"waiting,omitempty"` // why it is not ready
	At      document.Time `json:"at,omitzero"`       // time of the last row
	Verdict string        `json:"verdict"`
	// NothingLimps is set where enough could be judged, no incident goes on and nothing is
	// suspect.
	NothingLimps bool      `json:"nothing_limps"`
	Event        int64     `json:"event"` // number of the last event
	User         string    `json:"user"`  // who asks
	Roles        []string  `json:"roles"`
	Sources      []Source  `json:"sources"`
	Troubles     []Trouble `json:"troubles"`
	Warnings     []string  `json:"warnings"`
	// Receivers are those of alerts. AlertsDecidedBy is the node of a cluster that decides which
	// alerts fire. On this node AlertsDecidedTo is the time of the last row that it has decided on.
	Receivers       []Receiver    `json:"receivers"`
	AlertsDecidedBy string        `json:"alerts_decided_by,omitempty"`
	AlertsDecidedTo document.Time `json:"alerts_decided_to,omitzero"`
}

// IncidentList is how incidents stand, section by section, worst first.
type IncidentList struct {
	At        document.Time       `json:"at,omitzero"`
	Stale     string              `json:"stale,omitempty"` // how old the newest data are, where that is long
	Verdict   string              `json:"verdict"`
	Incidents []Record            `json:"incidents"`
	Suspects  []document.Incident `json:"suspects"`
	Next      string              `json:"next,omitempty"` // for the parameter after of the next page
}

// PastList is a page of incidents, those that began last first.
type PastList struct {
	Incidents []Record `json:"incidents"`
	Next      string   `json:"next,omitempty"`
}

// EventList is a page of events.
type EventList struct {
	Events []Event `json:"events"`
	Last   int64   `json:"last"` // number of the newest event that there is
}

// Group is a peer group, with its last windows where one is asked for.
type Group struct {
	ID       int               `json:"id"`
	Name     string            `json:"name"`
	Members  int               `json:"members"`
	TooSmall bool              `json:"too_small"` // to compare anybody in it
	Windows  []document.Window `json:"windows,omitempty"`
}

// GroupList are all peer groups.
type GroupList struct {
	Groups []Group `json:"groups"`
}

// Component is a component as the topology has it, and what its last windows say.
type Component struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Group      int      `json:"group"`
	Server     string   `json:"server,omitempty"`
	Device     string   `json:"device,omitempty"`
	WWN        string   `json:"wwn,omitempty"`
	LUN        string   `json:"lun,omitempty"`
	Controller string   `json:"controller,omitempty"`
	Array      string   `json:"array,omitempty"`
	Drawer     string   `json:"drawer,omitempty"`
	Slot       string   `json:"slot,omitempty"`
	Set        string   `json:"set,omitempty"`
	Model      string   `json:"model,omitempty"`
	Serial     string   `json:"serial,omitempty"`
	Firmware   string   `json:"firmware,omitempty"`
	Enclosure  string   `json:"enclosure,omitempty"`
	Rack       string   `json:"rack,omitempty"`
	Pool       string   `json:"pool,omitempty"`
	Volume     string   `json:"volume,omitempty"`
	Made       string   `json:"made,omitempty"`
	SizeBytes  uint64   `json:"size_bytes,omitempty"`
	Priority   int      `json:"priority,omitempty"`
	Scores     []Score  `json:"scores"`
	Incidents  []string `json:"incidents"` // IDs of those that it is a member of
}

// Score is what the last window says of a component in one metric.
type Score struct {
	Metric    string          `json:"metric"`
	End       document.Time   `json:"end"`
	State     string          `json:"state"`
	Reason    string          `json:"reason,omitempty"`
	Score     document.Number `json:"score"`
	Threshold document.Number `json:"threshold"`
	Own       document.Number `json:"own,omitzero"`
	Peers     document.Number `json:"peers,omitzero"`
	Suspect   bool            `json:"suspect"`
}

// ComponentList is a page of components, in the order of the system.
type ComponentList struct {
	Components []Component `json:"components"`
	Total      int         `json:"total"` // that match
	Next       string      `json:"next,omitempty"`
}

// SourceList is the state of all sources, and what the server suffers from.
type SourceList struct {
	Sources  []Source  `json:"sources"`
	Troubles []Trouble `json:"troubles"`
}

// UserList are those who may log in.
type UserList struct {
	Open  bool   `json:"open"` // there are no users: everybody may do everything
	Users []User `json:"users"`
}

// User is one of them, without secrets.
type User struct {
	Name  string   `json:"name"`
	How   string   `json:"how"` // password or token
	Roles []string `json:"roles"`
}

// AuditList is a page of the audit trail, newest first.
type AuditList struct {
	Deeds []Deed `json:"deeds"`
	Next  int64  `json:"next,omitempty"` // for the parameter before of the next page
}

// FeedbackRequest is the body of a request to execute a command. It is a type of its own
// because its JSON differs from that of [command.Command]: clients send "component", a
// time as text, the verb "was" for a label, and neither user nor time.
type FeedbackRequest struct {
	Verb      command.Verb  `json:"verb"`
	Component string        `json:"component,omitempty"` // where no incident is named in the path
	Text      string        `json:"text,omitempty"`
	Until     document.Time `json:"until,omitzero"`
}

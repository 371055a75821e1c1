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

// sections are the names, in requests and answers, of the sections of package sentence.
var sections = [sentence.NumSections]string{"now", "suspected", "recovering", "over", "harmless", "muted"}

// Sections returns the names of all sections, in the order of a report.
func Sections() []string { return sections[:] }

// SectionName returns the name of a section in requests and answers.
func SectionName(s sentence.Section) string { return sections[s] }

// Status is the state of the server.
type Status struct {
	Version string        `json:"limpet"`
	System  string        `json:"system"`
	Ready   bool          `json:"ready"`
	Waiting string        `json:"waiting,omitempty"` // why the server is not ready
	At      document.Time `json:"at,omitzero"`       // time of the last row
	Verdict string        `json:"verdict"`
	// NothingLimps is true if enough components could be judged, no incident is open and no
	// component is suspect.
	NothingLimps bool      `json:"nothing_limps"`
	Event        int64     `json:"event"` // number of the last event
	User         string    `json:"user"`  // name of the user who sent the request
	Roles        []string  `json:"roles"`
	Sources      []Source  `json:"sources"`
	Troubles     []Trouble `json:"troubles"`
	Warnings     []string  `json:"warnings"`
	// Receivers are the receivers of alerts. AlertsDecidedBy is the node of a cluster that decides
	// which alerts fire. On that node, AlertsDecidedTo is the time of the last row that it has
	// decided on.
	Receivers       []Receiver    `json:"receivers"`
	AlertsDecidedBy string        `json:"alerts_decided_by,omitempty"`
	AlertsDecidedTo document.Time `json:"alerts_decided_to,omitzero"`
}

// IncidentList lists incidents by section, worst first.
type IncidentList struct {
	At        document.Time       `json:"at,omitzero"`
	Stale     string              `json:"stale,omitempty"` // age of the newest data, if they are too old; otherwise empty
	Verdict   string              `json:"verdict"`
	Incidents []Record            `json:"incidents"`
	Suspects  []document.Incident `json:"suspects"`
	LeftOut   int                 `json:"left_out,omitempty"` // number of incidents that no page has, because they are in sections that were not requested
	Next      string              `json:"next,omitempty"`     // value of the parameter "after" for the next page
}

// PastList is a page of incidents; the incident that began last is first.
type PastList struct {
	Incidents []Record `json:"incidents"`
	Next      string   `json:"next,omitempty"`
}

// EventList is a page of events.
type EventList struct {
	Events []Event `json:"events"`
	Last   int64   `json:"last"` // number of the newest event on the server
}

// Group is a peer group. Windows are the last windows of the group, if one group is requested.
type Group struct {
	ID       int               `json:"id"`
	Name     string            `json:"name"`
	Members  int               `json:"members"`
	TooSmall bool              `json:"too_small"` // the group has too few members to compare them
	Windows  []document.Window `json:"windows,omitempty"`
}

// GroupList are all peer groups.
type GroupList struct {
	Groups []Group `json:"groups"`
}

// Component is a component of the topology, with its scores in the last windows.
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
	Incidents  []string `json:"incidents"` // IDs of the incidents that the component is a member of
}

// Score is the score of a component by one metric in the last window.
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
	Total      int         `json:"total"` // number of components that match the request
	Next       string      `json:"next,omitempty"`
}

// SourceList is the state of all sources, and the problems of the server.
type SourceList struct {
	Sources  []Source  `json:"sources"`
	Troubles []Trouble `json:"troubles"`
}

// UserList lists the users who may log in.
type UserList struct {
	Open  bool   `json:"open"` // there are no users: everybody may do everything
	Users []User `json:"users"`
}

// User is a person or program that may log in, without secrets.
type User struct {
	Name  string   `json:"name"`
	How   string   `json:"how"` // password or token
	Roles []string `json:"roles"`
}

// AuditList is a page of the audit trail, newest first.
type AuditList struct {
	Deeds []Deed `json:"deeds"`
	Next  int64  `json:"next,omitempty"` // value of the parameter "before" for the next page
}

// FeedbackRequest is the body of a request to execute a command. Its JSON differs from the JSON of
// [command.Command]: clients send "component", a time as text, the verb "was" for a label, and
// neither user nor time.
type FeedbackRequest struct {
	Verb      command.Verb  `json:"verb"`
	Component string        `json:"component,omitempty"` // component that the feedback is about, if the path names no incident
	Text      string        `json:"text,omitempty"`
	Until     document.Time `json:"until,omitzero"`
}

package alert

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Version is the version of the JSON of a notification. Within a version fields are only
// added: none is removed or changes its meaning.
const Version = 1

// State is the state of an alert.
type State string

// The states of an alert. Receivers get Firing and Resolved only: an alert that is Clearing
// still fires for them.
const (
	Pending  State = "pending"
	Firing   State = "firing"
	Clearing State = "clearing"
	Resolved State = "resolved"
)

// Reason is the cause of a notification.
type Reason string

// The reasons of notifications.
const (
	Began     Reason = "began"
	Changed   Reason = "changed"            // its kind or its place changed
	Recovered Reason = "recovered"          //
	Repaired  Reason = "resolved"           // an operator reported the repair
	Removed   Reason = "removed"            // the topology no longer names its place
	Replaced  Reason = "replaced"           // another component has its place
	Merged    Reason = "merged"             // it is a part of another incident
	Muted     Reason = "muted"              // by an operator
	Confirmed Reason = "became an incident" // a suspect did
	Lost      Reason = "lost sight of"      // the diagnosis began anew and no longer has the incident
	Many      Reason = "many"               // a summary of alerts beyond MostPerPeriod
)

// Severity is the urgency of an alert.
type Severity string

// The severities of alerts.
const (
	Critical Severity = "critical" // an incident
	Warning  Severity = "warning"  // a suspect, or an incident that may be something harmless
	Info     Severity = "info"     // harmless
)

// rank orders severities: the most urgent has the highest rank.
func (s Severity) rank() int { return map[Severity]int{Info: 1, Warning: 2, Critical: 3}[s] }

// Place is the component that would have to be repaired.
type Place struct {
	Tier blame.Tier `json:"tier"`
	Name string     `json:"name"`
}

// Notification is one message to a receiver. Its JSON is the body of the webhook.
type Notification struct {
	Version  int           `json:"version"`
	Key      string        `json:"key"` // identifies the notification: a repeated delivery has the same key
	State    State         `json:"state"`
	Reason   Reason        `json:"reason"`
	Severity Severity      `json:"severity"`
	System   string        `json:"system"`
	Alert    string        `json:"alert"`              // identifies the alert from firing to resolved
	Incident string        `json:"incident,omitempty"` // ID
	Into     string        `json:"into,omitempty"`     // ID of the incident that contains this one
	Class    finding.Class `json:"class,omitempty"`
	Kind     finding.Kind  `json:"kind,omitempty"`
	Place    *Place        `json:"place,omitempty"`
	Time     time.Time     `json:"time"`           // time of the row that decided it
	Starts   time.Time     `json:"starts"`         // time at which the alert began to fire
	Ends     time.Time     `json:"ends,omitzero"`  // time at which it resolved
	Headline string        `json:"headline"`       // one sentence
	Number   string        `json:"number"`         // how much slower, than which peers, since when
	Action   string        `json:"action"`         // the next step for an operator
	Link     string        `json:"link,omitempty"` // page of the incident
	More     int           `json:"more,omitempty"` // number of alerts that a summary stands for
	Titles   []string      `json:"titles,omitempty"`
	// Labels identify the alert for receivers that group and silence by labels. Previous
	// holds the labels before a change.
	Labels   map[string]string `json:"labels"`
	Previous map[string]string `json:"previous_labels,omitempty"`
	// Document is the incident as reports contain it.
	Document json.RawMessage `json:"document,omitempty"`
}

// labels returns the labels of an alert. They stay the same while it fires, unless its kind
// or its place changes.
func (n *Notification) labels(server, group string) map[string]string {
	all := map[string]string{
		"alertname": "LimpetIncident", "system": n.System, "severity": string(n.Severity), "incident": n.Incident,
		"kind": string(n.Kind), "class": string(n.Class), "server": server, "group": group,
	}
	if n.Place != nil {
		all["component"], all["tier"] = n.Place.Name, string(n.Place.Tier)
	}
	if n.Severity == Warning && n.Incident == "" {
		all["alertname"] = "LimpetSuspect"
	}
	if n.More > 0 {
		all["alertname"] = "LimpetMore"
	}
	maps.DeleteFunc(all, func(_, v string) bool { return v == "" })
	return all
}

func unix(t int64) time.Time { return time.Unix(t, 0).UTC() }

package alert

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Version is the version of the JSON of a notification. Within a version, fields may be
// added, but no field is removed or changes its meaning.
const Version = 1

// State is the state of an alert.
type State string

// The states of an alert. A Pending alert has not fired yet. A Clearing alert will resolve unless
// its incident comes back. Receivers see only the states Firing and Resolved: they see a Clearing
// alert as Firing.
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
	Changed   Reason = "changed"            // the severity, kind or place of the incident changed
	Acted     Reason = "action"             // the text about limpet's action on the incident changed (Notification.LimpetAction)
	Recovered Reason = "recovered"          // the incident recovered
	Repaired  Reason = "resolved"           // an operator reported the repair
	Removed   Reason = "removed"            // the part to repair was removed from the topology
	Replaced  Reason = "replaced"           // the slow components were replaced by other components
	Merged    Reason = "merged"             // the incident has become a part of another incident
	Muted     Reason = "muted"              // an operator muted the incident
	Confirmed Reason = "became an incident" // the suspect became an incident
	Lost      Reason = "lost sight of"      // the diagnosis has lost its state, and has not found the incident again
	Many      Reason = "many"               // the notification is a summary of the alerts beyond Options.MostPerPeriod
)

// Severity is the urgency of an alert.
type Severity string

// The severities of alerts.
const (
	Critical Severity = "critical" // an incident
	Warning  Severity = "warning"  // a suspect, or an incident that may be harmless
	Info     Severity = "info"     // a harmless incident
)

// rank orders severities: the most urgent has the highest rank.
func (s Severity) rank() int { return map[Severity]int{Info: 1, Warning: 2, Critical: 3}[s] }

// Place is the part to repair.
type Place struct {
	Tier blame.Tier `json:"tier"`
	Name string     `json:"name"`
}

// Notification is one message to a receiver. Its JSON is the body of a request to a webhook.
type Notification struct {
	Version  int           `json:"version"`
	Key      string        `json:"key"` // identifies the notification; when it is sent again, the key stays the same
	State    State         `json:"state"`
	Reason   Reason        `json:"reason"`
	Severity Severity      `json:"severity"`
	System   string        `json:"system"`
	Alert    string        `json:"alert"`              // identifies the alert from firing to resolved
	Incident string        `json:"incident,omitempty"` // ID of the incident
	Into     string        `json:"into,omitempty"`     // ID of the larger incident that now contains this incident or suspect
	Class    finding.Class `json:"class,omitempty"`
	Kind     finding.Kind  `json:"kind,omitempty"`
	Place    *Place        `json:"place,omitempty"`
	Joined   []Place       `json:"joined,omitempty"` // other places with the same cause: their components became slow at the same time as the components of Place
	Time     time.Time     `json:"time"`             // time of the row that caused the notification
	Starts   time.Time     `json:"starts"`           // row time at which the alert was due to fire
	Ends     time.Time     `json:"ends,omitzero"`    // row time at which the alert resolved
	Headline string        `json:"headline"`         // the incident in one sentence
	Number   string        `json:"number"`           // text with the main measured value, such as "2.49 times slower than 11 peers", and the start time
	Action   string        `json:"action"`           // the next step for an operator
	Link     string        `json:"link,omitempty"`   // address of the page of the incident
	More     int           `json:"more,omitempty"`   // number of alerts in a summary; 0 if the notification is about one alert
	Titles   []string      `json:"titles,omitempty"`
	// LimpetAction is a text about an action on the incident, and about the state of this action:
	// for example, limpet proposes the action, or has taken it. The text is empty if there is no
	// action.
	LimpetAction string `json:"limpet_action,omitempty"`
	// Labels identify the alert for receivers that group and silence alerts by labels. If the
	// labels have changed, Previous holds the labels before the change.
	Labels   map[string]string `json:"labels"`
	Previous map[string]string `json:"previous_labels,omitempty"`
	// Document is the incident in the JSON form that reports use.
	Document json.RawMessage `json:"document,omitempty"`
}

// labels returns the labels of an alert. The labels of a firing alert change only if its severity,
// kind or place changes.
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

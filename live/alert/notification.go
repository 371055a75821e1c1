package alert

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Version is that of a notification. A reader of one version understands all
// notifications of it: fields are added, and none is removed or changes its meaning.
const Version = 1

// State is where an alert stands.
type State string

// The states of an alert. Receivers hear of firing and resolved; one that is
// clearing is still firing to them.
const (
	Pending  State = "pending"
	Firing   State = "firing"
	Clearing State = "clearing"
	Resolved State = "resolved"
)

// Reason is why something is told.
type Reason string

// The reasons of notifications.
const (
	Began     Reason = "began"
	Changed   Reason = "changed"            // its kind or its place
	Recovered Reason = "recovered"          //
	Repaired  Reason = "resolved"           // an operator said so
	Removed   Reason = "removed"            // the topology no longer names its place
	Replaced  Reason = "replaced"           // another thing stands at its place
	Merged    Reason = "merged"             // it is a part of another incident
	Muted     Reason = "muted"              // by an operator
	Confirmed Reason = "became an incident" // of a suspect
	Lost      Reason = "lost sight of"      // the diagnosis was begun anew and does not know it
	Many      Reason = "many"               // a summary of what there was no room for
)

// Severity is how urgent an alert is.
type Severity string

// The severities of alerts.
const (
	Critical Severity = "critical" // an incident
	Warning  Severity = "warning"  // a suspect, or an incident that may be something harmless
	Info     Severity = "info"     // harmless
)

// rank orders severities, the most urgent last.
func (s Severity) rank() int { return map[Severity]int{Info: 1, Warning: 2, Critical: 3}[s] }

// Place is what would have to be repaired.
type Place struct {
	Tier blame.Tier `json:"tier"`
	Name string     `json:"name"`
}

// Notification is what a receiver is told. Its JSON is that of the webhook.
type Notification struct {
	Version  int           `json:"version"`
	Key      string        `json:"key"` // the same for the same notification, however often it is sent
	State    State         `json:"state"`
	Reason   Reason        `json:"reason"`
	Severity Severity      `json:"severity"`
	System   string        `json:"system"`
	Alert    string        `json:"alert"`              // the same from firing to resolved
	Incident string        `json:"incident,omitempty"` // ID
	Into     string        `json:"into,omitempty"`     // ID of the incident that it is a part of
	Class    finding.Class `json:"class,omitempty"`
	Kind     finding.Kind  `json:"kind,omitempty"`
	Place    *Place        `json:"place,omitempty"`
	Time     time.Time     `json:"time"`           // of the row that decided it
	Starts   time.Time     `json:"starts"`         // when it began to fire
	Ends     time.Time     `json:"ends,omitzero"`  // when it was resolved
	Headline string        `json:"headline"`       // one sentence
	Number   string        `json:"number"`         // how much, against whom, since when
	Action   string        `json:"action"`         // what to do
	Link     string        `json:"link,omitempty"` // page of the incident
	More     int           `json:"more,omitempty"` // how many alerts a summary stands for
	Titles   []string      `json:"titles,omitempty"`
	// Labels name the alert for receivers that group and silence by labels. Previous
	// are those that it had until now, where they have changed.
	Labels   map[string]string `json:"labels"`
	Previous map[string]string `json:"previous_labels,omitempty"`
	// Document is the incident as reports have it.
	Document json.RawMessage `json:"document,omitempty"`
}

// labels name an alert: the same for as long as it fires, unless its kind or its
// place changes.
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

package alert

import (
	"encoding/json"
	"fmt"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// describe says what an incident is, as it is now.
func (a *Alerter) describe(n *Notification, in *incident.Incident, s Severity) error {
	doc, err := json.Marshal(document.OfIncident(a.voice, in))
	if err != nil {
		return err
	}
	n.Version, n.System, n.Severity = Version, a.voice.System.Name, s
	n.Incident, n.Class, n.Kind, n.Place = in.ID, in.Class, in.Kind, &Place{in.Place.Tier, in.Place.Name}
	n.Headline, n.Number, n.Action, n.Document = a.voice.Headline(in), a.voice.Number(in), a.voice.Action(in), doc
	if a.opts.Link != nil && in.ID != "" {
		n.Link = a.opts.Link(in.ID)
	}
	return nil
}

// whose are the server and the peer group of all that an incident shows on; empty
// where there are several.
func (a *Alerter) whose(in *incident.Incident) (server, group string) {
	for i := range in.Members {
		c := &a.voice.System.Components[in.Members[i].Component]
		name := a.groups[c.Group]
		if i == 0 {
			server, group = c.Server, name
		}
		if server != c.Server {
			server = ""
		}
		if group != name {
			group = ""
		}
	}
	return server, group
}

// fire begins to tell an alert, unless there is no room for it in this period, or
// its time is before anything is told.
func (a *Alerter) fire(tx *ledger.Tx, m *memory, now int64) error {
	m.State, m.due = Firing, 0
	if m.Note.Starts.IsZero() {
		m.Note.Starts = unix(now)
	}
	if now < a.opts.QuietBefore {
		m.due = a.opts.QuietBefore
		return save(tx, m)
	}
	room, err := a.admit(tx, m.Note.Severity, now)
	if err != nil {
		return err
	}
	if !room {
		m.Folded = next
	}
	m.Told = true
	return a.tell(tx, m, Firing, Began, now)
}

// resolve ends an alert, and tells it to whom it was told.
func (a *Alerter) resolve(tx *ledger.Tx, m *memory, why Reason, now int64) error {
	m.Note.Ends = unix(now)
	m.Note.Headline = sentence.Ended(string(why), m.Note.Headline)
	if m.Told {
		if err := a.tell(tx, m, Resolved, why, now); err != nil {
			return err
		}
	}
	if err := tx.DropAlert(m.id); err != nil {
		return err
	}
	switch m.Folded {
	case "":
		return nil
	case next:
		return a.passed(tx, m)
	}
	return a.oneLess(tx, m.Folded, now)
}

// tell puts a notification into the outbox of each receiver, and remembers that.
func (a *Alerter) tell(tx *ledger.Tx, m *memory, s State, why Reason, now int64) error {
	m.Sent++
	n := &m.Note
	n.State, n.Reason, n.Time = s, why, unix(now)
	n.Key = fmt.Sprintf("%s.%s.%d.%s", tx.Identity(), n.Alert, m.Sent, s)
	payload, err := json.Marshal(n)
	if err != nil {
		return err
	}
	for i := range a.opts.Receivers {
		if r := &a.opts.Receivers[i]; r.Hears(n.Severity) && r.takes(m) {
			if err := tx.Deliver(ledger.Delivery{Receiver: r.Name, Key: n.Key, Alert: n.Alert, Time: now, Payload: payload}); err != nil {
				return err
			}
		}
	}
	n.Previous = nil
	return save(tx, m)
}

// takes says whether a receiver is told an alert by itself, or a summary.
func (r *Receiver) takes(m *memory) bool {
	if r.Groups {
		return m.Note.More == 0
	}
	return m.Folded == ""
}

package alert

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// describe fills a notification with the present state of an incident.
func (a *Alerter) describe(n *Notification, in *incident.Incident, s Severity) error {
	doc, err := json.Marshal(document.OfIncident(a.sentences, in))
	if err != nil {
		return err
	}
	n.Version, n.System, n.Severity = Version, a.sentences.System.Name, s
	n.Incident, n.Class, n.Kind, n.Place = in.ID, in.Class, in.Kind, &Place{in.Place.Tier, in.Place.Name}
	n.Joined = nil
	for _, p := range in.Joined {
		n.Joined = append(n.Joined, Place(p))
	}
	n.Headline, n.Number, n.Action, n.Document = a.sentences.Headline(in), a.sentences.Number(in), a.sentences.Action(in), doc
	if a.opts.Link != nil && in.ID != "" {
		n.Link = a.opts.Link(in.ID)
	}
	return nil
}

// serverAndGroup returns the server and the peer group that all members of an incident share. The
// server is empty if the members have different servers, and the group is empty if they have
// different groups.
func (a *Alerter) serverAndGroup(in *incident.Incident) (server, group string) {
	for i := range in.Members {
		c := &a.sentences.System.Components[in.Members[i].Component]
		name := a.groups[c.Group]
		on, _ := c.RunsOn()
		if i == 0 {
			server, group = on, name
		}
		if server != on {
			server = ""
		}
		if group != name {
			group = ""
		}
	}
	return server, group
}

// fire makes an alert fire. The parameter `now` is the time of a row. The start of the alert is the
// time at which the alert was due. This time can be before `now`, because limpet calls Tick rarely
// while it reads old rows. If `now` is before QuietBefore, receivers are notified at QuietBefore.
// In one period, at most MostPerPeriod alerts of a severity get their own notification. Any further
// alert goes into the summary at the end of the period (period.go).
func (a *Alerter) fire(tx *ledger.Tx, m *alertState, now int64) error {
	if m.Note.Starts.IsZero() {
		m.Note.Starts = unix(m.due)
	}
	m.State, m.due = Firing, 0
	if now < a.opts.QuietBefore {
		m.due = a.opts.QuietBefore
		return saveState(tx, m)
	}
	room, err := a.admit(tx, m.Note.Severity, now)
	if err != nil {
		return err
	}
	if !room {
		m.Summary = nextSummary
	}
	m.Told = true
	return a.enqueue(tx, m, Firing, Began, now)
}

// resolve ends an alert and notifies the receivers that got the alert.
func (a *Alerter) resolve(tx *ledger.Tx, m *alertState, why Reason, now int64) error {
	m.Note.Ends = unix(now)
	m.Note.Headline = sentence.Ended(string(why), m.Note.Headline)
	if m.Told {
		if err := a.enqueue(tx, m, Resolved, why, now); err != nil {
			return err
		}
	}
	if err := tx.DropAlert(m.id); err != nil {
		return err
	}
	switch m.Summary {
	case "":
		return nil
	case nextSummary:
		return a.countEnded(tx, m)
	}
	return a.endSummaryIfEmpty(tx, m.Summary, now)
}

// enqueue puts a notification into the outbox, once for each receiver that gets this notification.
// It also saves the state of the alert.
func (a *Alerter) enqueue(tx *ledger.Tx, m *alertState, s State, why Reason, now int64) error {
	m.Sent++
	n := &m.Note
	n.State, n.Reason, n.Time = s, why, unix(now)
	n.Key = fmt.Sprintf("%s.%s.%d.%s", cmp.Or(a.opts.Identity, tx.Identity()), n.Alert, m.Sent, s)
	payload, err := json.Marshal(n)
	if err != nil {
		return err
	}
	for i := range a.opts.Receivers {
		if r := &a.opts.Receivers[i]; r.Accepts(n.Severity) && r.getsSeparately(m) {
			if err := tx.Deliver(ledger.Delivery{Receiver: r.Name, Key: n.Key, Alert: n.Alert, Time: now, Payload: payload}); err != nil {
				return err
			}
		}
	}
	n.Previous = nil
	return saveState(tx, m)
}

// getsSeparately reports whether a receiver gets a separate notification about this alert or
// summary. A receiver that groups alerts gets each alert and no summary. All other receivers get a
// summary instead of the alerts in the summary.
func (r *Receiver) getsSeparately(m *alertState) bool {
	if r.Groups {
		return m.Note.More == 0
	}
	return m.Summary == ""
}

package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Alerter decides when alerts fire and resolve. It holds no state in memory, because the state of
// alerts is in the ledger.
type Alerter struct {
	opts      Options
	sentences *sentence.Writer
	groups    map[int]string // names of peer groups by ID
}

// New returns an alerter. The alerter uses v to write sentences.
func New(o Options, v *sentence.Writer) (*Alerter, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a := &Alerter{opts: o, sentences: v, groups: map[int]string{}}
	for _, g := range v.System.Groups {
		a.groups[g.ID] = g.Name
	}
	return a, nil
}

// alertState is the state of one alert in the ledger.
type alertState struct {
	State State `json:"state"`
	// Sent is the number of notifications about the alert so far.
	Sent int `json:"sent"`
	// Told is true if receivers get to know the alert. This is true in two cases: a notification
	// about the alert is or was in the outbox, or a summary contains the alert or will contain it.
	Told bool `json:"told"`
	// If too many alerts fire in a short time, some of them get one common notification, the
	// summary (period.go). Summary is the ID of the summary that contains this alert. If Summary is
	// [nextSummary], this summary is not made yet. If Summary is empty, the alert is in no summary.
	Summary string       `json:"folded,omitempty"`
	Note    Notification `json:"note"`

	id  string // ID of the alert in the ledger
	due int64
}

// Prefixes of IDs in the ledger's table `alerts`. The table has alerts of incidents, alerts of
// suspects, summaries of several alerts, and periods (period.go).
const (
	incidentPrefix = "incident:"
	suspectPrefix  = "suspect:"
	summaryPrefix  = "summary:"
	periodPrefix   = "period:"
)

// Event processes an event of an incident, in the transaction that writes the event. The caller
// passes only events that were not in the ledger before.
func (a *Alerter) Event(tx *ledger.Tx, seq int64, e *incident.Event) error {
	m, err := loadState(tx, incidentPrefix+e.Incident.ID)
	if err != nil {
		return err
	}
	switch {
	case a.needsAlert(e.Incident):
		return a.beginOrUpdate(tx, m, seq, e)
	case m != nil:
		return a.endAlert(tx, m, e)
	}
	return nil
}

// needsAlert reports whether an incident needs an alert in its present phase. An incident in the
// phase Recovering needs no alert, because no operator has to act.
func (a *Alerter) needsAlert(in *incident.Incident) bool {
	lasts := in.Phase == incident.Active || in.Phase == incident.Pending
	return lasts && !in.Muted && (a.opts.Harmless || !in.Harmless())
}

// beginOrUpdate begins the alert of an incident, or updates an existing alert.
func (a *Alerter) beginOrUpdate(tx *ledger.Tx, m *alertState, seq int64, e *incident.Event) error {
	if m == nil && e.Incident.Phase != incident.Active {
		return nil // only an active incident begins an alert
	}
	isNew := m == nil
	if isNew {
		m = &alertState{id: incidentPrefix + e.Incident.ID, State: Pending, due: e.Time + a.opts.FireSeconds}
		m.Note.Alert = fmt.Sprintf("%s.%d", e.Incident.ID, seq)
		if err := a.suspectConfirmed(tx, e); err != nil {
			return err
		}
	}
	severity := severityOf(e.Incident)
	if severity.rank() < m.Note.Severity.rank() {
		severity = m.Note.Severity // keep the higher severity, so that every receiver of the alert is also notified of the end of the alert
	}
	rises := !isNew && m.Note.Severity != severity
	moved := rises || !isNew && (m.Note.Kind != e.Incident.Kind || *m.Note.Place != Place(e.Incident.Place))
	before := m.Note.Labels
	if err := a.describe(&m.Note, e.Incident, severity); err != nil {
		return err
	}
	if isNew || moved {
		m.Note.Labels = m.Note.labels(a.serverAndGroup(e.Incident))
	}
	if m.State == Clearing {
		a.resume(m)
	}
	if rises && m.Told {
		if err := a.leaveSummary(tx, m, e.Time); err != nil {
			return err
		}
	}
	switch {
	case m.State == Pending && m.due <= e.Time:
		return a.fire(tx, m, e.Time)
	case moved && m.State == Firing && m.Told:
		m.Note.Previous = before
		return a.enqueue(tx, m, Firing, Changed, e.Time)
	}
	return saveState(tx, m)
}

// resume makes an alert in the state Clearing fire again. If no receiver was notified of the alert
// yet, receivers are notified at the first row at or after Options.QuietBefore.
func (a *Alerter) resume(m *alertState) {
	if m.State, m.due = Firing, 0; !m.Told {
		m.due = a.opts.QuietBefore
	}
}

func severityOf(in *incident.Incident) Severity {
	switch {
	case in.Harmless():
		return Info
	case in.Phase == incident.Pending || in.MayBe != "":
		return Warning
	}
	return Critical
}

// reasons maps the way in which an incident ended to the reason of the notification.
var reasons = map[incident.Ending]Reason{
	incident.Recovered: Recovered, incident.Resolved: Repaired, incident.Removed: Removed, incident.Replaced: Replaced, incident.Merged: Merged, ledger.Lost: Lost,
}

// endAlert ends an alert. A pending alert is dropped without a notification. If the incident
// recovered, a firing alert ends after ResolveSeconds. If the incident ended in another way, or was
// muted, a firing alert ends immediately.
func (a *Alerter) endAlert(tx *ledger.Tx, m *alertState, e *incident.Event) error {
	in := e.Incident
	reason := cmp.Or(reasons[in.Ending], Recovered)
	if in.Phase != incident.Cleared {
		reason = Recovered
	}
	if in.Muted {
		reason = Muted
	}
	if m.State == Pending {
		return tx.DropAlert(m.id)
	}
	if err := a.describe(&m.Note, in, m.Note.Severity); err != nil {
		return err
	}
	if m.Note.Into = in.Into; reason != Recovered {
		return a.resolve(tx, m, reason, e.Time)
	}
	if m.State == Firing {
		m.State, m.due = Clearing, e.Time+a.opts.ResolveSeconds
	}
	if m.due <= e.Time {
		return a.resolve(tx, m, reason, e.Time)
	}
	return saveState(tx, m)
}

// WriteOpenIncident writes the present figures of an open incident, such as its severity, into the
// ledger. If the ledger does not have the incident yet, because the ledger is new,
// WriteOpenIncident begins the alert of the incident.
func (a *Alerter) WriteOpenIncident(tx *ledger.Tx, rowTime int64, in *incident.Incident) error {
	number, err := a.WriteFigures(tx, rowTime, in)
	if err != nil || number == 0 {
		return err
	}
	return a.BeginAdopted(tx, rowTime, number, in)
}

// WriteFigures writes the present figures of an open incident into the ledger, without an alert. If
// the ledger does not have the incident yet, WriteFigures returns the number that the incident
// gets. Otherwise it returns 0.
func (a *Alerter) WriteFigures(tx *ledger.Tx, rowTime int64, in *incident.Incident) (number int64, err error) {
	number, err = tx.Adopt(rowTime, in, a.sentences)
	if err != nil || number != 0 {
		return number, err
	}
	return 0, tx.Incident(rowTime, in, a.sentences)
}

// BeginAdopted begins the alert of an incident that the ledger did not have before the call of
// WriteFigures. It changes nothing if the incident already has an alert.
func (a *Alerter) BeginAdopted(tx *ledger.Tx, rowTime, number int64, in *incident.Incident) error {
	if !a.needsAlert(in) {
		return nil
	}
	m, err := loadState(tx, incidentPrefix+in.ID)
	if err != nil || m != nil {
		return err
	}
	return a.beginOrUpdate(tx, nil, number, &incident.Event{Time: rowTime, Change: incident.Opened, Incident: in})
}

// Reconcile ends the incidents and alerts that are in the ledger but not in the diagnosis. The
// caller uses it after the diagnosis was restarted without its saved state. The parameter `known`
// has the IDs of all open incidents of the diagnosis.
func (a *Alerter) Reconcile(tx *ledger.Tx, rowTime int64, known []string) error {
	ended, err := tx.EndUnknown(rowTime, known)
	if err != nil {
		return err
	}
	for _, id := range ended {
		m, err := loadState(tx, incidentPrefix+id)
		switch {
		case err != nil:
			return err
		case m == nil:
		case m.State == Pending:
			err = tx.DropAlert(m.id)
		default:
			err = a.resolve(tx, m, Lost, rowTime)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadState reads the state of an alert. It returns nil if the ledger does not have the alert.
func loadState(tx *ledger.Tx, id string) (*alertState, error) {
	row, err := tx.Alert(id)
	if err != nil || row == nil {
		return nil, err
	}
	return parseState(row)
}

func parseState(row *ledger.Alert) (*alertState, error) {
	m := &alertState{id: row.ID, due: row.Due}
	if err := json.Unmarshal(row.State, m); err != nil {
		return nil, fmt.Errorf("the saved alert %s cannot be read: %w", row.ID, err)
	}
	return m, nil
}

func saveState(tx *ledger.Tx, m *alertState) error {
	state, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.PutAlert(ledger.Alert{ID: m.id, Due: m.due, State: state})
}

// parseStates parses entries of the table `alerts`. It skips the entries of periods.
func parseStates(rows []ledger.Alert, err error) (list []*alertState, _ error) {
	for i := range rows {
		if strings.HasPrefix(rows[i].ID, periodPrefix) {
			continue
		}
		m, err := parseState(&rows[i])
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, err
}

// ListHeldBack returns the IDs of incidents, in order. The alert of each of these incidents has
// begun, but because of Options.QuietBefore no receiver was notified of it. The parameter `isQuiet`
// is true if the last row is before QuietBefore. If isQuiet is false, incidents with a pending
// alert are left out, because such an alert waits for FireSeconds, and not for QuietBefore.
func ListHeldBack(ctx context.Context, l *ledger.Ledger, isQuiet bool) ([]string, error) {
	var ids []string
	all, err := parseStates(l.Alerts(ctx))
	for _, m := range all {
		if id := m.Note.Incident; id != "" && !m.Told && (isQuiet || m.State != Pending) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// ListFiring returns the latest notification of each firing alert that receivers know of, ordered
// by ID. Summaries are left out. The outbox sends this list as a reminder.
func ListFiring(ctx context.Context, l *ledger.Ledger) ([]Notification, error) {
	var list []Notification
	all, err := parseStates(l.Alerts(ctx))
	for _, m := range all {
		if m.Told && m.Note.More == 0 {
			m.Note.State = Firing
			list = append(list, m.Note)
		}
	}
	return list, err
}

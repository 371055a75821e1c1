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

// Alerter decides what is told. It remembers nothing itself: all is in the ledger.
type Alerter struct {
	opts   Options
	voice  *sentence.Writer
	groups map[int]string // names of peer groups by ID
}

// New returns an alerter that speaks with a voice.
func New(o Options, v *sentence.Writer) (*Alerter, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a := &Alerter{opts: o, voice: v, groups: map[int]string{}}
	for _, g := range v.System.Groups {
		a.groups[g.ID] = g.Name
	}
	return a, nil
}

// memory is what is remembered of an alert.
type memory struct {
	State State `json:"state"`
	// Sent counts its notifications, and Told says that receivers know of it.
	Sent int  `json:"sent"`
	Told bool `json:"told"`
	// Folded is the summary that stands for it, where there was no room; "next" is
	// the one that is still to be told.
	Folded string       `json:"folded,omitempty"`
	Note   Notification `json:"note"`

	id  string // that of the row
	due int64
}

// ids of rows: an alert of an incident, of a suspect, a summary, and a period.
const (
	ofIncident = "incident:"
	ofSuspect  = "suspect:"
	ofSummary  = "summary:"
	ofPeriod   = "period:"
)

// Event hears a change of an incident, in the transaction that writes it. The
// caller hands on only events that the ledger did not have.
func (a *Alerter) Event(tx *ledger.Tx, seq int64, e *incident.Event) error {
	m, err := load(tx, ofIncident+e.Incident.ID)
	if err != nil {
		return err
	}
	switch {
	case a.wants(e.Incident):
		return a.raise(tx, m, seq, e)
	case m != nil:
		return a.lower(tx, m, e)
	}
	return nil
}

// wants says whether an incident is to be told while it is as it is. One that recovers
// has not shown for a while: nobody has to get up for it any more.
func (a *Alerter) wants(in *incident.Incident) bool {
	lasts := in.Phase == incident.Active || in.Phase == incident.Pending
	return lasts && !in.Muted && (a.opts.Harmless || !in.Harmless())
}

// raise begins an alert, or goes on with it.
func (a *Alerter) raise(tx *ledger.Tx, m *memory, seq int64, e *incident.Event) error {
	if m == nil && e.Incident.Phase != incident.Active {
		return nil // it goes away already
	}
	isNew := m == nil
	if isNew {
		m = &memory{id: ofIncident + e.Incident.ID, State: Pending, due: e.Time + a.opts.FireSeconds}
		m.Note.Alert = fmt.Sprintf("%s.%d", e.Incident.ID, seq)
		if err := a.confirms(tx, e); err != nil {
			return err
		}
	}
	severity := severityOf(e.Incident)
	if severity.rank() < m.Note.Severity.rank() {
		severity = m.Note.Severity // whoever was told hears of the end, too
	}
	rises := !isNew && m.Note.Severity != severity
	moved := rises || !isNew && (m.Note.Kind != e.Incident.Kind || *m.Note.Place != Place(e.Incident.Place))
	before := m.Note.Labels
	if err := a.describe(&m.Note, e.Incident, severity); err != nil {
		return err
	}
	if isNew || moved {
		m.Note.Labels = m.Note.labels(a.whose(e.Incident))
	}
	if m.State == Clearing {
		a.back(m)
	}
	if rises && m.Told {
		if err := a.unfold(tx, m, e.Time); err != nil {
			return err
		}
	}
	switch {
	case m.State == Pending && m.due <= e.Time:
		return a.fire(tx, m, e.Time)
	case moved && m.State == Firing && m.Told:
		m.Note.Previous = before
		return a.tell(tx, m, Firing, Changed, e.Time)
	}
	return save(tx, m)
}

// back goes on with an alert that was about to end. One that was not told yet waits
// for that still.
func (a *Alerter) back(m *memory) {
	if m.State, m.due = Firing, 0; !m.Told {
		m.due = a.opts.QuietBefore
	}
}

// severityOf says how urgent an incident is.
func severityOf(in *incident.Incident) Severity {
	switch {
	case in.Harmless():
		return Info
	case in.Phase == incident.Pending || in.MayBe != "":
		return Warning
	}
	return Critical
}

// reasons are those of endings.
var reasons = map[incident.Ending]Reason{
	incident.Recovered: Recovered, incident.Resolved: Repaired, incident.Removed: Removed, incident.Replaced: Replaced, incident.Merged: Merged, ledger.Lost: Lost,
}

// lower ends an alert: at once where somebody said so, after a while where it ended
// by itself.
func (a *Alerter) lower(tx *ledger.Tx, m *memory, e *incident.Event) error {
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
	return save(tx, m)
}

// Stand writes an open incident as it stands at the time of a row. One of which a
// ledger that was begun anew knows nothing is told as if it began now.
func (a *Alerter) Stand(tx *ledger.Tx, rowTime int64, in *incident.Incident) error {
	number, err := tx.Adopt(rowTime, in, a.voice)
	switch {
	case err != nil:
		return err
	case number == 0:
		return tx.Incident(rowTime, in, a.voice)
	case !a.wants(in):
		return nil
	}
	return a.raise(tx, nil, number, &incident.Event{Time: rowTime, Change: incident.Opened, Incident: in})
}

// Reconcile ends what the ledger and its alerts have and the diagnosis does not
// know: call it with the IDs of its open incidents when it was begun anew.
func (a *Alerter) Reconcile(tx *ledger.Tx, rowTime int64, known []string) error {
	ended, err := tx.EndUnknown(rowTime, known)
	if err != nil {
		return err
	}
	for _, id := range ended {
		m, err := load(tx, ofIncident+id)
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

// load reads what is remembered of an alert; nil where there is none.
func load(tx *ledger.Tx, id string) (*memory, error) {
	row, err := tx.Alert(id)
	if err != nil || row == nil {
		return nil, err
	}
	return remember(row)
}

func remember(row *ledger.Alert) (*memory, error) {
	m := &memory{id: row.ID, due: row.Due}
	if err := json.Unmarshal(row.State, m); err != nil {
		return nil, fmt.Errorf("alert %s: %w", row.ID, err)
	}
	return m, nil
}

func save(tx *ledger.Tx, m *memory) error {
	state, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.PutAlert(ledger.Alert{ID: m.id, Due: m.due, State: state})
}

// memories reads all alerts.
func memories(rows []ledger.Alert, err error) (list []*memory, _ error) {
	for i := range rows {
		if strings.HasPrefix(rows[i].ID, ofPeriod) {
			continue
		}
		m, err := remember(&rows[i])
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, err
}

// Standing are the alerts that receivers who group alerts know to fire, as they were
// last described, ordered by their IDs.
func Standing(ctx context.Context, l *ledger.Ledger) ([]Notification, error) {
	var list []Notification
	all, err := memories(l.Alerts(ctx))
	for _, m := range all {
		if m.Told && m.Note.More == 0 {
			m.Note.State = Firing
			list = append(list, m.Note)
		}
	}
	return list, err
}

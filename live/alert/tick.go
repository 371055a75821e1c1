package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
)

// Tick is called after each row, when the events of the row were processed. If an alert has waited
// long enough at the time of the row, Tick makes it fire or resolve. Tick also begins, updates and
// ends the alerts of suspects, so that these alerts agree with the given list of suspects. If a row
// is processed again after a crash, Tick changes nothing.
func (a *Alerter) Tick(tx *ledger.Tx, rowTime int64, suspects []engine.Suspect) error {
	last, err := tx.RowTime()
	if err != nil || rowTime < last {
		return err
	}
	if err := a.TickIncidents(tx, rowTime); err != nil {
		return err
	}
	return a.followSuspects(tx, rowTime, suspects)
}

// TickIncidents does the work of Tick without the suspects. A node of a cluster uses it while the
// list of suspects is incomplete.
func (a *Alerter) TickIncidents(tx *ledger.Tx, rowTime int64) error {
	last, err := tx.RowTime()
	if err != nil || rowTime < last {
		return err
	}
	due, err := tx.DueAlerts(rowTime)
	if err != nil {
		return err
	}
	for i := range due {
		if strings.HasPrefix(due[i].ID, suspectPrefix) {
			continue // skip the alert of a suspect: followSuspects updates it
		}
		if err := a.executeDue(tx, &due[i], rowTime); err != nil {
			return err
		}
	}
	return a.followActions(tx, rowTime)
}

// followActions writes the Statement about an action on an incident into the alert of the incident.
// If receivers know the alert, they are notified of each change of the Statement. If there is no
// Statement about an incident at present, its alert keeps the last text. A proposal may disappear
// for a moment and come back with the same text. Receivers are then not notified again.
func (a *Alerter) followActions(tx *ledger.Tx, now int64) error {
	if a.opts.Statements == nil {
		return nil
	}
	list, known := a.opts.Statements()
	if !known {
		return nil
	}
	for _, s := range list {
		id := incidentPrefix + s.Incident.ID
		if s.Incident.ID == "" {
			id = suspectID(s.Incident.Class, s.Incident.Place)
		}
		m, err := loadState(tx, id)
		if err != nil {
			return err
		}
		if m == nil || m.Note.LimpetAction == s.Text {
			continue
		}
		m.Note.LimpetAction = s.Text
		if m.State != Firing || !m.Told {
			err = saveState(tx, m)
		} else if err = tx.NoteRow(now); err == nil {
			err = a.enqueue(tx, m, Firing, Acted, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// executeDue executes the change that is due for an entry of the table `alerts`. If the entry is an
// alert, the alert fires or resolves. If the entry is a period, the period ends, and its summary is
// made.
func (a *Alerter) executeDue(tx *ledger.Tx, row *ledger.Alert, now int64) error {
	if err := tx.NoteRow(now); err != nil {
		return err
	}
	if severity, ok := strings.CutPrefix(row.ID, periodPrefix); ok {
		return a.summarise(tx, Severity(severity), now)
	}
	m, err := parseState(row)
	if err != nil {
		return err
	}
	if m.State == Clearing {
		return a.resolve(tx, m, Recovered, now)
	}
	return a.fire(tx, m, now)
}

// followSuspects updates the alerts of suspects. It ends an alert if its suspect is not in the
// list. Such a suspect has recovered, has become an incident, or is muted.
func (a *Alerter) followSuspects(tx *ledger.Tx, now int64, list []engine.Suspect) error {
	listed := map[string]bool{}
	for i := range list {
		in := &list[i].Incident
		if !a.opts.Suspects || in.Muted {
			continue
		}
		listed[suspectID(in.Class, in.Place)] = true
		if err := a.followSuspect(tx, now, in); err != nil {
			return err
		}
	}
	ids, err := tx.AlertIDs(suspectPrefix)
	if err != nil {
		return err
	}
	for _, id := range slices.DeleteFunc(ids, func(id string) bool { return listed[id] }) {
		if err := a.suspectGone(tx, now, id); err != nil {
			return err
		}
	}
	return nil
}

// followSuspect begins the alert of a suspect, or updates an existing alert.
func (a *Alerter) followSuspect(tx *ledger.Tx, now int64, in *incident.Incident) error {
	id := suspectID(in.Class, in.Place)
	m, err := loadState(tx, id)
	if err != nil {
		return err
	}
	switch {
	case m == nil:
		m = &alertState{id: id, State: Pending, due: now + a.opts.FireSeconds}
		sum := sha256.Sum256([]byte(id))
		m.Note.Alert = fmt.Sprintf("suspect-%s.%d", hex.EncodeToString(sum[:4]), now)
	case m.State == Clearing:
		a.resume(m)
	case m.State == Pending && m.due <= now, m.State == Firing && m.due > 0 && m.due <= now:
	default:
		return nil
	}
	if err := tx.NoteRow(now); err != nil {
		return err
	}
	if m.due > now || m.due == 0 {
		return saveState(tx, m)
	}
	if err := a.describe(&m.Note, in, Warning); err != nil {
		return err
	}
	m.Note.Labels = m.Note.labels(a.serverAndGroup(in))
	return a.fire(tx, m, now)
}

// suspectGone ends the alert of a suspect that is not in the list of suspects any more. A pending
// alert ends immediately. A firing alert ends after ResolveSeconds.
func (a *Alerter) suspectGone(tx *ledger.Tx, now int64, id string) error {
	m, err := loadState(tx, id)
	if err != nil || m.State == Clearing && m.due > now {
		return err
	}
	if err := tx.NoteRow(now); err != nil {
		return err
	}
	switch m.State {
	case Pending:
		return tx.DropAlert(id)
	case Firing:
		m.State, m.due = Clearing, now+a.opts.ResolveSeconds
		return saveState(tx, m)
	}
	return a.resolve(tx, m, Recovered, now)
}

// suspectConfirmed ends the alert of a suspect that has become an incident.
func (a *Alerter) suspectConfirmed(tx *ledger.Tx, e *incident.Event) error {
	id := suspectID(e.Incident.Class, e.Incident.Place)
	m, err := loadState(tx, id)
	switch {
	case err != nil || m == nil:
		return err
	case m.State == Pending:
		return tx.DropAlert(id)
	}
	m.Note.Into = e.Incident.ID
	return a.resolve(tx, m, Confirmed, e.Time)
}

// suspectID returns the ID of a suspect's alert. The ID consists of the suspect's class and place,
// because a suspect has no ID.
func suspectID(c finding.Class, p blame.Place) string {
	return fmt.Sprintf("%s%s/%s/%s", suspectPrefix, c, p.Tier, p.Name)
}

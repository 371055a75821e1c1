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

// Tick hears the time of a row, after its events, and what is suspect then: alerts
// that have waited for long enough are told. A row that is pushed again after a
// crash changes nothing.
func (a *Alerter) Tick(tx *ledger.Tx, rowTime int64, suspects []engine.Suspect) error {
	last, err := tx.RowTime()
	if err != nil || rowTime < last {
		return err
	}
	due, err := tx.DueAlerts(rowTime)
	if err != nil {
		return err
	}
	for i := range due {
		if strings.HasPrefix(due[i].ID, ofSuspect) {
			continue // what it is now is known from the list
		}
		if err := a.due(tx, &due[i], rowTime); err != nil {
			return err
		}
	}
	return a.suspects(tx, rowTime, suspects)
}

// due carries out what an alert has waited for.
func (a *Alerter) due(tx *ledger.Tx, row *ledger.Alert, now int64) error {
	if err := tx.NoteRow(now); err != nil {
		return err
	}
	if severity, ok := strings.CutPrefix(row.ID, ofPeriod); ok {
		return a.summarise(tx, Severity(severity), now)
	}
	m, err := remember(row)
	if err != nil {
		return err
	}
	if m.State == Clearing {
		return a.resolve(tx, m, Recovered, now)
	}
	return a.fire(tx, m, now)
}

// suspects follows what is suspect. Those that are no longer listed have gone, or
// have become an incident.
func (a *Alerter) suspects(tx *ledger.Tx, now int64, list []engine.Suspect) error {
	listed := map[string]bool{}
	for i := range list {
		in := &list[i].Incident
		if !a.opts.Suspects || in.Muted {
			continue
		}
		listed[suspectID(in.Class, in.Place)] = true
		if err := a.suspect(tx, now, in); err != nil {
			return err
		}
	}
	ids, err := tx.AlertIDs(ofSuspect)
	if err != nil {
		return err
	}
	for _, id := range slices.DeleteFunc(ids, func(id string) bool { return listed[id] }) {
		if err := a.passes(tx, now, id); err != nil {
			return err
		}
	}
	return nil
}

// suspect begins to tell a suspect, or goes on with it.
func (a *Alerter) suspect(tx *ledger.Tx, now int64, in *incident.Incident) error {
	id := suspectID(in.Class, in.Place)
	m, err := load(tx, id)
	if err != nil {
		return err
	}
	switch {
	case m == nil:
		m = &memory{id: id, State: Pending, due: now + a.opts.FireSeconds}
		sum := sha256.Sum256([]byte(id))
		m.Note.Alert = fmt.Sprintf("suspect-%s.%d", hex.EncodeToString(sum[:4]), now)
	case m.State == Clearing:
		a.back(m)
	case m.State == Pending && m.due <= now, m.State == Firing && m.due > 0 && m.due <= now:
	default:
		return nil
	}
	if err := tx.NoteRow(now); err != nil {
		return err
	}
	if m.due > now || m.due == 0 {
		return save(tx, m)
	}
	if err := a.describe(&m.Note, in, Warning); err != nil {
		return err
	}
	m.Note.Labels = m.Note.labels(a.whose(in))
	return a.fire(tx, m, now)
}

// passes lets an alert of a suspect that is no longer listed go.
func (a *Alerter) passes(tx *ledger.Tx, now int64, id string) error {
	m, err := load(tx, id)
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
		return save(tx, m)
	}
	return a.resolve(tx, m, Recovered, now)
}

// confirms ends the alert of a suspect that has become an incident.
func (a *Alerter) confirms(tx *ledger.Tx, e *incident.Event) error {
	id := suspectID(e.Incident.Class, e.Incident.Place)
	m, err := load(tx, id)
	switch {
	case err != nil || m == nil:
		return err
	case m.State == Pending:
		return tx.DropAlert(id)
	}
	m.Note.Into = e.Incident.ID
	return a.resolve(tx, m, Confirmed, e.Time)
}

// suspectID names a suspect by what and where it is, since it has no ID.
func suspectID(c finding.Class, p blame.Place) string {
	return fmt.Sprintf("%s%s/%s/%s", ofSuspect, c, p.Tier, p.Name)
}

package announce

import (
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Announcer writes the events of one system into the ledger. Each version of the topology has its
// own Announcer. So an event that was found before a change of the topology is written with the old
// names.
type Announcer struct {
	Subject   report.Subject
	Sentences *sentence.Writer
	Memory    *report.Ongoing
	store     *Store
	alerter   *alert.Alerter
}

// NewAnnouncer returns an announcer for the system of s. The function `open` must return the open
// incidents and suspects, because the advice to an operator depends on them.
func (t *Store) NewAnnouncer(s report.Subject, o alert.Options, open func() *sentence.Open) (*Announcer, error) {
	v := s.Sentences()
	v.Open = open
	one := &Announcer{Subject: s, Sentences: v, Memory: report.NewOngoing(s), store: t}
	return one, one.SetAlerts(o)
}

// SetAlerts changes the options of alerts.
func (s *Announcer) SetAlerts(o alert.Options) error {
	alerter, err := alert.New(o, s.Sentences)
	if err == nil {
		s.alerter = alerter
	}
	return err
}

// Window stores the scores and verdicts of one window: in memory for reports, and in the history.
func (s *Announcer) Window(w *persistence.Window) {
	s.Memory.Window(w)
	s.store.CheckHistory(s.store.History.Window(w))
}

// Event updates the data in memory after a change of an incident. It returns a function that writes
// the event and the alerts of the event into the ledger.
func (s *Announcer) Event(seq int64, e *incident.Event) func(*ledger.Tx) error {
	s.UpdateMemory(e)
	return func(tx *ledger.Tx) error {
		isNew, err := tx.Event(seq, e, s.Sentences)
		if err != nil || !isNew {
			return err
		}
		return s.alerter.Event(tx, seq, e)
	}
}

// EventWithoutAlerts does the same as Event, but writes no alerts. A node of a cluster uses it,
// because one node decides about the alerts of the whole cluster.
func (s *Announcer) EventWithoutAlerts(seq int64, e *incident.Event) func(*ledger.Tx) error {
	s.UpdateMemory(e)
	return func(tx *ledger.Tx) error {
		_, err := tx.Event(seq, e, s.Sentences)
		return err
	}
}

// Alerter returns the alerter with the present options of alerts.
func (s *Announcer) Alerter() *alert.Alerter { return s.alerter }

// UpdateMemory updates the data in memory after an event: Memory, and the fields Opened and Causes
// of the Store. It writes nothing to disk.
func (s *Announcer) UpdateMemory(e *incident.Event) {
	s.Memory.Event(e)
	s.store.note(e)
}

// WriteOpenIncidents writes the present figures of all open incidents, such as their severities,
// into the ledger. The parameter `row` is the time at which the last row ends.
func (s *Announcer) WriteOpenIncidents(tx *ledger.Tx, row int64, now *engine.Summary) error {
	for i := range now.Incidents {
		if in := &now.Incidents[i]; in.Phase != incident.Cleared {
			if err := s.alerter.WriteOpenIncident(tx, row, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tick writes the present list of suspects into the ledger. If an alert has waited long enough,
// Tick makes it fire or resolve. The parameter `row` is the time at which the last row ends. With
// each change of the list or of an alert, the ledger stores this time. If rows are replayed, rows
// before the stored time change nothing. If endUnknown is true, Tick also ends the incidents that
// are in the ledger but not in the diagnosis.
func (s *Announcer) Tick(tx *ledger.Tx, row int64, now *engine.Summary, endUnknown bool) error {
	if err := tx.Suspects(row, now.Suspects, s.Sentences); err != nil {
		return err
	}
	if endUnknown {
		if err := s.alerter.Reconcile(tx, row, openIDs(now.Incidents)); err != nil {
			return err
		}
	}
	return s.alerter.Tick(tx, row, now.Suspects)
}

// openIDs returns the IDs of incidents that are not over.
func openIDs(all []incident.Incident) (ids []string) {
	for i := range all {
		if all[i].Phase != incident.Cleared {
			ids = append(ids, all[i].ID)
		}
	}
	return ids
}

// OpenOf returns all open incidents and suspects. The list is used to write sentences that advise
// an operator.
func OpenOf(system *topology.System, now *engine.Summary) *sentence.Open {
	all := slices.Clone(now.Incidents)
	for i := range now.Suspects {
		all = append(all, now.Suspects[i].Incident)
	}
	return sentence.NewOpen(system, all)
}

package watch

import (
	"errors"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// diagnosis is the engine together with all objects that depend on the system. After a change of
// the system, the watch makes a new diagnosis. The new diagnosis begins with the state of the
// previous diagnosis.
type diagnosis struct {
	engine.Session
	*announce.Announcer
	requests *heatmap.Kept
	hosts    *servicecause.Hosts   // measurements of the hosts of services
	opened   func() *sentence.Open // returns the result of findOpen, and calls findOpen only once during a transaction of the ledger; nil between transactions
	watch    *Watch
}

// newDiagnosis returns a diagnosis of a system. If there is a saved state, newDiagnosis restores
// it.
func (w *Watch) newDiagnosis(system *topology.System, schema table.Schema, saved engine.Saved) (*diagnosis, error) {
	o := w.o.Diagnose
	o.FitTo(schema)
	d := &diagnosis{requests: heatmap.New(schema), watch: w, hosts: servicecause.NewLive(system, schema, o.Criteria.ClearTimes)}
	var err error
	d.Announcer, err = w.store.NewAnnouncer(report.Subject{System: system, Schema: schema, Options: o, Version: w.o.Version, Hosts: d.hosts}, w.alerts(), d.open)
	if err != nil {
		return nil, err
	}
	return d, d.Start(o, system, schema, saved, d, d.Memory, d.requests, d.hosts)
}

// explain passes the present incidents to d.hosts. A sentence about a slow service can then contain
// the measurements of the service's host from the same time.
func (d *diagnosis) explain() {
	if !d.hosts.Enabled() {
		return
	}
	all := d.Engine.Open(incident.Combined).Incidents
	for i := range all {
		all[i] = all[i].Clone()
	}
	d.hosts.Finish(all)
}

// open returns all open incidents and suspects. The advice to an operator depends on these incidents
// and suspects.
func (d *diagnosis) open() *sentence.Open {
	if d.opened != nil {
		return d.opened()
	}
	return d.findOpen()
}

func (d *diagnosis) findOpen() *sentence.Open {
	now := d.Engine.Open(incident.Combined)
	return announce.OpenOf(d.Subject.System, &now)
}

// save returns the state of the engine and of d.Memory, d.requests and d.hosts.
func (d *diagnosis) save() (engine.Saved, error) { return d.Save(d.Memory, d.requests, d.hosts) }

// Window stores the scores and verdicts of a window, for reports, maps and the history.
func (d *diagnosis) Window(w *persistence.Window) {
	d.Session.Window(w)
	d.Announcer.Window(w)
}

// Event gives the next event number to a change of an incident, and adds the change to the pending
// writes. If the ledger already has the event, Event only updates the data in memory.
func (d *diagnosis) Event(e *incident.Event) {
	w := d.watch
	if w.known.has(e) {
		d.UpdateMemory(engine.CloneEvent(e))
		return
	}
	w.events++
	w.pending = append(w.pending, d.Announcer.Event(w.events, engine.CloneEvent(e)))
}

// summary returns the present result of the engine, with the given warnings.
func (d *diagnosis) summary(warnings []topology.Warning) report.Summary {
	s := report.Summary{Summary: d.Engine.Summary(incident.Combined)}
	s.AddWarnings(warnings)
	return s
}

var errNothingYet = errors.New("limpet has found no files with data yet")

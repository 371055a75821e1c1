package watch

import (
	"bytes"
	"fmt"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// change makes the watch continue with another system. Components are matched by name. The engine
// has no state about a new component, and incidents at removed components end. Then change makes a
// snapshot immediately, because a log must not have rows of two systems.
func (w *Watch) change(system *topology.System, src ingest.Source) error {
	schema := src.Schema()
	if w.d != nil && isSame(w.d, system, schema) {
		w.syncRows()
		return nil
	}
	saved, err := w.leave()
	if err != nil {
		return err
	}
	d, err := w.newDiagnosis(system, schema, saved)
	if err != nil && saved.Engine != nil {
		w.o.Warn(fmt.Sprintf("the saved state cannot be used: %v; the diagnosis starts again from the beginning", err))
		d, err = w.newDiagnosis(system, schema, engine.Saved{Mutes: saved.Mutes})
		w.anew = true
	}
	if err != nil {
		return err
	}
	w.d = d
	if err := w.store.History.Begin(system, schema); err != nil {
		w.store.CheckHistory(err)
	}
	w.snapshot() // the snapshot also writes the incidents that the change ended
	return nil
}

// leave writes the events that are not in the ledger yet, and returns the state of the present
// diagnosis. The state is empty if there is no diagnosis yet.
func (w *Watch) leave() (engine.Saved, error) {
	if w.d == nil {
		return engine.Saved{}, nil
	}
	w.settle(due{})
	return w.d.save()
}

// isSame reports whether a diagnosis has the given system and schema.
func isSame(d *diagnosis, system *topology.System, schema table.Schema) bool {
	now, err := system.Keep()
	if err != nil {
		return false
	}
	was, err := d.Subject.System.Keep()
	return err == nil && bytes.Equal(now, was) && sameForm(d.Subject.Schema, schema)
}

func sameForm(a, b table.Schema) bool {
	if len(a.Metrics) != len(b.Metrics) || a.StepSeconds != b.StepSeconds || a.Servers != b.Servers || a.Load != b.Load || a.Sparse != b.Sparse || a.Latencies != b.Latencies {
		return false
	}
	for i := range a.Metrics {
		if a.Metrics[i].Name != b.Metrics[i].Name {
			return false
		}
	}
	return true
}

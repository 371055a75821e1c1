package engine_test

import (
	"errors"
	"flag"
	"io"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/internal/state/formtest"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report"
)

var update = flag.Bool("update", false, "write the golden of what is saved")

// TestForm fails if a stage or the writer of a report saves another form than before
// under the same formVersion: states of both forms would be confused. It also fails if a default
// setting differs: a node of the older version would not know that a newer version saved the state.
func TestForm(t *testing.T) {
	form := formtest.Form{Golden: "testdata/form.txt", Version: engine.FormVersion, Raise: "formVersion in engine/save.go"}
	for _, method := range engine.Methods() {
		form.Lines = append(form.Lines, state.Field{Form: "method " + method, By: method})
		form.Lines = append(form.Lines, engineLines(t, method)...)
		o, err := engine.Preset(method)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range o.Settings() {
			form.Lines = append(form.Lines, state.Field{Form: "setting " + line, By: method})
		}
	}
	form.Check(t, *update)
}

// engineLines returns the saved form of an engine of a method, with the reports for the
// default method. Lengths that depend on settings are fixed here, as a state with other
// settings is refused whatever its version.
func engineLines(t *testing.T, method string) []state.Field {
	t.Helper()
	o, err := engine.Preset(method)
	if err != nil {
		t.Fatal(err)
	}
	o.Detect.WinSize, o.Detect.WinShift, o.Detect.Smooth = 8, 4, 3
	o.Symptom.WinSeconds, o.Symptom.ShiftSeconds, o.Symptom.KWindows = 64, 32, 3
	r := record(t, experiment(pvfs, testbench.DDR, testbench.None), 0)
	r.schema.Metrics = []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await, metric.RxByt, metric.TxByt, metric.CwndOut, metric.CwndIn}
	r.schema.Latencies = true
	trainer, err := persistence.NewTrainer(o.Detect, r.system, r.schema, o.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(o, r.system, r.schema, trainer.Model(), engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	if method != engine.DefaultOptions().Method {
		return e.Outline().Lines()
	}
	return e.Outline(reportsOn(t, (&tape{recording: r, opts: o}).subject())...).Lines()
}

// reportsOn returns all writers of reports that have a state.
func reportsOn(t *testing.T, s report.Subject) []engine.Stateful {
	t.Helper()
	all := []engine.Stateful{report.NewOngoing(s), report.NewEvidence(s)}
	for _, format := range report.Formats() {
		w, err := report.New(format, io.Discard, s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	return all
}

// TestStateOfTheVersionBefore: an engine continues from a state of the version before. A newer state
// is refused as newer.
func TestStateOfTheVersionBefore(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDR, testbench.None), 0)
	o := engine.DefaultOptions()
	o.FitTo(r.schema)
	e, err := engine.New(o, r.system, r.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := e.Save()
	if err != nil {
		t.Fatal(err)
	}
	restore := func(version uint32) error {
		_, err := engine.Restore(formtest.WithVersion(saved, version), o, r.system, r.schema, nil, engine.NoListener{})
		return err
	}
	before, err := e.SaveOldest()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Restore(before, o, r.system, r.schema, nil, engine.NoListener{}); err != nil {
		t.Errorf("the version before is not read: %v", err)
	}
	if err := restore(engine.FormVersion - 2); err == nil || errors.Is(err, engine.ErrNewer) {
		t.Errorf("an older version: %v", err)
	}
	if err := restore(engine.FormVersion + 1); !errors.Is(err, engine.ErrNewer) {
		t.Errorf("a newer version: %v", err)
	}
}

package engine_test

import (
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
// under the same formVersion: states of both forms would be confused.
func TestForm(t *testing.T) {
	form := formtest.Form{Golden: "testdata/form.txt", Version: engine.FormVersion, Raise: "formVersion in engine/save.go"}
	for _, method := range engine.Methods() {
		form.Lines = append(form.Lines, state.Field{Form: "method " + method, By: method})
		form.Lines = append(form.Lines, engineLines(t, method)...)
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

package persistence

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

func newF10(t *testing.T, o Options, system *topology.System, schema table.Schema, model *Model) *Detector {
	t.Helper()
	d, err := New(o, system, schema, f10Metrics, model)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestMetricsFindTheirGroups: a metric is compared in the groups of the things it is
// measured on, and in no other.
func TestMetricsFindTheirGroups(t *testing.T) {
	system, schema := cluster(5)
	model := trainF10(t, F10Options(), system, schema, 1, 200).Model()
	if len(model.Groups) != len(f10Metrics) {
		t.Errorf("%d groups were trained, want one a metric", len(model.Groups))
	}
	if warnings := model.Untrained(system, f10Metrics); len(warnings) > 0 {
		t.Errorf("warnings of what was trained: %v", warnings)
	}
	d := newF10(t, F10Options(), system, schema, model)
	r, groups := newRun(schema, 1), map[string]string{}
	for step := range 200 {
		row := r.next()
		for _, values := range row.Values { // on what they are not measured on, too
			for c, v := range values {
				if table.IsMissing(v) {
					values[c] = float64(step)
				}
			}
		}
		d.Push(row, func(w *Window) {
			groups[schema.Metrics[w.Metric].Name] += system.Groups[w.Group].Name[:1]
			for _, v := range w.Verdicts {
				if v.State == Unjudged || v.Threshold <= 0 || table.IsMissing(v.Median) {
					t.Fatalf("%s: %+v", schema.Metrics[w.Metric].Name, v)
				}
			}
		})
	}
	for i, name := range f10Metrics {
		if want := "dddiihh"[i : i+1]; strings.Trim(groups[name], want) != "" || len(groups[name]) < 4 {
			t.Errorf("%s was compared in %q, want %s only", name, groups[name], want)
		}
	}
}

// TestF10Faults: a fault makes its server suspect in the metrics that it changes, and in
// no other; a run without a fault has no suspect.
func TestF10Faults(t *testing.T) {
	system, schema := cluster(10)
	model := trainF10(t, F10Options(), system, schema, 5, 600).Model()
	tests := map[string]map[string]float64{ // factors of server 3, from step 120 to 420
		"control":   nil,
		"disk hog":  {"rd_sec": 5, "await": 4},
		"slow disk": {"await": 4},
		"traffic":   {"rxbyt": 3},
		"loss":      {"cwnd_in": 0.3},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			d := newF10(t, F10Options(), system, schema, model)
			r, suspect := newRun(schema, 99), map[string]bool{}
			for step := range 600 {
				row := r.next()
				if step >= 120 && step < 420 {
					for metric, by := range change {
						*r.at(metric, 3) *= by
					}
				}
				d.Push(row, func(w *Window) {
					for i, v := range w.Verdicts {
						if v.Suspect && i != 3 {
							t.Fatalf("server %d is suspect: %+v", i, v)
						}
						if v.Suspect {
							suspect[schema.Metrics[w.Metric].Name] = true
						}
					}
				})
			}
			for _, m := range f10Metrics {
				if _, want := change[m]; suspect[m] != want {
					t.Errorf("%s: suspect %t, want %t", m, suspect[m], want)
				}
			}
		})
	}
}

// TestCwndAgainstItsDefinition compares scores with the definition, with missing values,
// and with one server without any.
func TestCwndAgainstItsDefinition(t *testing.T) {
	const servers, steps = 6, 500
	system, schema := cluster(servers)
	o := F10Options()
	o.CwndSmooth = 9
	model := &Model{Options: o, Groups: []TrainedGroup{{Group: "hosts", Metric: "cwnd_out", Median: 0.25}}}
	d, err := New(o, system, schema, []string{"cwnd_out"}, model)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	raw := make([][]float64, servers)
	r, windows := newRun(schema, 5), 0
	for range steps {
		row := r.next()
		for i := range servers {
			v := r.at("cwnd_out", i)
			*v = 2 * math.Exp(1.5*rng.NormFloat64())
			if rng.IntN(5) == 0 || i == 4 {
				*v = table.Missing
			}
			raw[i] = append(raw[i], *v)
		}
		d.Push(row, func(w *Window) {
			windows++
			if w.End-w.Start != int64(o.WinShift) {
				t.Errorf("a window from %d to %d", w.Start, w.End)
			}
			for i, v := range w.Verdicts {
				want := lagTwin(raw, o.CwndSmooth, o.WinShift, i)
				if compared := v.State != Unjudged; compared == table.IsMissing(want) || compared && math.Abs(v.Score-want) > 1e-12 {
					t.Fatalf("window to %d, server %d: %+v, want %v", w.End, i, v, want)
				}
				if v.Suspect != (want > 0.25) {
					t.Fatalf("server %d scores %v: suspect %t", i, want, v.Suspect)
				}
			}
		})
	}
	if windows < steps/o.WinShift-1 {
		t.Errorf("%d windows were compared", windows)
	}
}

// lagTwin returns the score of a server over the last steps of raw series.
func lagTwin(raw [][]float64, smooth, steps, server int) float64 {
	score := table.Missing
	n := len(raw[0])
	for at := max(0, n-steps); at < n; at++ {
		var logs []float64
		own := table.Missing
		for i := range raw {
			if v := averageTwin(raw[i][:at+1], smooth); !table.IsMissing(v) {
				logs = append(logs, math.Log(v))
				if i == server {
					own = math.Log(v)
				}
			}
		}
		slices.Sort(logs)
		if len(logs) < 3 || table.IsMissing(own) {
			continue
		}
		if centre := (logs[(len(logs)-1)/2] + logs[len(logs)/2]) / 2; centre > 0 && !(1-own/centre <= score) {
			score = max(1-own/centre, 0)
		}
	}
	return score
}

// averageTwin returns the mean of the last values; missing where fewer than three
// quarters of them are there, or the newest is not.
func averageTwin(series []float64, width int) float64 {
	sum, n := 0.0, 0
	for _, v := range series[max(0, len(series)-width):] {
		if !table.IsMissing(v) {
			sum, n = sum+v, n+1
		}
	}
	if table.IsMissing(series[len(series)-1]) || 4*n < 3*width {
		return table.Missing
	}
	return sum / float64(n)
}

// TestBreak: a server is odd at the end of one run and at the begin of the next, in
// neither for long enough to pass the filter. With a break between the runs nothing adds
// up, whatever their times are. A gap of more than a window is a break.
func TestBreak(t *testing.T) {
	system, schema := cluster(6)
	const steps = 256 // windows of both runs end at the same steps
	learn := func(begin int64, between func(*Trainer)) *Model {
		trainer, err := NewTrainer(F10Options(), system, schema, f10Metrics)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			r := newRun(schema, uint64(i))
			r.begin += int64(i) * begin
			for step := range steps {
				row := r.next()
				if i == 0 && step >= steps-64 || i == 1 && step < 64 {
					*r.at("await", 2) *= 6
				}
				trainer.Push(row)
			}
			between(trainer)
		}
		return trainer.Model()
	}
	nothing := func(*Trainer) {}
	apart := learn(0, (*Trainer).EndRun)
	if !reflect.DeepEqual(learn(steps, (*Trainer).EndRun), apart) {
		t.Error("across a break the time matters")
	}
	if !reflect.DeepEqual(learn(steps+32*100, nothing), apart) {
		t.Error("a long gap is no break")
	}
	threshold := func(m *Model) float64 { return m.find("drives", "await").Thresholds["ios2/drives"] }
	if got, joined := threshold(apart), threshold(learn(steps, nothing)); got > 1 || joined < 5 {
		t.Errorf("threshold %v over two runs, %v over the same as one", got, joined)
	}
}

// TestModelWith: thresholds for another filter and factor equal those of a training with
// these settings.
func TestModelWith(t *testing.T) {
	system, schema := cluster(6)
	o := F10Options()
	base := trainF10(t, o, system, schema, 3, 400)
	for _, k := range []int{1, 2, 3, 7} {
		for _, factor := range []float64{1, 1.5, 4} {
			o.K, o.TrainFactor = k, factor
			if !reflect.DeepEqual(base.ModelWith(k, factor), trainF10(t, o, system, schema, 3, 400).Model()) {
				t.Errorf("k %d, factor %g: models differ", k, factor)
			}
		}
	}
}

// TestF10ModelAsJSON: a file keeps the thresholds, and they fit only their own settings.
func TestF10ModelAsJSON(t *testing.T) {
	system, schema := cluster(4)
	model := trainF10(t, F10Options(), system, schema, 1, 200).Model()
	var file bytes.Buffer
	if err := model.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := ParseModel("m.json", file.Bytes())
	if err != nil || !reflect.DeepEqual(read, model) || read.Hash() != model.Hash() {
		t.Errorf("%v: %+v, want %+v", err, read, model)
	}
	for change, want := range map[[2]string]string{
		{`"median": `, `"median": 1`}:     "m.json: the checksum is wrong: the file was changed after the training; train the model again",
		{`"sha256": "`, `"sha256": "0`}:   "m.json: the checksum is wrong",
		{`"sha256": "`, `"md5": "`}:       "m.json: the file has no checksum; train the model again",
		{`"groups": [`, `"groups": 7, [`}: "m.json is not a model of limpet train",
	} {
		if _, err := ParseModel("m.json", bytes.Replace(file.Bytes(), []byte(change[0]), []byte(change[1]), 1)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", change[1], err)
		}
	}
	change := map[string]func(*Options){
		"k":             func(o *Options) { o.K = 4 },
		"cwnd":          func(o *Options) { o.CwndSmooth = 5 },
		"cwnd not so":   func(o *Options) { o.CwndSmooth = 0 },
		"training step": func(o *Options) { o.TrainStep = 0.2 },
	}
	for name, f := range change {
		o := F10Options()
		f(&o)
		if _, err := New(o, system, schema, f10Metrics, read); err == nil {
			t.Errorf("%s: a model of other settings was taken", name)
		}
	}
}

func TestF10NeedsAModel(t *testing.T) {
	system, schema := cluster(4)
	if _, err := New(F10Options(), system, schema, f10Metrics, nil); err == nil || !strings.Contains(err.Error(), "limpet train --method f10") {
		t.Errorf("without a model: %v", err)
	}
}

// TestTooFewServers: two servers are not compared, nor are the cwnds of two among five,
// nor a group without thresholds.
func TestTooFewServers(t *testing.T) {
	two, schema := cluster(2)
	d := newF10(t, F10Options(), two, schema, &Model{Options: F10Options()})
	r := newRun(schema, 1)
	for range 200 {
		d.Push(r.next(), func(w *Window) { t.Fatalf("two servers were compared: %+v", w) })
	}
	five, schema := cluster(5)
	model := trainF10(t, F10Options(), five, schema, 1, 200).Model()
	model.Groups = slices.DeleteFunc(model.Groups, func(g TrainedGroup) bool { return g.Metric == "await" })
	d, r = newF10(t, F10Options(), five, schema, model), newRun(schema, 2)
	reasons := map[string]Reason{}
	for range 200 {
		row := r.next()
		for i := 2; i < 5; i++ {
			*r.at("cwnd_out", i) = table.Missing
		}
		*r.at("cwnd_in", 4) = table.Missing
		d.Push(row, func(w *Window) {
			reasons[schema.Metrics[w.Metric].Name] = w.Verdicts[4].Reason
			for _, v := range w.Verdicts {
				if v.Suspect || table.IsMissing(v.Score) {
					t.Fatalf("%s: %+v", schema.Metrics[w.Metric].Name, v)
				}
			}
		})
	}
	want := map[string]Reason{"rd_sec": NoReason, "wr_sec": NoReason, "await": Untrained, "rxbyt": NoReason, "txbyt": NoReason, "cwnd_out": TooFewData, "cwnd_in": TooFewData}
	if !reflect.DeepEqual(reasons, want) {
		t.Errorf("reasons %v, want %v", reasons, want)
	}
}

// TestCwndWithoutThePaper: other methods compare cwnd as any metric.
func TestCwndWithoutThePaper(t *testing.T) {
	system, schema := cluster(8)
	o := DefaultOptions()
	o.StepSeconds = 1
	d, err := New(o, system, schema, []string{metric.CwndIn.Name, metric.RxByt.Name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, suspect := newRun(schema, 4), map[int]bool{}
	for range 400 {
		row := r.next()
		*r.at("cwnd_in", 5) *= 0.3
		d.Push(row, func(w *Window) {
			if schema.Metrics[w.Metric] == metric.CwndIn {
				for i, v := range w.Verdicts {
					suspect[i] = v.Suspect
				}
			}
		})
	}
	if !suspect[5] {
		t.Error("a collapsed cwnd is not suspect without a model")
	}
}

func TestF10OptionsValidate(t *testing.T) {
	change := map[string]func(*Options){
		"cwnd average":  func(o *Options) { o.CwndSmooth = 65 },
		"negative":      func(o *Options) { o.CwndSmooth = -1 },
		"training step": func(o *Options) { o.TrainStep = -0.1 },
	}
	for name, f := range change {
		o := F10Options()
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		f(&o)
		if o.Validate() == nil {
			t.Errorf("%s: bad value accepted", name)
		}
	}
}

// TestOlderModels: a model file without a newer option loads and fits.
func TestOlderModels(t *testing.T) {
	for _, o := range []Options{L13Options(), F10Options()} {
		data, err := json.Marshal(Model{Options: o})
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]map[string]any
		if err := json.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields["options"] {
			if strings.HasSuffix(name, "_share") {
				delete(fields["options"], name)
			}
		}
		older, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		var m Model
		if err := json.Unmarshal(older, &m); err != nil || m.Options != o {
			t.Errorf("%s: %v, %+v", o.Method, err, m.Options)
		}
		if err := m.checkSettings(&o); err != nil {
			t.Error(err)
		}
	}
	var o Options
	if err := json.Unmarshal([]byte(`{"k": "three"}`), &o); err == nil {
		t.Error("a word was read as a number")
	}
}

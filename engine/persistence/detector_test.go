package persistence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// noisy gives n series of peers under a common, changing load.
func noisy(n, steps int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	series := make([][]float64, n)
	for i := range series {
		series[i] = make([]float64, steps)
		for t := range series[i] {
			load := 20 + 10*math.Sin(float64(t)/40)
			series[i][t] = load * math.Exp(0.2*rng.NormFloat64())
		}
	}
	return series
}

func scale(series []float64, by float64) {
	for t := range series {
		series[t] *= by
	}
}

func TestWindowsOfADay(t *testing.T) {
	series := noisy(3, 5760, 1)
	if n := len(detectAll(t, DefaultOptions(), series)); n != 191 {
		t.Errorf("a lone day has %d windows, want 191", n)
	}
	if n := len(detectAll(t, DefaultOptions(), noisy(3, 2*5760, 1))); n != 191+192 {
		t.Errorf("two days have %d windows, want 383", n)
	}
}

func TestSlowOnesAreFound(t *testing.T) {
	tests := map[string]struct {
		factor float64
		slow   []int
	}{
		"one a fifth slower":         {1.2, []int{4}},
		"one thrice as slow":         {3, []int{0}},
		"three of twelve at once":    {1.4, []int{2, 5, 9}},
		"five of twelve, a minority": {2, []int{0, 1, 2, 3, 4}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			series := noisy(12, 1200, 3)
			for _, i := range tt.slow {
				scale(series[i], tt.factor)
			}
			ws := detectAll(t, DefaultOptions(), series)
			for i := range series {
				suspect := 0
				for _, w := range ws {
					if w.Verdicts[i].Suspect {
						suspect++
					}
				}
				slow := slices.Contains(tt.slow, i)
				if share := float64(suspect) / float64(len(ws)); slow && share < 0.7 || !slow && share > 0.2 {
					t.Errorf("member %d (slow: %t) is suspect in %d of %d windows", i, slow, suspect, len(ws))
				}
			}
		})
	}
}

// TestFasterIsNotWorse: latency below the peers' is no anomaly.
func TestFasterIsNotWorse(t *testing.T) {
	series := noisy(12, 1200, 4)
	scale(series[6], 0.3)
	for _, w := range detectAll(t, DefaultOptions(), series) {
		if v := w.Verdicts[6]; v.State == Anomalous {
			t.Fatalf("a faster component is anomalous: %+v", v)
		}
	}
}

// TestFlashIsCompared: also below the millisecond that is noise on idle disks.
func TestFlashIsCompared(t *testing.T) {
	series := noisy(12, 1200, 5)
	for i := range series {
		scale(series[i], 0.004) // about 80 µs
	}
	scale(series[3], 1.5)
	ws := detectAll(t, DefaultOptions(), series)
	if !ws[len(ws)-1].Verdicts[3].Suspect {
		t.Error("a flash drive 1.5 times slow is not suspect")
	}
}

// TestChangesThatMeanNothing: renaming components, moving the data in time, other units,
// and a load that slows all peers alike change no comparison.
func TestChangesThatMeanNothing(t *testing.T) {
	series := noisy(11, 900, 6)
	scale(series[7], 1.3)
	o := DefaultOptions()
	want := detectAll(t, o, series)
	same := func(name string, got []*Window, at func(i int) int, by float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d windows, want %d", name, len(got), len(want))
		}
		for w := range want {
			for i := range series {
				a, b := want[w].Verdicts[i], got[w].Verdicts[at(i)]
				if a.State != b.State || a.Suspect != b.Suspect || math.Abs(a.Score*by-b.Score) > 1e-9 {
					t.Fatalf("%s: window %d member %d: %+v, want %+v", name, w, i, b, a)
				}
			}
		}
	}
	self := func(i int) int { return i }

	order := rand.New(rand.NewPCG(9, 9)).Perm(len(series))
	permuted := make([][]float64, len(series))
	for i, to := range order {
		permuted[to] = series[i]
	}
	same("permuted", detectAll(t, o, permuted), func(i int) int { return order[i] }, 1)

	later := make([][]float64, len(series))
	for i := range series {
		later[i] = append(slices.Repeat([]float64{table.Missing}, 30*50), series[i]...)
	}
	same("later", detectAll(t, o, later), self, 1)

	for _, by := range []float64{1024, 1.0 / 1024} {
		scaled := make([][]float64, len(series))
		for i := range series {
			scaled[i] = slices.Clone(series[i])
			scale(scaled[i], by)
		}
		same(fmt.Sprintf("scaled by %g", by), detectAll(t, o, scaled), self, 1)
	}
}

// TestGapsClearNothing: data of three hours a day must not clear a suspect.
func TestGapsClearNothing(t *testing.T) {
	system, schema := peers(8)
	d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int64]bool{}
	suspect, compared := 0, 0
	for day := range int64(4) {
		series := noisy(8, 720, uint64(day))
		scale(series[2], 2)
		for _, row := range rowsOf(DefaultOptions(), series) {
			row.End += day * 86400
			d.Push(row, func(w *Window) {
				ends[w.End] = true
				compared++
				if w.Verdicts[2].Suspect {
					suspect++
				}
			})
		}
	}
	if compared != 4*23 || len(ends) != compared {
		t.Errorf("%d windows, want 23 a day", compared)
	}
	if suspect != compared-2 { // the first two cannot be: the filter needs three
		t.Errorf("suspect in %d of %d windows", suspect, compared)
	}
}

// attachments returns a system of n attachments, each on its own server, with tps as
// load.
func attachments(n, priority int) (*topology.System, table.Schema) {
	s, _ := peers(n)
	s.Servers = nil
	for i := range s.Components {
		s.Components[i].Server = fmt.Sprintf("fs%d", i/2)
		s.Components[i].Priority = priority
		if i%2 == 0 {
			s.Servers = append(s.Servers, s.Components[i].Server)
		}
	}
	return s, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: n, Load: 0}
}

// TestAbsenceAndIdleness changes one of eight components half-way; the last state of
// component 3 counts.
func TestAbsenceAndIdleness(t *testing.T) {
	tests := map[string]struct {
		priority   int
		tps, await func(late bool) float64 // of component 3
		peerTPS    float64
		sparse     bool
		gone       []int // others without data from half-way on
		state      State
		reason     Reason
	}{
		"device gone":                       {2, missing, missing, 50, false, nil, Anomalous, Gone},
		"a line lost from a table":          {2, missing, missing, 50, true, nil, Unjudged, TooFewData},
		"server silent":                     {2, missing, missing, 50, false, []int{2}, Unjudged, ServerSilent},
		"abandoned: zero while peers work":  {2, zero, zero, 50, false, nil, Anomalous, Idle},
		"a spare that never worked":         {2, always(0), always(0), 50, false, nil, Unjudged, TooFewIOs},
		"a primary that never worked":       {1, always(0), always(0), 50, false, nil, Anomalous, Idle},
		"nearly idle, one enormous request": {2, always(1.0 / 900), always(500), 50, false, nil, Unjudged, TooFewIOs},
		"a drive at work beside idle ones":  {0, late(0, 30), late(0, 40), 0, false, nil, Unjudged, TooFewBusy},
		"nine requests, a quarter slower":   {0, always(0.01), always(25), 50, false, nil, Normal, NoReason},
		"many requests, a quarter slower":   {0, always(10), always(25), 50, false, nil, Anomalous, Differs},
		"load on an idle secondary":         {2, late(0, 30), late(0, 40), 0, false, nil, Anomalous, Differs},
		"server workload below noise":       {2, late(0, 30), late(0, 0.6), 0, false, nil, Normal, NoReason},
		"all idle":                          {2, always(0), always(0), 0, false, nil, Unjudged, GroupIdle},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			system, schema := attachments(8, tt.priority)
			schema.Sparse = tt.sparse
			d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var last Verdict
			for step := range 600 {
				row := table.NewRow(schema)
				row.End = int64(step+1) * 15
				isLate := step >= 300
				for c := range system.Components {
					if isLate && slices.Contains(tt.gone, c) {
						continue
					}
					row.Values[0][c] = tt.peerTPS
					row.Values[1][c] = 0
					if tt.peerTPS > 0 {
						row.Values[1][c] = 20 * math.Exp(0.1*rng.NormFloat64())
					}
				}
				row.Values[0][3], row.Values[1][3] = tt.tps(isLate), tt.await(isLate)
				d.Push(row, func(w *Window) { last = w.Verdicts[3] })
			}
			if last.State != tt.state || last.Reason != tt.reason {
				t.Errorf("%v (%v), want %v (%v): %+v", last.State, last.Reason, tt.state, tt.reason, last)
			}
		})
	}
}

func late(before, after float64) func(bool) float64 {
	return func(late bool) float64 {
		if late {
			return after
		}
		return before
	}
}

func always(v float64) func(bool) float64 { return late(v, v) }

var (
	missing = late(20, table.Missing)
	zero    = late(20, 0)
)

func TestFilter(t *testing.T) {
	tests := []struct {
		in   string // x: anomalous
		k    int
		want string // s: suspect
	}{
		{"xxxxx", 3, "..sss"},
		{"x.x.x.x", 3, "....s.s"},
		{"xxx.....", 3, "..sss..."},
		{"x", 1, "s"},
		{"xx..", 2, ".ss."},
	}
	for _, tt := range tests {
		var f Filter
		got := ""
		for _, c := range tt.in {
			if f.Push(c == 'x', tt.k) {
				got += "s"
			} else {
				got += "."
			}
		}
		if got != tt.want {
			t.Errorf("k %d, %s: %s, want %s", tt.k, tt.in, got, tt.want)
		}
	}
}

// TestTrainedThresholds: the training data raise no alarm, and twice their values do. An
// idle component does not alarm at any score, and an odd one in training can still
// alarm.
func TestTrainedThresholds(t *testing.T) {
	o := L13Options()
	day := noisy(10, 1200, 10)
	for t := 300; t < 420; t++ {
		day[4][t] = 40000 // one odd event in training
	}
	system, schema := peers(10)
	trainer, err := NewTrainer(o, system, schema, []string{"await"})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rowsOf(o, day) {
		trainer.Push(row)
	}
	m := trainer.Model()
	g := m.Groups[0]
	if g.Thresholds["c4"] > float64(o.MaxBins)/2 {
		t.Errorf("threshold %v of the odd one blinds it", g.Thresholds["c4"])
	}
	for name, threshold := range g.Thresholds {
		if threshold < g.Typical {
			t.Errorf("%s: threshold %v below the typical %v", name, threshold, g.Typical)
		}
	}
	d, err := New(o, system, schema, []string{"await"}, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rowsOf(o, noisy(10, 1200, 10)) {
		d.Push(row, func(w *Window) {
			for _, v := range w.Verdicts {
				if v.State == Anomalous {
					t.Fatalf("an alarm on what training saw: %+v", v)
				}
			}
		})
	}
}

func TestModelOfOtherSettingsIsRefused(t *testing.T) {
	system, schema := peers(4)
	m := &Model{Options: L13Options()}
	o := L13Options()
	o.WinSize = 120
	if _, err := New(o, system, schema, []string{"await"}, m); err == nil {
		t.Error("a model trained with other windows was taken")
	}
}

func TestOptionsValidate(t *testing.T) {
	change := map[string]func(*Options){
		"measure":   func(o *Options) { o.Measure = "euclid" },
		"step":      func(o *Options) { o.StepSeconds = 0 },
		"smooth":    func(o *Options) { o.Smooth = 0 },
		"win size":  func(o *Options) { o.WinSize = 256 },
		"win shift": func(o *Options) { o.WinShift = 61 },
		"k":         func(o *Options) { o.K = 0 },
		"bins":      func(o *Options) { o.MaxBins = 0 },
		"domain":    func(o *Options) { o.Domain = 2 },
		"ratio":     func(o *Options) { o.MinRatio = 0.9 },
		"z":         func(o *Options) { o.MinZ = -1 },
		"ios":       func(o *Options) { o.MinIOs = -1 },
		"factor":    func(o *Options) { o.TrainFactor = 0 },
	}
	for name, f := range change {
		o := DefaultOptions()
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		f(&o)
		if o.Validate() == nil {
			t.Errorf("%s: bad value accepted", name)
		}
	}
}

func TestUntrainedComponentsAreNamed(t *testing.T) {
	system, schema := peers(5)
	m := &Model{Options: L13Options(), Groups: []TrainedGroup{{
		Group: "peers", Metric: "await", Median: 3,
		Thresholds: map[string]float64{"c0": 0, "c1": 4, "c2": 4},
	}}}
	warnings := m.Untrained(system, []string{"await", "tps"})
	if len(warnings) != 2 {
		t.Fatalf("%d warnings: %v", len(warnings), warnings)
	}
	for i, want := range []string{"the model has no threshold of await for 2 of 5 components (c[3-4])", "not judged by metric tps"} {
		if !strings.Contains(warnings[i].Text, want) {
			t.Errorf("%q lacks %q", warnings[i].Text, want)
		}
	}
	d, err := New(L13Options(), system, schema, []string{"await"}, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rowsOf(L13Options(), noisy(5, 120, 1)) {
		d.Push(row, func(w *Window) {
			if got := w.Verdicts[4].Threshold; got != 3 {
				t.Errorf("an untrained component has threshold %v, want the group's median", got)
			}
		})
	}
}

// TestSpareMayRest: a drive that had work once may be idle later.
func TestSpareMayRest(t *testing.T) {
	system, schema := attachments(8, 0)
	d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for step := range 900 {
		row := table.NewRow(schema)
		row.End = int64(step+1) * 15
		for c := range system.Components {
			row.Values[0][c], row.Values[1][c] = 50, 20+float64((step+c)%5)
		}
		if step < 100 || step > 107 {
			row.Values[0][3], row.Values[1][3] = 0, 0
		}
		d.Push(row, func(w *Window) {
			if v := w.Verdicts[3]; v.State == Anomalous {
				t.Fatalf("a spare is anomalous: %+v", v)
			}
		})
	}
}

// TestIdleStepsAreNoLatency: peers with a request in every second step are not
// faster than one that works all the time.
func TestIdleStepsAreNoLatency(t *testing.T) {
	system, schema := attachments(12, 0)
	d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	anomalies, windows := 0, 0
	for step := range 1200 {
		row := table.NewRow(schema)
		row.End = int64(step+1) * 15
		for c := range system.Components {
			row.Values[0][c], row.Values[1][c] = 0, 0
			if c == 3 || rng.IntN(2) == 0 {
				row.Values[0][c], row.Values[1][c] = 5, 8*math.Exp(0.2*rng.NormFloat64())
			}
		}
		d.Push(row, func(w *Window) {
			windows++
			if w.Verdicts[3].State == Anomalous {
				anomalies++
			}
		})
	}
	if anomalies*10 > windows {
		t.Errorf("the busy one is anomalous in %d of %d windows", anomalies, windows)
	}
}

// TestAbsentPeersAreNotZero: half of a flash group without data must not count as idle
// disks.
func TestAbsentPeersAreNotZero(t *testing.T) {
	series := noisy(12, 1200, 5)
	for i := range series {
		scale(series[i], 0.004)
	}
	scale(series[3], 1.5)
	for i := 6; i < 12; i++ {
		for t := range series[i] {
			series[i][t] = table.Missing
		}
	}
	ws := detectAll(t, DefaultOptions(), series)
	if !ws[len(ws)-1].Verdicts[3].Suspect {
		t.Error("a flash drive 1.5 times slow is not suspect where six peers have no data")
	}
}

// TestTrainedAlarm: a score above a trained threshold is an anomaly, and so is load in a
// group that was idle in training.
func TestTrainedAlarm(t *testing.T) {
	o := L13Options()
	system, schema := peers(10)
	learn := func(series [][]float64) *Model {
		trainer, err := NewTrainer(o, system, schema, []string{"await"})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rowsOf(o, series) {
			trainer.Push(row)
		}
		return trainer.Model()
	}
	idle := make([][]float64, 10)
	for i := range idle {
		idle[i] = make([]float64, 1200)
	}
	loaded := make([][]float64, 10)
	copy(loaded, idle)
	loaded[7] = slices.Repeat([]float64{12}, 1200)
	slow := noisy(10, 1200, 12)
	scale(slow[7], 4)
	for name, tt := range map[string]struct{ day, later [][]float64 }{
		"slow":                {noisy(10, 1200, 11), slow},
		"load where was none": {idle, loaded},
	} {
		d, err := New(o, system, schema, []string{"await"}, learn(tt.day))
		if err != nil {
			t.Fatal(err)
		}
		var last Window
		for _, row := range rowsOf(o, tt.later) {
			d.Push(row, func(w *Window) { last = *w })
		}
		for i, v := range last.Verdicts {
			if v.Suspect != (i == 7) {
				t.Errorf("%s: component %d: %+v", name, i, v)
			}
		}
	}
}

// TestFenceIsAsWideAsTheHealthy: three slow members of twelve do not widen the fence.
func TestFenceIsAsWideAsTheHealthy(t *testing.T) {
	o := DefaultOptions()
	f := &fence{opts: &o}
	threshold := func(scores ...float64) float64 {
		w := &Window{}
		f.peers = f.peers[:0]
		for i, s := range scores {
			w.Verdicts = append(w.Verdicts, Verdict{Score: s})
			f.peers = append(f.peers, i)
		}
		return f.threshold(w)
	}
	few := threshold(1, 2, 3, 4, 5, 6, 7, 8, 9, 40, 50, 60)
	if want := 6.5 + 0.5*1.4826*3; math.Abs(few-want) > 1e-12 {
		t.Errorf("fence at %v, want %v", few, want)
	}
	if far := threshold(1, 2, 3, 4, 5, 6, 7, 8, 9, 400, 500, 600); far != few {
		t.Errorf("slower ones move the fence from %v to %v", few, far)
	}
}

// TestFenceOfEqualPeers: a slow member among members with equal histograms has a threshold, and
// counts as compared. A component that is gone has none.
func TestFenceOfEqualPeers(t *testing.T) {
	o := DefaultOptions()
	f := &fence{opts: &o, peers: []int{0, 1, 2, 3}}
	w := &Window{Verdicts: []Verdict{{}, {}, {}, {Score: 5}}}
	threshold := f.threshold(w)
	if want := 1 / float64(o.WinSize); threshold != want {
		t.Errorf("threshold %v, want %v: the score of one value in the next bin", threshold, want)
	}
	for _, tt := range []struct {
		v    Verdict
		want bool
	}{
		{Verdict{Score: 5, Threshold: threshold, State: Anomalous, Reason: Differs}, true},
		{Verdict{Threshold: threshold}, true},
		{Verdict{State: Anomalous, Reason: Gone}, false},
		{Verdict{Threshold: threshold, State: Unjudged, Reason: ServerSilent}, false},
	} {
		if got := tt.v.IsCompared(); got != tt.want {
			t.Errorf("%+v: compared %v, want %v", tt.v, got, tt.want)
		}
	}
}

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// What F10 §11.1 took of a 2.4 GHz core, every second: 88 servers kept it busy.
const (
	f10PerServer = 3.44e-3
	f10PerPair   = 182e-6
)

// BenchmarkRealTime diagnoses servers at work at steps of a second on one core,
// by all 14 metrics, and holds the CPU time against F10's own. An iteration is
// one window: 32 seconds of data. Symptoms have four metrics more, and no pairs.
func BenchmarkRealTime(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, tt := range []realTime{
		{"f10", 0, 500},
		{"f10", 0, 1000},
		{"f10", 0, 2000},
		{"f10", 0, 4000},
		{"f10", 10, 4000},
		{"default", 0, 2000},
		{bySymptoms, 1, 2000},
		{bySymptoms, 1, 10000},
	} {
		b.Run(fmt.Sprintf("%s/domain=%d/servers=%d", tt.method, tt.domain, tt.servers), tt.run)
	}
}

// bySymptoms stands for --servers. What it costs grows with the servers alone,
// as it does with domains.
const bySymptoms = "servers"

type realTime struct {
	method          string
	domain, servers int
}

func (tt *realTime) run(b *testing.B) {
	w := newWork(b, tt.servers)
	o := everySecond(b, tt.method)
	if tt.method != bySymptoms {
		o.Detect.Domain = tt.domain
	}
	engine, heard := w.engine(b, o)
	w.seconds(o.Detect.WinSize, engine.Push)
	heard.windows = 0
	runtime.GC()
	before := cpuTime(syscall.RUSAGE_SELF)
	for b.Loop() {
		w.seconds(o.Detect.WinShift, engine.Push)
	}
	took := cpuTime(syscall.RUSAGE_SELF) - before
	examined := engine.Summary(incident.Combined).Examined
	if judged := max(heard.windows/len(o.Metrics), examined-1); judged < b.N {
		b.Fatalf("%d windows of %d metrics, %d of servers in %d iterations", heard.windows, len(o.Metrics), examined, b.N)
	}
	tt.report(b, took.Seconds()/float64(b.N*o.Detect.WinShift))
}

// report takes the CPU time for a second of data. With all pairs it grows no
// faster than the square of the servers, with domains as they do: at least
// servers-in-real-time of them can be diagnosed while they run.
func (tt *realTime) report(b *testing.B, load float64) {
	n := float64(tt.servers)
	pairs := n * (n - 1) / 2
	most := n / math.Sqrt(load)
	if tt.domain > 0 {
		most = n / load
	}
	b.ReportMetric(load, "cpu-s/s")
	b.ReportMetric(1e6*load/pairs, "µs/pair")
	b.ReportMetric(1e6*(f10PerServer*n+f10PerPair*pairs)/pairs, "F10-µs/pair")
	b.ReportMetric(most, "servers-in-real-time")
}

func presetOf(b *testing.B, method string) engine.Options {
	o, err := engine.Preset(method)
	if err != nil {
		b.Fatal(err)
	}
	return o
}

// everySecond are the options of a method with F10's steps and windows and
// everything that it recorded: storage, interfaces and congestion windows.
func everySecond(b *testing.B, method string) engine.Options {
	if method == bySymptoms {
		o := presetOf(b, method)
		o.Detect.WinSize, o.Detect.WinShift = int(o.Symptom.WinSeconds), int(o.Symptom.ShiftSeconds)
		return o
	}
	o := presetOf(b, method)
	f := persistence.F10Options()
	o.Detect.StepSeconds, o.Detect.Smooth, o.Detect.WinSize, o.Detect.WinShift = f.StepSeconds, f.Smooth, f.WinSize, f.WinShift
	o.Metrics = nil
	for _, m := range recorded() {
		o.Metrics = append(o.Metrics, m.Name)
	}
	return o
}

// recorded are the metrics of F10 §4.
func recorded() []metric.Metric {
	return slices.Concat(metric.Device(), metric.Interface(), []metric.Metric{metric.CwndOut, metric.CwndIn})
}

// work yields seconds of servers that are busy alike, again and again.
type work struct {
	system *topology.System
	schema table.Schema
	rows   []*table.Row
	now    int64
}

// newWork makes servers with a drive, an interface and connections each. Its
// seconds are as many as have no divisor in common with a window's, so that
// windows differ.
func newWork(b *testing.B, servers int) *work {
	text := fmt.Sprintf("servers: ios[1-%d]\ndrives:\n  - devices: sdb\n    peers: all\ninterfaces:\n  - names: eth0\nhosts: ios[1-%[1]d]\n", servers)
	system, _, err := topology.Parse("bench.yaml", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	w := &work{system: system, now: 1_000_000_000 / 64 * 64, schema: table.Schema{
		StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components), Servers: servers,
		Load: metric.Index(metric.All(), metric.TPS.Name),
	}}
	rng := rand.New(rand.NewPCG(10, uint64(servers)))
	for range 67 {
		w.rows = append(w.rows, w.second(rng, len(w.rows)))
	}
	return w
}

// second makes values of a level, a swing that all servers follow, and what is
// random, more for some servers than for others.
func (w *work) second(rng *rand.Rand, t int) *table.Row {
	row := table.NewRow(w.schema)
	for s := range row.Heard {
		row.Heard[s] = true
	}
	level := 1000 * (1 + 0.3*math.Sin(float64(t)/10))
	for m, values := range row.Values {
		for c := range values {
			if w.system.Components[c].Kind == kindOf(w.schema.Metrics[m]) {
				values[c] = level * math.Exp(0.2*(1+float64(c%7)/7)*rng.NormFloat64())
			}
		}
	}
	return row
}

// kindOf is what a metric is measured on.
func kindOf(m metric.Metric) topology.Kind {
	switch m.Subject {
	case metric.SubjectInterface:
		return topology.Interface
	case metric.SubjectHost:
		return topology.Host
	}
	return topology.Attachment
}

// seconds hands out the next n.
func (w *work) seconds(n int, push func(*table.Row)) {
	for range n {
		w.now++
		row := w.rows[w.now%int64(len(w.rows))]
		row.End = w.now
		push(row)
	}
}

// engine makes one, and trains it by as many windows as the filter looks at
// where the method needs that.
func (w *work) engine(b *testing.B, o engine.Options) (*engine.Engine, *counted) {
	var model *persistence.Model
	if o.Detect.NeedsModel() {
		t, err := persistence.NewTrainer(o.Detect, w.system, w.schema, o.Metrics)
		if err != nil {
			b.Fatal(err)
		}
		w.seconds(o.Detect.WinSize+(2*o.Detect.K-2)*o.Detect.WinShift, t.Push)
		model = t.Model()
	}
	heard := &counted{}
	engine, err := engine.New(o, w.system, w.schema, model, heard)
	if err != nil {
		b.Fatal(err)
	}
	return engine, heard
}

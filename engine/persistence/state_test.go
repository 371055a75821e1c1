package persistence

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/topology"
)

func save(tb testing.TB, d *Detector) []byte {
	tb.Helper()
	data, err := state.Encode(1, func(c *state.Codec) { d.State(c, blame.NewMap(d.system).Axes(c)) })
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func restore(d *Detector, data []byte) error {
	return state.Decode(data, 1, func(c *state.Codec) { d.State(c, blame.NewMap(d.system).Axes(c)) })
}

// stream is a run that can be repeated.
type stream struct {
	opts    Options
	system  *topology.System
	schema  table.Schema
	metrics []string
	model   *Model
	rows    []*table.Row
}

func (s *stream) detector(tb testing.TB) *Detector {
	tb.Helper()
	d, err := New(s.opts, s.system, s.schema, s.metrics, s.model)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// run prints all windows of a detector that is saved, and restored into another one,
// before each of the rows at cuts.
func (s *stream) run(t *testing.T, cuts ...int) []string {
	t.Helper()
	var windows []string
	d := s.detector(t)
	for at, row := range s.rows {
		if slices.Contains(cuts, at) {
			data := save(t, d)
			if !bytes.Equal(save(t, d), data) {
				t.Fatal("a detector gives two states")
			}
			d = s.detector(t)
			if err := restore(d, data); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(save(t, d), data) {
				t.Fatalf("row %d: what was restored gives another state", at)
			}
		}
		d.Push(row, func(w *Window) { windows = append(windows, fmt.Sprintf("%+v", *w)) })
	}
	return windows
}

// eventful returns a stream of groups with gaps, missing values, idle members and a
// server that becomes silent.
func eventful(o Options) *stream {
	s := &stream{opts: o, metrics: []string{"tps", "await", "%util"}}
	s.system, s.schema = grouped(4, 12)
	rng := rand.New(rand.NewPCG(2, 2))
	for step := int64(1000); len(s.rows) < 300; step++ {
		if step == 1100 || step > 1200 && rng.IntN(30) == 0 {
			step += 1 + rng.Int64N(100)
		}
		row := table.NewRow(s.schema)
		fillRow(rng, row, step, 4)
		rest(row, 1, len(s.rows) < 150 || len(s.rows) > 220) // busy for a while
		rest(row, 5, len(s.rows) > 150)                      // busy before
		s.rows = append(s.rows, row)
	}
	return s
}

// rest makes a component idle.
func rest(row *table.Row, component int, idle bool) {
	for _, values := range row.Values {
		if idle {
			values[component] = 0
		}
	}
}

// clustered returns a run as F10 has it: three kinds of components, trained thresholds,
// and averages with gaps.
func clustered(t *testing.T, o Options) *stream {
	s := &stream{opts: o, metrics: f10Metrics}
	s.system, s.schema = cluster(6)
	s.model = trainF10(t, o, s.system, s.schema, 2, 300).Model()
	r := newRun(s.schema, 5)
	for step := range 300 {
		row := r.next()
		for _, values := range row.Values {
			for c := range values {
				if r.rng.IntN(10) == 0 || c%6 == 2 && step > 150 {
					values[c] = table.Missing
				}
			}
		}
		r.row = table.NewRow(s.schema)
		if step%97 > 10 || step < 97 {
			s.rows = append(s.rows, row)
		}
	}
	return s
}

// TestCutAnywhere: a run that is saved and restored before any row gives the same
// windows, bit by bit.
func TestCutAnywhere(t *testing.T) {
	domains, flat, short, sparse := DefaultOptions(), DefaultOptions(), DefaultOptions(), eventful(DefaultOptions())
	short.WinSize, short.WinShift, short.Smooth = 20, 5, 4
	domains.Domain, flat.Measure, sparse.schema.Sparse, sparse.schema.Load = 4, "median", true, -1
	tests := map[string]*stream{
		"default": eventful(DefaultOptions()),
		"l13":     eventful(L13Options()),
		"domains": eventful(domains),
		"median":  eventful(flat),
		"short":   eventful(short),
		"no load": sparse,
		"f10":     clustered(t, F10Options()),
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for name, s := range tests {
		want := s.run(t)
		if len(want) < 20 {
			t.Fatalf("%s: %d windows", name, len(want))
		}
		cuts := [][]int{{0}, {len(s.rows) - 1}, rng.Perm(len(s.rows))[:40], {1}}
		more := 12
		if testing.Short() {
			cuts, more = cuts[:3], 1
		}
		for range more {
			cuts = append(cuts, []int{rng.IntN(len(s.rows))})
		}
		for _, at := range cuts {
			if got := s.run(t, at...); !slices.Equal(got, want) {
				t.Errorf("%s: cut before rows %v it gives other windows", name, at)
			}
		}
	}
}

// TestCutBeforeEveryRow of a small run.
func TestCutBeforeEveryRow(t *testing.T) {
	s := eventful(DefaultOptions())
	s.rows = s.rows[:170]
	every := make([]int, len(s.rows))
	for at := range every {
		every[at] = at
	}
	if !slices.Equal(s.run(t, every...), s.run(t)) {
		t.Error("cut before every row it gives other windows")
	}
}

// TestChangedTopology restores a state into a system with two components and one server
// more, one component less, and all in another order. It continues as if the new ones
// had been there without data, and the old one had never been there.
func TestChangedTopology(t *testing.T) {
	before, now := eventful(DefaultOptions()), eventful(DefaultOptions())
	order := rand.New(rand.NewPCG(4, 4)).Perm(len(now.system.Components))
	const added, alsoAdded, removed, cut = 14, 30, 9, 180
	now.system.Servers = append([]string{"new"}, now.system.Servers...)
	now.system.Components[alsoAdded].Server = "new"
	without(before.system, added, alsoAdded)
	without(now.system, removed)
	reorder(now.system, order)
	wanted := *now
	wanted.rows = nil
	for at, row := range before.rows {
		row.Values = slices.Clone(row.Values)
		moved := &table.Row{End: row.End, Values: make([][]float64, len(row.Values))}
		for m, values := range row.Values {
			values[removed] = table.Missing
			if at < cut {
				values[added], values[alsoAdded] = table.Missing, table.Missing
			}
			for _, from := range order {
				moved.Values[m] = append(moved.Values[m], values[from])
			}
		}
		wanted.rows = append(wanted.rows, moved)
	}
	d := before.detector(t)
	for _, row := range before.rows[:cut] {
		d.Push(row, func(*Window) {})
	}
	got, want := now.detector(t), wanted.detector(t)
	if err := restore(got, save(t, d)); err != nil {
		t.Fatal(err)
	}
	for at, row := range wanted.rows {
		var a, b []string
		want.Push(row, func(w *Window) { a = append(a, fmt.Sprintf("%+v", *w)) })
		if at < cut {
			continue
		}
		got.Push(row, func(w *Window) { b = append(b, fmt.Sprintf("%+v", *w)) })
		if !slices.Equal(a, b) {
			t.Fatalf("row %d: other windows than if all had been there:\n%s\n%s", at, strings.Join(b, "\n"), strings.Join(a, "\n"))
		}
	}
}

// without removes components from their groups.
func without(s *topology.System, gone ...int) {
	for g := range s.Groups {
		s.Groups[g].Members = slices.DeleteFunc(s.Groups[g].Members, func(c int) bool { return slices.Contains(gone, c) })
	}
	for _, c := range gone {
		s.Components[c].Name = "none" + s.Components[c].Name
	}
}

// reorder moves component order[i] to index i.
func reorder(s *topology.System, order []int) {
	was := slices.Clone(s.Components)
	at := make([]int, len(order))
	for i, from := range order {
		s.Components[i], at[from] = was[from], i
	}
	for g := range s.Groups {
		for i, c := range s.Groups[g].Members {
			s.Groups[g].Members[i] = at[c]
		}
	}
	slices.Reverse(s.Groups)
}

// TestChangedMetrics: remaining metrics continue, a new one begins, and a removed one is
// skipped, in any order.
func TestChangedMetrics(t *testing.T) {
	was, now, fresh := eventful(DefaultOptions()), eventful(DefaultOptions()), eventful(DefaultOptions())
	was.metrics, now.metrics, fresh.metrics = []string{"tps", "await"}, []string{"%util", "await"}, []string{"%util"}
	d, n, a := was.detector(t), now.detector(t), fresh.detector(t)
	const cut = 90
	for at, row := range was.rows {
		if at == cut {
			if err := restore(n, save(t, d)); err != nil {
				t.Fatal(err)
			}
		}
		var fromD, fromN, fromA []string
		tell := func(to *[]string) func(*Window) {
			return func(w *Window) {
				switch name := was.schema.Metrics[w.Metric].Name; name {
				case "await":
					*to = append(*to, fmt.Sprintf("%+v", *w))
				case "%util":
					for _, v := range w.Verdicts {
						*to = append(*to, fmt.Sprintf("%d %v", v.Component, v.Median))
					}
				}
			}
		}
		d.Push(row, tell(&fromD))
		if at >= cut {
			n.Push(row, tell(&fromN))
			a.Push(row, tell(&fromA))
			if !slices.Equal(fromN, append(fromA, fromD...)) {
				t.Fatalf("row %d: other windows of await than before, or of %%util than anew", at)
			}
		}
	}
}

// TestReplacedDriveBeginsAnew: a drive with the same name and another WWN has no memory.
func TestReplacedDriveBeginsAnew(t *testing.T) {
	s := eventful(DefaultOptions())
	s.system.Components[4].WWN = "1"
	d := s.detector(t)
	for _, row := range s.rows[:70] {
		d.Push(row, func(*Window) {})
	}
	for wwn, kept := range map[string]bool{"1": true, "": true, "2": false} {
		now := eventful(DefaultOptions())
		now.system.Components[4].WWN = wwn
		n := now.detector(t)
		if err := restore(n, save(t, d)); err != nil {
			t.Fatal(err)
		}
		v, values := n.lanes[0].values, make([]float64, s.opts.WinSize)
		at := slices.Index(v.Members, 4)
		if v.Copy(values, at, at+1); table.IsMissing(values[len(values)-1]) == kept {
			t.Errorf("WWN %q: kept is not %t", wwn, kept)
		}
	}
}

func TestStateOfOtherSettings(t *testing.T) {
	s := eventful(DefaultOptions())
	data := save(t, s.detector(t))
	s.opts.Smooth = 7
	if err := restore(s.detector(t), data); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("a state with another average was restored: %v", err)
	}
}

// BenchmarkState saves and restores a detector of the whole of Intrepid by eight
// metrics: after three simulated hours, and where every attachment is busy, so
// that nothing can be compressed.
func BenchmarkState(b *testing.B) {
	sim, err := arrays.Intrepid(arrays.DefaultIntrepidOptions())
	if err != nil {
		b.Fatal(err)
	}
	rows, err := sim.Rows(15)
	if err != nil {
		b.Fatal(err)
	}
	s := &stream{opts: DefaultOptions(), system: rows.System(), schema: rows.Schema()}
	for _, m := range metric.Device() {
		s.metrics = append(s.metrics, m.Name)
	}
	simulated, busy := s.detector(b), s.detector(b)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3 * 3600 / 15 {
		row, err := rows.Next()
		if err != nil {
			b.Fatal(err)
		}
		simulated.Push(row, func(*Window) {})
	}
	row := table.NewRow(s.schema)
	for step := range int64(s.opts.WinSize + s.opts.Smooth) {
		for _, values := range row.Values {
			for c := range values {
				values[c] = rng.ExpFloat64()
			}
		}
		row.End = 15 * (1e8 + 1 + step)
		busy.Push(row, func(*Window) {})
	}
	b.Run("simulated", func(b *testing.B) { benchmarkState(b, simulated, s.detector(b)) })
	b.Run("busy", func(b *testing.B) { benchmarkState(b, busy, s.detector(b)) })
}

func benchmarkState(b *testing.B, d, other *Detector) {
	data := save(b, d)
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			save(b, d)
		}
		b.ReportMetric(float64(len(data))/1e6, "MB")
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			if err := restore(other, data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

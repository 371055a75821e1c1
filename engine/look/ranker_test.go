package look_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/engine/look"
)

// A fleet is components whose values a test draws again and again.
type fleet struct {
	components []look.Sample
	metrics    []look.Metric
	slow       []float64 // by component, how many times slower it is
	host       []float64 // by server, how many times slower its components are
	random     *rand.Rand
}

func newFleet(seed uint64, groups, servers, drives int, metrics ...look.Metric) *fleet {
	f := &fleet{metrics: metrics, random: random(seed)}
	for s := range servers {
		f.host = append(f.host, 1)
		for d := range drives {
			f.slow = append(f.slow, 1)
			f.components = append(f.components, look.Sample{
				Component: fmt.Sprintf("fs%d/sd%d", s, d), Kind: fmt.Sprintf("group %d", d%groups), Host: fmt.Sprintf("fs%d", s),
			})
		}
	}
	return f
}

// draw returns values by metric and component. A share of them is unknown, and some components are
// idle.
func (f *fleet) draw(spread, unknown float64) []look.Values {
	values := make([]look.Values, len(f.metrics))
	for m := range values {
		values[m].X = make([]float64, len(f.components))
	}
	values[0].Requests = make([]float64, len(f.components))
	for i := range f.components {
		values[0].Requests[i] = float64(f.random.IntN(500))
		for m, metric := range f.metrics {
			x := 5 * math.Exp(spread*f.random.NormFloat64())
			if metric.Role == look.HighIsSlow {
				x *= f.slow[i] * f.host[i*len(f.host)/len(f.components)]
			}
			if f.random.Float64() < unknown {
				x = []float64{math.NaN(), 0, -1, math.Inf(1)}[f.random.IntN(4)]
			}
			values[m].X[i] = x
		}
	}
	return values
}

// look returns the same values as a look of a tool.
func (f *fleet) look(values []look.Values) look.Look {
	l := look.Look{Tool: "test", Source: "test", Samples: make([]look.Sample, len(f.components))}
	for i, s := range f.components {
		for m := range values {
			v := look.Value{Metric: f.metrics[m], X: values[m].X[i]}
			if m == 0 {
				v.Requests = values[m].Requests[i]
			}
			s.Values = append(s.Values, v)
		}
		l.Samples[i] = s
	}
	return l
}

// TestRankerIsRank: a ranker, which takes values by index and keeps its memory, finds in each of
// many looks at the same components what Rank finds.
func TestRankerIsRank(t *testing.T) {
	fleets := 300
	if testing.Short() {
		fleets = 60
	}
	seen := map[look.Mark]int{}
	reasons := 0
	for seed := range uint64(fleets) {
		r := random(seed)
		metrics := [][]look.Metric{
			{look.Latency, look.Requests, look.ReqSize},
			{look.WriteLatency, look.ReadLatency, look.BusyTime, look.InFlight, look.Requests},
			{look.Requests, look.ReqSize},
		}[r.IntN(3)]
		f := newFleet(seed, 1+r.IntN(4), 1+r.IntN(9), 1+r.IntN(9), metrics...)
		o := look.DefaultOptions()
		o.FalseMarks = []float64{0.01, 0.05}[r.IntN(2)]
		ranker := look.NewRanker(f.components, f.metrics, o)
		for k := range 6 {
			f.slow[r.IntN(len(f.slow))] = []float64{1, 3, 20}[r.IntN(3)]
			f.host[r.IntN(len(f.host))] = []float64{1, 1, 4}[r.IntN(3)]
			values := f.draw([]float64{0.05, 0.2, 1}[r.IntN(3)], []float64{0, 0.1, 0.9, 1}[r.IntN(4)])
			got, bands := ranker.Rank(values)
			want := look.Rank([]look.Look{f.look(values)}, o)
			at := map[string]int{}
			for i := range f.components {
				at[f.components[i].Component] = i
			}
			for _, g := range want.Groups {
				for _, c := range g.Components {
					w := look.Result{Mark: c.Mark, Times: math.NaN(), Deviations: math.NaN(), Reasons: c.Reasons}
					if len(c.Measures) > 0 {
						w.Times, w.Deviations, w.Metric = c.Measures[0].Times, c.Measures[0].Deviations, c.Measures[0].Metric
					}
					if a, b := fmt.Sprintf("%+v", got[at[c.Name]]), fmt.Sprintf("%+v", w); a != b {
						t.Fatalf("fleet %d, look %d, %s: got %s, want %s", seed, k, c.Name, a, b)
					}
					seen[c.Mark]++
					reasons += len(c.Reasons)
				}
				for i, kind := range ranker.Kinds() {
					if kind != g.Kind {
						continue
					}
					var w *look.Band
					if len(g.Bands) > 0 {
						w = &g.Bands[0]
					}
					if !reflect.DeepEqual(bands[i], w) {
						t.Fatalf("fleet %d, look %d, %s: band %+v, want %+v", seed, k, kind, bands[i], w)
					}
				}
			}
		}
	}
	t.Logf("%v, %d reasons", seen, reasons)
	for _, m := range []look.Mark{look.Apart, look.SlowWithHost, look.Explained, look.Unsure, look.Within, look.Alone, look.Idle} {
		if seen[m] == 0 {
			t.Errorf("no component of these fleets has the mark %q", m)
		}
	}
}

// BenchmarkRank compares the ranker with its plain twin.
func BenchmarkRank(b *testing.B) {
	f := newFleet(1, 4, 100, 100, look.Latency, look.Requests, look.ReqSize)
	f.slow[17], f.slow[4711] = 10, 5
	values := f.draw(0.1, 0)
	b.Run("ranker", func(b *testing.B) {
		r := look.NewRanker(f.components, f.metrics, look.DefaultOptions())
		for b.Loop() {
			r.Rank(values)
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			look.Rank([]look.Look{f.look(values)}, look.DefaultOptions())
		}
	})
}

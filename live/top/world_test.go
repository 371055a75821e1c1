package top

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A world is drives of one server that are read from all the time.
type world struct {
	system *topology.System
	schema table.Schema
	random *rand.Rand
	now    int64
	slow   map[int]float64 // how many times slower a drive is
	idle   map[int]bool
}

const begin = 1_700_000_000

func newWorld(t testing.TB, servers, drives int) *world {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "servers: fs[1-%d]\ndrives:\n  - devices: sd[1-%d]\n", servers, drives)
	system, _, err := topology.Parse("site.yaml", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		system: system, now: begin, random: rand.New(rand.NewPCG(1, 2)), slow: map[int]float64{}, idle: map[int]bool{},
		schema: table.Schema{
			StepSeconds: 1, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await},
			Components: len(system.Components), Servers: len(system.Servers),
		},
	}
}

// next returns the row of the next second: about 100 requests of 5 ms a drive.
func (w *world) next() *table.Row {
	w.now++
	row := table.NewRow(w.schema)
	row.End = w.now
	for i := range row.Heard {
		row.Heard[i] = true
	}
	for i := range w.system.Components {
		if w.idle[i] {
			for m := range row.Values {
				row.Values[m][i] = 0
			}
			continue
		}
		times := 1.0
		if x := w.slow[i]; x > 0 {
			times = x
		}
		load := 100 + 10*w.random.NormFloat64()
		row.Values[0][i], row.Values[1][i], row.Values[2][i] = load, load*8, 0
		row.Values[3][i] = 5 * times * math.Exp(0.1*w.random.NormFloat64())
	}
	return row
}

func newModel(t testing.TB, w *world) *Model {
	t.Helper()
	o := DefaultOptions()
	o.Zone, o.Source = time.UTC, "test"
	m := New(o)
	if err := m.Change(w.system, w.schema); err != nil {
		t.Fatal(err)
	}
	return m
}

package persistence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestWorkersChangeNothing: any number of processors gives the same windows in
// the same order, bit by bit, over gaps and with idle groups too.
func TestWorkersChangeNothing(t *testing.T) {
	run := func(processors int) []string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return fingerprints(t, 5)
	}
	want := run(1)
	if len(want) < 3*8*5 {
		t.Fatalf("%d windows", len(want))
	}
	for _, processors := range []int{2, 5} {
		if got := run(processors); !slices.Equal(got, want) {
			t.Errorf("%d processors give other windows than one", processors)
		}
	}
	if !slices.IsSorted(want) {
		t.Error("windows are not in the order of time, metric and group")
	}
}

// fingerprints passes a system with a number of groups, large enough for several
// workers, through a detector and prints its windows in full, time first.
func fingerprints(t *testing.T, groups int) []string {
	t.Helper()
	system, schema := grouped(groups, 300)
	d, err := New(DefaultOptions(), system, schema, []string{"tps", "await", "%util"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	rng := rand.New(rand.NewPCG(2, 2))
	row := table.NewRow(schema)
	for step := int64(1000); step < 1300; step++ {
		if step == 1100 || step > 1200 && rng.IntN(30) == 0 {
			step += 1 + rng.Int64N(70)
		}
		fillRow(rng, row, step, groups)
		d.Push(row, func(w *Window) {
			sum := 0.0
			for _, v := range w.Verdicts {
				sum += v.Score + v.Threshold + v.Median + float64(v.State) + float64(v.Reason)
			}
			all = append(all, fmt.Sprintf("%d %d %d %x %v %v", w.End, w.Metric, w.Group, math.Float64bits(sum), w.Bins, w.Verdicts))
		})
	}
	return all
}

// grouped returns a system of groups of equal size, one member of each group after the
// other, with ten servers and three metrics.
func grouped(groups, size int) (*topology.System, table.Schema) {
	s := &topology.System{Groups: make([]topology.PeerGroup, groups)}
	for i := range 10 {
		s.Servers = append(s.Servers, fmt.Sprintf("fs%d", i))
	}
	for c := range groups * size {
		g := &s.Groups[c%groups]
		g.ID, g.Name, g.Members = c%groups+1, fmt.Sprint(c%groups), append(g.Members, c)
		s.Components = append(s.Components, topology.Component{
			Name: fmt.Sprint(c), Kind: topology.Attachment, Server: s.Servers[c%10], Priority: 1 + c%groups,
		})
	}
	return s, table.Schema{
		StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.Util},
		Components: groups * size, Load: 0,
	}
}

// fillRow makes the members of the first two groups busy and of the others one
// in fifty. Now and then a value is missing, and half-way a server.
func fillRow(rng *rand.Rand, row *table.Row, step int64, groups int) {
	row.End = 15 * step
	for c := range row.Values[0] {
		busy := c%groups < 2 || c%50 == 3
		for m := range row.Values {
			v := 0.0
			if busy && rng.IntN(5) > 0 {
				v = 10 * rng.ExpFloat64()
			}
			if rng.IntN(200) == 0 || c%10 == 7 && step > 1150 {
				v = table.Missing
			}
			row.Values[m][c] = v
		}
	}
}

// TestSteadyStateAllocatesLittle: a day has 5,760 rows, a month of seconds 2.6
// million.
func TestSteadyStateAllocatesLittle(t *testing.T) {
	system, schema := grouped(5, 300)
	d, err := New(DefaultOptions(), system, schema, []string{"tps", "await", "%util"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	row, step, windows := table.NewRow(schema), int64(1000), 0
	push := func() {
		fillRow(rng, row, step, 5)
		d.Push(row, func(*Window) { windows++ })
		step++
	}
	for range 150 {
		push()
	}
	if n := testing.AllocsPerRun(120, push); n > 20 || windows < 15*8 {
		t.Errorf("%v allocations a row, %d windows", n, windows)
	}
}

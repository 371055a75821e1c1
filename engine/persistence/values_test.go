package persistence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

const winSize, smooth = 6, 4

// TestValues: averages, loads and members at zero equal their definition, with gaps of
// any length. Saving and restoring before every row changes nothing.
func TestValues(t *testing.T) {
	members := []int{3, 0, 2}
	rested := 0
	for _, full := range []int{0, 3} {
		rng := rand.New(rand.NewPCG(1, 1))
		past := map[int64][][]float64{} // by step, column and component
		v := newSeries(members, full)
		for step := int64(100); step < 400; step++ {
			quiet := step%150 > 110 // all rest, and nothing is lost
			if rng.IntN(9) == 0 && !quiet {
				step += rng.Int64N(9)
			}
			if !quiet {
				v = restored(t, v, members, full)
			}
			past[step] = randomRow(rng, step)
			if quiet {
				clear(past[step][0])
				clear(past[step][1])
			}
			row := &table.Row{Values: past[step]}
			v.Loads.Take(step, row)
			v.Take(step, row)
			rested = max(rested, v.mean.RestedFor(0))
			end := step
			if !quiet {
				end += rng.Int64N(3) * rng.Int64N(2) // some windows end in a gap
			}
			v.AdvanceTo(end)
			v.Loads.Sum(end)
			step = end
			for at, c := range members {
				check(t, v, past, at, c, end, full)
			}
		}
	}
	if rested <= winSize {
		t.Errorf("all rested for %d steps at the most: nothing could be left as it was", rested)
	}
}

func newSeries(members []int, full int) *values {
	v := newValues(1, members, shape{Smooth: smooth, WinSize: winSize, Full: full})
	v.Loads, v.Active = newLoads(0, v), true
	v.Restart()
	v.Loads.Restart()
	return v
}

// randomRow returns a load and a metric of four components; the third is idle for long.
func randomRow(rng *rand.Rand, step int64) [][]float64 {
	row := [][]float64{make([]float64, 4), make([]float64, 4)}
	for c := range row[0] {
		if rng.IntN(3) > 0 && (c != 2 || step%50 < 10) {
			row[0][c], row[1][c] = float64(1+rng.IntN(5)), rng.Float64()
		}
		if rng.IntN(8) == 0 && c != 2 {
			row[1][c] = table.Missing
		}
	}
	return row
}

func check(t *testing.T, v *values, past map[int64][][]float64, at, component int, end int64, full int) {
	t.Helper()
	got, load, zero := make([]float64, winSize), 0.0, true
	v.Copy(got, at, at+1)
	for i, value := range got {
		step := end - winSize + 1 + int64(i)
		want := average(past, step, component, full)
		if fmt.Sprint(value) != fmt.Sprint(want) {
			t.Fatalf("step %d of %d, component %d: %v, want %v", step, end, component, value, want)
		}
		if past[step] != nil {
			load += past[step][0][component]
		}
		zero = zero && want == 0
	}
	if v.Loads.Sums[at] != load {
		t.Fatalf("step %d, component %d: load %v, want %v", end, component, v.Loads.Sums[at], load)
	}
	if v.AtZero(at) && !zero {
		t.Fatalf("step %d, component %d is not at zero", end, component)
	}
}

// average returns the mean over the last steps with load; missing where the step itself
// is missing, or too few steps have a value.
func average(past map[int64][][]float64, step int64, component, full int) float64 {
	sum, n, there := 0.0, 0.0, 0
	for s := step - smooth + 1; s <= step; s++ {
		if row := past[s]; row != nil && !table.IsMissing(row[1][component]) {
			there++
			if row[0][component] > 0 {
				sum, n = sum+row[1][component], n+1
			}
		}
	}
	if past[step] == nil || table.IsMissing(past[step][1][component]) || there < full {
		return table.Missing
	}
	return sum / max(n, 1)
}

// restored saves values and reads them into others.
func restored(t *testing.T, v *values, members []int, full int) *values {
	t.Helper()
	axis := func(c *state.Codec) *state.Axis {
		return c.Sub(c.Axis([]state.Named{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}), slices.Clone(members))
	}
	data, err := state.Encode(1, func(c *state.Codec) { v.State(c, axis(c)); v.Loads.State(c, axis(c)) })
	if err != nil {
		t.Fatal(err)
	}
	other := newSeries(members, full)
	if err := state.Decode(data, 1, func(c *state.Codec) { other.State(c, axis(c)); other.Loads.State(c, axis(c)) }); err != nil {
		t.Fatal(err)
	}
	return other
}

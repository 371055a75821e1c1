package window

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

const begin = 1251763200 // a multiple of every shift

// drawn returns random rows with missing values and missing rows.
func drawn(rng *rand.Rand, step int64, components int) (table.Schema, []*table.Row) {
	schema := table.Schema{StepSeconds: step, Metrics: Columns[:], Components: components, Load: -1}
	var rows []*table.Row
	end := begin + step*rng.Int64N(64)
	for range 400 {
		if end += step; rng.IntN(60) == 0 {
			end += step * rng.Int64N(80)
		}
		row := table.NewRow(schema)
		row.End = end
		for m := range row.Values {
			for c := range row.Values[m] {
				if rng.IntN(12) > 0 {
					row.Values[m][c] = 100 * rng.ExpFloat64()
				}
			}
		}
		rows = append(rows, row)
	}
	return schema, rows
}

// TestTotalsTwin: the sums over shifts equal the sums over the rows of each window.
func TestTotalsTwin(t *testing.T) {
	for _, tt := range []struct{ step, shift, shifts int64 }{{1, 32, 2}, {2, 32, 2}, {4, 64, 1}, {8, 16, 8}, {10, 30, 2}, {60, 120, 2}} {
		t.Run(fmt.Sprintf("%d s", tt.step), func(t *testing.T) {
			schema, rows := drawn(rand.New(rand.NewPCG(uint64(tt.step), 2)), tt.step, 3)
			totals, windows := NewTotals(schema, tt.shift, int(tt.shifts)), 0
			for _, row := range rows {
				totals.Row(row, func(end int64, steps int) {
					windows++
					in := between(rows, end-tt.shifts*tt.shift, end)
					if steps != len(in) {
						t.Fatalf("window to %d: %d steps, want %d", end-begin, steps, len(in))
					}
					for c := range totals.ByComponent {
						sameTotal(t, &totals.ByComponent[c], in, c)
						for way := range Directions {
							sameLoss(t, &totals.Losses[c][way], rows, end, tt.shift, tt.shifts, c, way, float64(tt.step))
						}
					}
				})
			}
			if windows < 10 {
				t.Errorf("%d windows", windows)
			}
		})
	}
}

func between(rows []*table.Row, from, to int64) (in []*table.Row) {
	for _, row := range rows {
		if row.End > from && row.End <= to {
			in = append(in, row)
		}
	}
	return in
}

func near(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a))
}

func sameTotal(t *testing.T, got *Total, rows []*table.Row, c int) {
	t.Helper()
	for column := range NumColumns {
		sum, n := 0.0, 0.0
		for _, row := range rows {
			if v := row.Values[column][c]; !math.IsNaN(v) {
				sum, n = sum+v, n+1
			}
		}
		if !near(got.Mean(column), sum/n) {
			t.Errorf("%s: %g, want %g", Columns[column].Name, got.Mean(column), sum/n)
		}
	}
	waited, requests := 0.0, 0.0
	for _, row := range rows {
		if tps, await := row.Values[TPS][c], row.Values[Await][c]; !math.IsNaN(tps + await) {
			waited, requests = waited+tps*await, requests+tps
		}
	}
	if !near(got.Waited, waited) || !near(got.Requests, requests) {
		t.Errorf("waited %g for %g, want %g for %g", got.Waited, got.Requests, waited, requests)
	}
}

// sameLoss computes the variance from half of the squared differences of the residues of
// each shift, without the greatest.
func sameLoss(t *testing.T, got *Loss, rows []*table.Row, end, shift, shifts int64, c, way int, step float64) {
	t.Helper()
	var allLost, allSent, has, chance float64
	for s := range shifts {
		var lost, sent []float64
		for _, row := range between(rows, end-(s+1)*shift, end-s*shift) {
			if l, d := row.Values[Directions[way].Resent][c], row.Values[Directions[way].Delivered][c]; !math.IsNaN(l + d) {
				lost, sent = append(lost, l*step), append(sent, (l+d)*step)
			}
		}
		share := sum(lost) / sum(sent)
		squares, pairs, largest, top := 0.0, 0.0, 0.0, 0.0
		for i := 1; i < len(lost); i++ {
			d := (lost[i] - share*sent[i]) - (lost[i-1] - share*sent[i-1])
			squares, pairs = squares+d*d/2, pairs+1
			if change := math.Abs(lost[i] - lost[i-1]); change > largest {
				largest, top = change, d*d/2
			}
		}
		squares, pairs = squares-top, pairs-1
		allLost, allSent = allLost+sum(lost), allSent+sum(sent)
		if pairs > 0 {
			has, chance = has+squares*float64(len(lost))/pairs, chance+share*(1-share)*sum(sent)
		}
	}
	if !near(got.Lost, allLost) || !near(got.Sent, allSent) || !near(got.Percent(), 100*allLost/allSent) || chance > 0 && !near(got.Dispersion(), has/chance) {
		t.Errorf("%+v (dispersion %g), want %g of %g, %g", *got, got.Dispersion(), allLost, allSent, has/chance)
	}
}

func sum(list []float64) (total float64) {
	for _, v := range list {
		total += v
	}
	return total
}

// TestDispersion: independent losses have the variance of chance at any speed of the
// network, and at any begin. Bursts have far more.
func TestDispersion(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	one := func(mean float64, _ int) float64 { return max(0, mean+math.Sqrt(mean)*rng.NormFloat64()) }
	for name, tt := range map[string]struct {
		lost        func(mean float64, second int) float64
		least, most func(mean float64) float64
	}{
		"one by one": {one, always(0.5), always(1.5)},
		"one by one, from the half of a shift on": {
			func(mean float64, second int) float64 { return one(mean, second) * float64(second/16) }, always(0.5), always(1.5),
		},
		"in bursts": {
			func(mean float64, _ int) float64 { return 8 * mean * float64(rng.IntN(8)/7) },
			func(mean float64) float64 { return mean }, always(math.Inf(1)),
		},
	} {
		for _, mean := range []float64{20, 200, 2000} {
			var l Loss
			for range 8 {
				var s Segments
				for i := range 32 {
					lost := tt.lost(mean, i)
					s.add(lost, 100*mean-lost)
				}
				l.take(&s, 1)
			}
			if l.Dispersion() < tt.least(mean) || l.Dispersion() > tt.most(mean) {
				t.Errorf("%s, %g a second: dispersion %.2f", name, mean, l.Dispersion())
			}
		}
	}
	var none Loss
	none.take(&Segments{}, 1)
	if none.Dispersion() != 0 || !table.IsMissing(none.Percent()) {
		t.Errorf("of nothing: %g, %g", none.Dispersion(), none.Percent())
	}
}

func always(x float64) func(float64) float64 { return func(float64) float64 { return x } }

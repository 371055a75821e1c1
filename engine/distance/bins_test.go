package distance

import (
	"math"
	"testing"
)

// extremes are values at the ends of the range of floats.
var extremes = []float64{
	0, math.Copysign(0, -1), 5e-324, 1e-308, 1, 10, 1e18, 1e308, math.MaxFloat64, math.Inf(1),
	-5e-324, -1, -1e308, -math.MaxFloat64, math.Inf(-1), math.NaN(),
}

// TestBinsOfExtremes: every value has a bin, and there is at least one bin.
func TestBinsOfExtremes(t *testing.T) {
	for _, a := range extremes {
		for _, b := range extremes {
			for _, c := range extremes {
				pool := AppendPresent(nil, []float64{a, b, c, 10, 11, 12, a, b, c})
				for name, bins := range map[string]Bins{
					"freedmanDiaconis": freedmanDiaconis(append([]float64(nil), pool...), 0, 60, 4096, 0.1),
					"sturges":          sturges(append([]float64(nil), pool...), 64),
				} {
					if bins.Count < 1 || bins.Count > 4096 {
						t.Fatalf("%s of %v: %d bins", name, pool, bins.Count)
					}
					for _, v := range append(pool, extremes...) {
						if at := bins.binOf(v); at < 0 || at >= bins.Count {
							t.Fatalf("%s of %v: %v is in bin %d of %d", name, pool, v, at, bins.Count)
						}
					}
				}
			}
		}
	}
}

// TestMeasuresOfExtremes: no measure panics.
func TestMeasuresOfExtremes(t *testing.T) {
	const members = 5
	for _, name := range Names() {
		const winSize = 16
		m := New(name, winSize, 1000)
		for shift := range len(extremes) {
			x := &Sample{Domains: [][]int{{0, 1, 2, 3, 4}}}
			for i := range members {
				values := make([]float64, winSize)
				for k := range values {
					values[k] = extremes[(shift*i+k)%len(extremes)]
				}
				x.Values = append(x.Values, values)
			}
			m.Score(x, make([]float64, members))
		}
	}
}

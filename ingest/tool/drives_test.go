package tool

import (
	"math"
	"testing"
)

func TestMeanWait(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name         string
		rates, waits []float64
		tps, await   float64
	}{
		{"reads and writes", []float64{10, 30}, []float64{2, 4}, 40, 3.5},
		{"no requests", []float64{0, 0}, []float64{nan, nan}, 0, 0},
		{"no discards in this version", []float64{10, 30, nan}, []float64{2, 4, nan}, 40, 3.5},
		{"the wait of writes is not printed", []float64{10, 30}, []float64{2, nan}, 40, 2},
		{"no wait is printed", []float64{10, 30}, []float64{nan, nan}, 40, nan},
		{"only the wait of requests that did not occur is printed", []float64{0, 30}, []float64{0, nan}, 30, nan},
	} {
		tps, await := meanWait(c.rates, c.waits)
		if tps != c.tps || await != c.await && !(math.IsNaN(await) && math.IsNaN(c.await)) {
			t.Errorf("%s: meanWait returned %g requests and %g ms, want %g and %g", c.name, tps, await, c.tps, c.await)
		}
	}
}

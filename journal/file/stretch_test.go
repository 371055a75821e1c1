package file

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainStretch is stretch value by value.
func plainStretch(values []float64) (n, repeats int) {
	values = values[:min(len(values), maxStretch)]
	last, run := math.Float64bits(values[0]), 1
	for i := 1; i < len(values); i++ {
		bits := math.Float64bits(values[i])
		if run++; bits != last {
			last, run = bits, 1
		}
		if run == minRepeats {
			n = i + 1 - run
			for i++; i < len(values) && math.Float64bits(values[i]) == last; i++ {
				run++
			}
			return n, run
		}
	}
	return len(values), 0
}

// TestStretchTwin: what is skipped holds no repetition, in values of which two to nine
// are possible, so that there are many or few.
func TestStretchTwin(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	for round := range 20_000 {
		values := make([]float64, 1+dice.IntN(40))
		if round%1000 == 0 {
			values = make([]float64, maxStretch+dice.IntN(10))
		}
		kinds := 2 + dice.IntN(8)
		for i := range values {
			values[i] = []float64{0, math.NaN(), 1, 2, 3, 4, 5, 6, 7}[dice.IntN(kinds)]
		}
		n, repeats := stretch(values)
		wantN, wantRepeats := plainStretch(values)
		if n != wantN || repeats != wantRepeats {
			t.Fatalf("%v: %d and %d, want %d and %d", values, n, repeats, wantN, wantRepeats)
		}
	}
}

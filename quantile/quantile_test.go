package quantile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{3, 1, 2}, 2},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		if got := Median(c.in); got != c.want {
			t.Errorf("Median(%v) = %g, want %g", c.in, got, c.want)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("the median of nothing is %g, want a missing value", got)
	}
}

// TestOthers holds the median without one against that of the others.
func TestOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 12; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(6))
		}
		slices.Sort(x)
		for i := range x {
			want := Median(slices.Concat(x[:i], x[i+1:]))
			if got := Others(x, x[i]); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v without %g has the median %g, want %g", x, x[i], got, want)
			}
		}
	}
}

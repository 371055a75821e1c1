package quantile

import (
	"fmt"
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

// sortedMedian is the twin of Median.
func sortedMedian(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return (x[(n-1)/2] + x[n/2]) / 2
}

// TestMiddle holds medians, of all and of all but one, against sorted values.
func TestMiddle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for n := range 300 {
		x := make([]float64, n)
		for i := range x {
			if x[i] = float64(rng.IntN(6)); n%2 == 0 {
				x[i] = rng.NormFloat64()
			}
		}
		m := MiddleOf(slices.Clone(x))
		if got, want := m.Median(), sortedMedian(x); !same(got, want) || !same(Median(slices.Clone(x)), want) {
			t.Fatalf("%v has the median %g, want %g", x, got, want)
		}
		for i := range x {
			if got, want := m.Without(x[i]), sortedMedian(slices.Concat(x[:i], x[i+1:])); !same(got, want) {
				t.Fatalf("%v without %g has the median %g, want %g", x, x[i], got, want)
			}
		}
	}
}

// BenchmarkMedian finds the median of groups of a few drives, and of a peer group of Intrepid (576).
func BenchmarkMedian(b *testing.B) {
	for _, n := range []int{6, 12, 24, 36, 576} {
		rng := rand.New(rand.NewPCG(3, 4))
		groups := make([][]float64, 4096) // the processor would learn the branches of a few groups
		for i := range groups {
			for range n {
				groups[i] = append(groups[i], rng.NormFloat64())
			}
		}
		for name, of := range map[string]func([]float64) float64{"median": Median, "sorted": sortedMedian} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				var x []float64
				for at := 0; b.Loop(); at++ {
					x = append(x[:0], groups[at%len(groups)]...)
					of(x)
				}
			})
		}
	}
}

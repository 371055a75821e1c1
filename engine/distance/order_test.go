package distance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/internal/quantile"
)

func TestQuantileAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		x := make([]float64, 1+rng.IntN(40))
		for i := range x {
			x[i] = float64(rng.IntN(10))
		}
		sorted := slices.Sorted(slices.Values(x))
		for _, p := range []float64{0, 0.25, 0.5, 0.75, 1} {
			h := p * float64(len(x)-1)
			lo, hi := sorted[int(math.Floor(h))], sorted[int(math.Ceil(h))]
			want := lo + (h-math.Floor(h))*(hi-lo)
			if got := valueAtRank(x, 0, h); got != want {
				t.Fatalf("quantile %v of %v: %v, want %v", p, sorted, got, want)
			}
		}
	}
}

func TestInterquartileAgainstQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for n := 1; n < 80; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(50))
		}
		want := valueAtRank(slices.Clone(x), 0, 0.75*float64(n-1)) - valueAtRank(slices.Clone(x), 0, 0.25*float64(n-1))
		if got := interquartile(slices.Clone(x), 0); got != want {
			t.Fatalf("%d values: %v, want %v", n, got, want)
		}
		for zeros := range 4 * n {
			all := append(make([]float64, zeros), x...)
			last := float64(len(all) - 1)
			want := valueAtRank(slices.Clone(all), 0, 0.75*last) - valueAtRank(slices.Clone(all), 0, 0.25*last)
			if got := interquartile(slices.Clone(x), zeros); got != want {
				t.Fatalf("%d values and %d zeros: %v, want %v", n, zeros, got, want)
			}
		}
	}
}

// TestSelectionAgainstSorting: whatever the distances and their order, and
// where the sample misleads, too.
func TestSelectionAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 64))
	value := map[string]func(i, n int) float64{
		"random":   func(int, int) float64 { return rng.ExpFloat64() },
		"few":      func(int, int) float64 { return float64(rng.IntN(4)) },
		"equal":    func(int, int) float64 { return 0.25 },
		"falling":  func(i, n int) float64 { return float64(n - i) },
		"two ends": func(i, _ int) float64 { return float64(i%2) * 1e9 },
		"misleading": func(i, n int) float64 { // all that is sampled lies below the rest
			if next := (i*sampled + n - 1) / n; next*n/sampled == i {
				return -1
			}
			return rng.Float64()
		},
	}
	var s selection
	for name, of := range value {
		for _, n := range []int{1, 2, 63, shortRow - 1, shortRow, shortRow + 1, 1000, 2003} {
			row := make([]float64, n)
			for i := range row {
				row[i] = of(i, n)
			}
			sorted := slices.Sorted(slices.Values(row))
			for _, m := range []int{1, n/2 + 1, n/3 + 1, n} {
				if got, want := s.Largest(slices.Clone(row), m), sorted[n-m]; got != want {
					t.Fatalf("%s: number %d of %d is %v, want %v", name, m, n, got, want)
				}
			}
		}
	}
}

// BenchmarkSelection finds the scores in rows of distances, by a sample and
// without.
func BenchmarkSelection(b *testing.B) {
	const members, rows = 2000, 100 // a few would be learned by heart, branch by branch
	rng := rand.New(rand.NewPCG(3, 64))
	var all [rows][members]float64
	for r := range all {
		for i := range all[r] {
			all[r][i] = rng.ExpFloat64()
		}
	}
	each := func(find func(distances []float64)) func() {
		scratch := make([]float64, members)
		return func() {
			for r := range all {
				copy(scratch, all[r][:])
				find(scratch)
			}
		}
	}
	var s selection
	perValue(b, "sampled", rows*members, each(func(d []float64) { s.Largest(d, members/2+1) }))
	perValue(b, "plain", rows*members, each(func(d []float64) { quantile.Nth(d, members/2) }))
}

// BenchmarkMedian is that of a window, and by sorting.
func BenchmarkMedian(b *testing.B) {
	const steps, windows = 60, 1000
	rng := rand.New(rand.NewPCG(4, 64))
	all := make([]float64, steps*windows)
	for i := range all {
		all[i] = rng.ExpFloat64()
	}
	each := func(find func([]float64)) func() {
		scratch := make([]float64, steps)
		return func() {
			for at := 0; at < len(all); at += steps {
				copy(scratch, all[at:])
				find(scratch)
			}
		}
	}
	perValue(b, "selected", len(all), each(func(x []float64) { Median(x) }))
	perValue(b, "sorted", len(all), each(slices.Sort[[]float64]))
}

func perValue(b *testing.B, name string, values int, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
	})
}

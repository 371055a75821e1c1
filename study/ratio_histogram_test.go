package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		in   []float32
		want float64
	}{
		{[]float32{5}, 5},
		{[]float32{3, 1, 2}, 2},
		{[]float32{4, 1, 3, 2}, 2.5},
		{[]float32{7, 7, 7, 7}, 7},
		{[]float32{250, 500, 250, 750}, 375},
	}
	s := newSorter()
	for _, test := range tests {
		bits := bitsOf(test.in)
		s.Sort(bits)
		if got := median(bits); got != test.want {
			t.Errorf("median of %v is %v, want %v", test.in, got, test.want)
		}
	}
}

func bitsOf(values []float32) []uint32 {
	var bits []uint32
	for _, v := range values {
		bits = append(bits, ratioBits(v))
	}
	return bits
}

// TestNetworks tries every order of zeros and ones up to 16 values, which
// proves a network for all values, and random ones beyond.
func TestNetworks(t *testing.T) {
	s := newSorter()
	for n := range 17 {
		for pattern := range 1 << n {
			x := make([]uint32, n)
			for i := range x {
				x[i] = uint32(pattern >> i & 1)
			}
			if s.Sort(x); !slices.IsSorted(x) {
				t.Fatalf("%d values, pattern %b: %v", n, pattern, x)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 17; n < 50; n++ {
		for range 2000 {
			x := random(rng, n)
			want := slices.Sorted(slices.Values(x))
			if s.Sort(x); !slices.Equal(x, want) {
				t.Fatalf("%d values: %v, want %v", n, x, want)
			}
		}
	}
}

func random(rng *rand.Rand, n int) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = ratioBits(float32(1000 * math.Exp(rng.NormFloat64())))
	}
	return x
}

func TestBin(t *testing.T) {
	b := NewBinner()
	one := doublings * PerDoubling
	tests := []struct {
		ratio float64
		want  int
	}{
		{1, one},
		{math.Nextafter(1, 0), one - 1},
		{2, one + PerDoubling},
		{math.Nextafter(2, 0), one + PerDoubling - 1},
		{1.5, one + 74},
		{0, 0},
		{1e-9, 0},
		{1e9, Bins - 1},
		{math.Inf(1), Bins - 1},
	}
	for _, test := range tests {
		if got := b.Bin(test.ratio); got != test.want {
			t.Errorf("%v is in bin %d, want %d", test.ratio, got, test.want)
		}
	}
}

// TestBinLimits holds every bin against its limits, and random ratios against
// the logarithm.
func TestBinLimits(t *testing.T) {
	b := NewBinner()
	for bin := 1; bin < Bins; bin++ {
		at := BinLower(bin)
		if got, below := b.Bin(at), b.Bin(math.Nextafter(at, 0)); got != bin || below != bin-1 {
			t.Fatalf("bin %d begins at %v: found %d there and %d below", bin, at, got, below)
		}
		if wide := BinLower(bin+1)/at - 1; wide > precision {
			t.Fatalf("bin %d is %v wide, more than %v", bin, wide, precision)
		}
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for range 1_000_000 {
		r := math.Exp2(20 * (rng.Float64() - 0.5))
		want := int(math.Floor(math.Log2(r)*PerDoubling)) + doublings*PerDoubling
		if got := b.Bin(r); got != want {
			t.Fatalf("%v is in bin %d, the logarithm says %d", r, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	b := NewBinner()
	var h, other Histogram
	if q := h.Quantile(0.5); q != 0 {
		t.Errorf("the median of nothing is %v, want 0", q)
	}
	for range 99 {
		h[b.Bin(1)]++
	}
	other[b.Bin(4)]++
	h.Merge(&other)
	for p, want := range map[float64]float64{0: 1, 0.5: 1, 0.98: 1, 0.995: 4, 1: 4} {
		if got := h.Quantile(p); got != want {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
	if h.Total() != 100 {
		t.Errorf("%d counted, want 100", h.Total())
	}
}

var sink int

func BenchmarkSort(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	var groups [512][]uint32
	for i := range groups {
		groups[i] = random(rng, 12)
	}
	run := func(sort func([]uint32)) func(*testing.B) {
		return func(b *testing.B) {
			x := make([]uint32, 12, widest)
			for i := 0; b.Loop(); i++ {
				copy(x, groups[i%len(groups)])
				sort(x)
			}
		}
	}
	b.Run("network", run(newSorter().Sort))
	b.Run("plain", run(slices.Sort))
}

func BenchmarkBin(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 4))
	var ratios [512]float64
	for i := range ratios {
		ratios[i] = math.Exp(0.1 * rng.NormFloat64())
	}
	binner := NewBinner()
	b.Run("table", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			sink += binner.Bin(ratios[i%len(ratios)])
		}
	})
	b.Run("plain", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			sink += int(math.Floor(math.Log2(ratios[i%len(ratios)]) * PerDoubling))
		}
	})
}

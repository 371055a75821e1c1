package distance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// plainCDF is the twin of cdf: it compares every pair and sorts the distances.
func plainCDF(x *Sample, winSize, maxBins int) (Bins, []float64) {
	var pool []float64
	for _, values := range x.Values {
		for _, v := range values {
			if !table.IsMissing(v) {
				pool = append(pool, v)
			}
		}
	}
	bins, score := freedmanDiaconis(pool, 0, winSize, maxBins, x.Noise), make([]float64, len(x.Values))
	for _, domain := range x.Domains {
		for _, i := range domain {
			var apart []int
			for _, j := range domain {
				if i != j {
					apart = append(apart, plainDistance(x.Values[i], x.Values[j], bins))
				}
			}
			slices.Sort(apart)
			score[i] = float64(apart[len(apart)-majorityRank(len(domain))]) / float64(winSize)
		}
	}
	return bins, score
}

func plainDistance(x, y []float64, bins Bins) int {
	sum := 0
	for b := range bins.Count {
		upTo := func(values []float64) (n int) {
			for _, v := range values {
				if !table.IsMissing(v) && bins.binOf(v) <= b {
					n++
				}
			}
			return n
		}
		d := upTo(x) - upTo(y)
		sum += max(d, -d)
	}
	return sum
}

// TestCDFIsItsTwin: equal histograms are compared once, and all scores equal those of
// all pairs exactly: with many of one kind, several kinds, none equal, all equal, in
// domains, and row by row. One measure serves all cases, as in a detector.
func TestCDFIsItsTwin(t *testing.T) {
	const winSize, maxBins, n = 12, 40, 47
	rng := rand.New(rand.NewPCG(9, 216))
	var shares int
	all, byRow := &cdf{winSize: winSize, maxBins: maxBins}, &cdf{winSize: winSize, maxBins: maxBins, limit: 1}
	for kinds := range n + 1 {
		for _, size := range []int{0, 5} {
			x := crowdOf(rng, n, kinds, winSize)
			shares += shareZeros(x)
			x.Domains = Domains(n, size, 1, uint64(kinds))
			bins, want := plainCDF(x, winSize, maxBins)
			for name, m := range map[string]*cdf{"at once": all, "row by row": byRow} {
				got := make([]float64, n)
				if b := m.Score(x, got); b != bins || !slices.Equal(got, want) {
					t.Fatalf("%d kinds, domains of %d, %s: %v in %v, want %v in %v", kinds, size, name, got, b, want, bins)
				}
			}
		}
	}
	if shares < 20 {
		t.Errorf("only %d members share their values", shares)
	}
}

// shareZeros lets most members at zero share their values, and counts them.
func shareZeros(x *Sample) (shares int) {
	x.Zeros = make([]float64, len(x.Values[0]))
	for i, values := range x.Values {
		if i%5 > 0 && slices.Equal(values, x.Zeros) {
			x.Values[i] = x.Zeros
			shares++
		}
	}
	return shares
}

// crowdOf returns n members with at most so many different series, some with missing
// values; one series is zero.
func crowdOf(rng *rand.Rand, n, kinds, steps int) *Sample {
	series, below := [][]float64{make([]float64, steps)}, float64(kinds%2) // values below zero, too
	for range kinds {
		values := make([]float64, steps)
		for at := range values {
			if values[at] = 10*rng.Float64() - below; rng.IntN(9) == 0 {
				values[at] = table.Missing
			}
		}
		series = append(series, values)
	}
	x := &Sample{Noise: 0.5}
	for range n {
		x.Values = append(x.Values, slices.Clone(series[rng.IntN(len(series))]))
	}
	return x
}

// TestAddUp: byte by byte, up to what a byte holds.
func TestAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 5))
	for n := range 70 {
		row, want := make([]byte, n), make([]byte, n)
		for left := MaxWinSize; left > 0 && n > 0; left-- {
			row[rng.IntN(n)]++
		}
		for i := range row {
			for _, v := range row[:i+1] {
				want[i] += v
			}
		}
		if prefixSums(row); !slices.Equal(row, want) {
			t.Errorf("%v, want %v", row, want)
		}
	}
}

// TestKinds: rows are of one kind exactly where they are equal, also where
// areas are.
func TestKinds(t *testing.T) {
	rows := []byte("ab" + "ba" + "ab" + "zz" + "ba" + "ab")
	areas := []uint32{7, 7, 7, 9, 7, 7}
	var k kinds
	for _, tt := range []struct{ domain, first, many, of []int }{
		{[]int{0, 1, 2, 3, 4, 5}, []int{0, 1, 3}, []int{3, 2, 1}, []int{0, 1, 0, 2, 1, 0}},
		{[]int{4, 3, 1}, []int{4, 3}, []int{2, 1}, []int{0, 1, 0}},
		{[]int{5}, []int{5}, []int{1}, []int{0}},
	} {
		k.sort(tt.domain, rows, 2, areas, []bool{true, false, true, false, false, false})
		if !slices.Equal(k.first, tt.first) || !slices.Equal(k.sizes, tt.many) || !slices.Equal(k.kindOf, tt.of) {
			t.Errorf("%v: first %v, %v of them, members of %v", tt.domain, k.first, k.sizes, k.kindOf)
		}
	}
}

// TestWeighed: each distance counts as often as its number of members.
func TestWeighed(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for n := 1; n <= fewKinds; n++ {
		var distances, all []uint32
		var many []int
		for range n {
			d, times := uint32(rng.IntN(20)), 1+rng.IntN(9)
			distances, many = append(distances, d), append(many, times)
			all = append(all, slices.Repeat([]uint32{d}, times)...)
		}
		slices.Sort(all)
		for m := 1; m <= len(all); m++ {
			if got, want := weightedNth(distances, many, m), all[len(all)-m]; got != want {
				t.Fatalf("number %d of %v, %v times: %d, want %d", m, distances, many, got, want)
			}
		}
	}
}

// BenchmarkCDF scores a group of Intrepid of which a number of members has work.
func BenchmarkCDF(b *testing.B) {
	const n = 768
	for _, busy := range []int{0, 6, n / 2, n} {
		b.Run(fmt.Sprintf("busy=%d", busy), func(b *testing.B) {
			x := &Sample{Values: noisy(n, 60, 4), Domains: Domains(n, 0, 1, 1)}
			x.Zeros = make([]float64, 60)
			for i := busy; i < n; i++ {
				x.Values[i] = x.Zeros
			}
			m, score := &cdf{winSize: 60, maxBins: 1000}, make([]float64, n)
			for b.Loop() {
				m.Score(x, score)
			}
		})
	}
}

// TestLargeGroupsScoreTheSame: row by row or all pairs at once.
func TestLargeGroupsScoreTheSame(t *testing.T) {
	x := &Sample{Values: noisy(37, 60, 4), Domains: Domains(37, 0, 1, 1)}
	at, rows := make([]float64, 37), make([]float64, 37)
	once := &cdf{winSize: 60, maxBins: 1000}
	byRow := &cdf{winSize: 60, maxBins: 1000, limit: 10}
	if a, b := once.Score(x, at), byRow.Score(x, rows); a != b || !slices.Equal(at, rows) {
		t.Errorf("scores differ: %v and %v", at, rows)
	}
}

// noisy gives n series of peers under a common, changing load.
func noisy(n, steps int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	series := make([][]float64, n)
	for i := range series {
		series[i] = make([]float64, steps)
		for t := range series[i] {
			load := 20 + 10*math.Sin(float64(t)/40)
			series[i][t] = load * math.Exp(0.2*rng.NormFloat64())
		}
	}
	return series
}

func scale(series []float64, by float64) {
	for t := range series {
		series[t] *= by
	}
}

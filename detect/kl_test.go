package detect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/table"
)

// TestKLAgainstItsDefinition compares scores with the definition, in groups
// small and large, whole and in domains, with members that lack some or all of
// their samples. They differ in the last bits only, and no threshold of a
// training falls between them.
func TestKLAgainstItsDefinition(t *testing.T) {
	tests := []struct{ members, winSize, domain int }{
		{3, 64, 0}, {10, 64, 0}, {100, 64, 0}, {shortRow + 60, 64, 0}, {100, 64, 10}, {20, 16, 0}, {20, maxWinSize, 0}, {1, 64, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			m := &kl{winSize: tt.winSize}
			for seed := range uint64(3) {
				x := &Sample{Values: gappy(tt.members, tt.winSize, seed), Domains: domains(tt.members, tt.domain, 1, seed)}
				got, want := make([]float64, tt.members), make([]float64, tt.members)
				bins := m.Score(x, got)
				klTwin(x, bins, want)
				for i := range got {
					if math.Abs(got[i]-want[i]) > 1e-13 || raise(got[i], 0.1) != raise(want[i], 0.1) {
						t.Fatalf("member %d scores %.17g, want %.17g", i, got[i], want[i])
					}
				}
			}
		})
	}
}

// gappy makes series of which some are scaled, some have gaps and one is
// empty.
func gappy(members, steps int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	series := noisy(members, steps, seed)
	for i := range series {
		scale(series[i], 1+float64(rng.IntN(3)))
		for at := range series[i] {
			if i%3 == 1 && rng.IntN(4) == 0 || i == 5 {
				series[i][at] = table.Missing
			}
		}
	}
	return series
}

// klTwin scores as F10 §10.1 says it: the divergence that more than half of a
// member's peers keep from it.
func klTwin(x *Sample, bins Bins, score []float64) {
	p := make([][]float64, len(x.Values))
	for i, values := range x.Values {
		p[i] = distributionTwin(values, bins)
	}
	for _, domain := range x.Domains {
		for _, i := range domain {
			var apart []float64
			for _, j := range domain {
				if j != i {
					apart = append(apart, divergenceTwin(p[i], p[j]))
				}
			}
			slices.Sort(apart)
			if score[i] = 0; len(apart) > 0 {
				score[i] = apart[len(apart)-majority(len(domain))]
			}
		}
	}
}

func distributionTwin(values []float64, bins Bins) []float64 {
	p := slices.Repeat([]float64{0.5}, bins.Count)
	total := 0.5 * float64(bins.Count)
	for _, v := range values {
		if !table.IsMissing(v) {
			p[bins.of(v)]++
			total++
		}
	}
	scale(p, 1/total)
	return p
}

// divergenceTwin is ½(D(P‖Q)+D(Q‖P)).
func divergenceTwin(p, q []float64) float64 {
	sum := 0.0
	for b := range p {
		sum += p[b]*math.Log(p[b]/q[b]) + q[b]*math.Log(q[b]/p[b])
	}
	return sum / 2
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
			for _, m := range []int{1, majority(n), n/3 + 1, n} {
				if got, want := s.largest(slices.Clone(row), m), sorted[n-m]; got != want {
					t.Fatalf("%s: number %d of %d is %v, want %v", name, m, n, got, want)
				}
			}
		}
	}
}

// BenchmarkKL scores one window of a large group, as kl does and by the
// definition.
func BenchmarkKL(b *testing.B) {
	const members = 500
	x := &Sample{Values: noisy(members, 64, 1), Domains: domains(members, 0, 1, 1)}
	score := make([]float64, members)
	m := &kl{winSize: 64}
	bins := m.Score(x, score)
	perPair(b, "bin by bin", members*(members-1)/2, func() { m.Score(x, score) })
	perPair(b, "plain", members*(members-1)/2, func() { klTwin(x, bins, score) })
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
	perPair(b, "sampled", rows*members, each(func(d []float64) { s.largest(d, majority(members)) }))
	perPair(b, "plain", rows*members, each(func(d []float64) { nth(d, members-majority(members)) }))
}

func perPair(b *testing.B, name string, pairs int, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
	})
}

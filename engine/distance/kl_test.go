package distance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// TestKLAgainstItsDefinition compares scores with the definition, in groups
// small and large, whole and in domains, with members that lack some or all of
// their samples. They differ in the last bits only, and no threshold of a
// training falls between them.
func TestKLAgainstItsDefinition(t *testing.T) {
	tests := []struct{ members, winSize, domain int }{
		{3, 64, 0}, {10, 64, 0}, {100, 64, 0}, {320, 64, 0}, {100, 64, 10}, {20, 16, 0}, {20, MaxWinSize, 0}, {1, 64, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			m := &kl{winSize: tt.winSize}
			for seed := range uint64(3) {
				x := &Sample{Values: gappy(tt.members, tt.winSize, seed), Domains: Domains(tt.members, tt.domain, 1, seed)}
				got, want := make([]float64, tt.members), make([]float64, tt.members)
				bins := m.Score(x, got)
				klTwin(x, bins, want)
				for i := range got {
					if math.Abs(got[i]-want[i]) > 1e-13 || math.Ceil(10*got[i]) != math.Ceil(10*want[i]) {
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

// klTwin scores by the definition of F10 §10.1: the divergence that more than half of a
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
				score[i] = apart[len(apart)-majorityRank(len(domain))]
			}
		}
	}
}

func distributionTwin(values []float64, bins Bins) []float64 {
	p := slices.Repeat([]float64{0.5}, bins.Count)
	total := 0.5 * float64(bins.Count)
	for _, v := range values {
		if !table.IsMissing(v) {
			p[bins.binOf(v)]++
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

// BenchmarkKL scores one window of a large group, as kl does and by the
// definition.
func BenchmarkKL(b *testing.B) {
	const members = 500
	x := &Sample{Values: noisy(members, 64, 1), Domains: Domains(members, 0, 1, 1)}
	score := make([]float64, members)
	m := &kl{winSize: 64}
	bins := m.Score(x, score)
	perPair(b, "bin by bin", members*(members-1)/2, func() { m.Score(x, score) })
	perPair(b, "plain", members*(members-1)/2, func() { klTwin(x, bins, score) })
}

func perPair(b *testing.B, name string, pairs int, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
	})
}

package segment

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRoundAll rounds 9,216 numbers, of which one in eight is not zero.
func BenchmarkRoundAll(b *testing.B) {
	const n = 9216
	rng := rand.New(rand.NewPCG(1, 1))
	from, places := make([]float64, n), make([]int32, n)
	for i := range from {
		places[i] = int32(i%8*(n/8) + i/8)
		if i%8 == 0 {
			from[i] = rng.ExpFloat64()
		}
	}
	to, seen := make([]Code, n), make([]Seen, n)
	for b.Loop() {
		RoundAll(to, from, places, seen)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
}

package distance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// crowd is members whose values differ, of which a few are far from all others.
func crowd(n, winSize int) *Sample {
	rng := rand.New(rand.NewPCG(8, 8))
	x := &Sample{Noise: 0.01, Domains: [][]int{nil}}
	for i := range n {
		values := make([]float64, winSize)
		slow := 1.0
		if i%500 == 7 {
			slow = 5
		}
		for k := range values {
			values[k] = slow * (5 + rng.NormFloat64())
		}
		x.Values, x.Domains[0] = append(x.Values, values), append(x.Domains[0], i)
	}
	return x
}

// TestDrawnIsNearAll: a score by peers that were drawn is a distance that between 45 and
// 55 of a hundred of all peers exceed, or as near as fewer peers tell; the same ones are
// drawn again, and who is far off stays far off.
func TestDrawnIsNearAll(t *testing.T) {
	const n, winSize, maxBins, peers, share = 3000, 60, 200, 1024, 0.09 // 2·exp(−2·1024·0.09²) is 1e-7
	x := crowd(n, winSize)
	exact := &cdf{winSize: winSize, maxBins: maxBins}
	poll := &cdf{winSize: winSize, maxBins: maxBins, drawn: drawn{limit: peers}}
	all, some, again := make([]float64, n), make([]float64, n), make([]float64, n)
	bins := exact.Score(x, all)
	if got := poll.Score(x, some); got != bins {
		t.Errorf("bins %v, want %v", got, bins)
	}
	poll.Score(x, again)
	if !slices.Equal(some, again) {
		t.Error("other peers were drawn the second time")
	}
	for i := 0; i < n; i += 211 {
		exceed, reach := 0, 0
		for j := range n {
			d := float64(plainDistance(x.Values[i], x.Values[j], bins)) / winSize
			if d > some[i] {
				exceed++
			}
			if d >= some[i] {
				reach++
			}
		}
		if float64(exceed) > (0.5+share)*n || float64(reach) < (0.5-share)*n {
			t.Errorf("member %d: %d of %d peers exceed its score, %d reach it", i, exceed, n, reach)
		}
	}
	for i := range n {
		if far := i%500 == 7; far != (some[i] > 3*all[0]) {
			t.Errorf("member %d: %g, and %g by all pairs", i, some[i], all[i])
		}
	}
}

// BenchmarkCrowd shows how time grows with a group.
func BenchmarkCrowd(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, m := crowd(n, 60), New("cdf", 60, 1000)
			score := make([]float64, n)
			for b.Loop() {
				m.Score(x, score)
			}
		})
	}
}

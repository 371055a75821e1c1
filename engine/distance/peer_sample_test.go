package distance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/distance/internal/sad"
)

// crowd returns members with different values, a few of them far from all others.
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

// TestSampleIsNearAll: between 45 and 55 of a hundred of all peers exceed a score from a
// sample, or nearly as many with a smaller sample. The same sample is drawn again, and a
// member that is far off stays far off.
func TestSampleIsNearAll(t *testing.T) {
	const n, winSize, maxBins, peers, share = 3000, 60, 200, 1024, 0.09 // 2·exp(−2·1024·0.09²) is 1e-7
	x := crowd(n, winSize)
	exact := &cdf{winSize: winSize, maxBins: maxBins}
	poll := &cdf{winSize: winSize, maxBins: maxBins, sample: peerSample{limit: peers}}
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

// BenchmarkCrowd shows how time grows with a group, and how far scores are from those by
// all peers: the share of peers that exceed a score is away from a half by share-off, the
// score itself from the exact one by its part off, of 500 members.
func BenchmarkCrowd(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, m := crowd(n, 60), &cdf{winSize: 60, maxBins: 1000}
			score := make([]float64, n)
			var bins Bins
			before := cpuSeconds(b)
			for b.Loop() {
				bins = m.Score(x, score)
			}
			b.ReportMetric((cpuSeconds(b)-before)/float64(b.N), "cpu-s/op")
			share, part := m.worst(bins, score, 500)
			b.ReportMetric(share, "share-off")
			b.ReportMetric(part, "part-off")
		})
	}
}

// cpuSeconds returns the CPU time of the process so far: on a busy machine elapsed time
// shows nothing.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// worst compares some members with all peers by the rows of the last window.
func (m *cdf) worst(bins Bins, score []float64, members int) (share, part float64) {
	n, stride := len(score), sad.Stride(bins.Count)
	distances := make([]uint32, n)
	for k := range members {
		i := (7 + k*n/members) % n // the first is one that is far off
		exceed, reach := 0.0, 0.0
		for j := range n {
			distances[j] = sad.Sum(m.rows[i*stride:][:stride], m.rows[j*stride:][:stride])
			switch d := float64(distances[j]) / float64(m.winSize); {
			case d > score[i]:
				exceed++
				fallthrough
			case d == score[i]:
				reach++
			}
		}
		exact := float64(sad.Select(distances, majorityRank(n))) / float64(m.winSize)
		share = max(share, exceed/float64(n)-0.5, 0.5-reach/float64(n))
		part = max(part, math.Abs(score[i]-exact)/exact)
	}
	return share, part
}

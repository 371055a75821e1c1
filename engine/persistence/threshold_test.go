package persistence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// raisedTwin trains by the definition of F10 §10.1: it raises the threshold by 0.1 until
// no window of any run is anomalous after the filter.
func raisedTwin(scores []float64, k int) float64 {
	for tenths := 1; ; tenths++ {
		threshold := float64(tenths) / 10
		var last []bool // of a run, after the filter's span
		suspect := false
		for _, s := range scores {
			if table.IsMissing(s) {
				last = nil
				continue
			}
			last = append(last, s > threshold)
			last = last[max(0, len(last)-2*k+1):]
			odd := 0
			for _, is := range last {
				if is {
					odd++
				}
			}
			suspect = suspect || odd >= k
		}
		if !suspect {
			return threshold
		}
	}
}

func TestRaisedThresholdAgainstRaising(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	moved := 0
	for range 3000 {
		k := 1 + rng.IntN(5)
		scores := make([]float64, rng.IntN(40))
		for i := range scores {
			switch scores[i] = 3 * rng.Float64() * rng.Float64(); rng.IntN(8) {
			case 0:
				scores[i] = table.Missing
			case 1: // exactly on the grid
				scores[i] = float64(rng.IntN(30)) / 10
			}
		}
		want := raisedTwin(scores, k)
		if got := roundUp(minThreshold(scores, k), 0.1); got != want {
			t.Fatalf("k %d, %v: threshold %v, want %v", k, scores, got, want)
		}
		if want > 0.1 {
			moved++
		}
	}
	if moved < 1000 {
		t.Errorf("only %d thresholds were raised at all", moved)
	}
}

func TestThresholdRules(t *testing.T) {
	gap := table.Missing
	tests := map[string]struct {
		rule   func(scores, rule) []float64
		scores [][]float64
		want   []float64
	}{
		"l13: the largest, doubled":           {scores.LargestThresholds, [][]float64{{1, 2, 1, 1}, {1, 1, 1.5, 1}}, []float64{4, 3}},
		"l13: no more than half of what can":  {scores.LargestThresholds, [][]float64{{1, 9, 1, 1}, {1, 1, 1, 1}}, []float64{5, 2}},
		"f10: the third of five, doubled":     {scores.RaisedThresholds, [][]float64{{1, 9, 1.23, 8, 1}, {1, 1, 1, 1, 1}}, []float64{2.6, 2}},
		"f10: at least the step, doubled":     {scores.RaisedThresholds, [][]float64{{0.01, 0.02, 0.01}, {0, 0, 0}}, []float64{0.2, 0.2}},
		"f10: no cap":                         {scores.RaisedThresholds, [][]float64{{9, 9, 9}, {9, 9, 9}}, []float64{18, 18}},
		"f10: not below the typical":          {scores.RaisedThresholds, [][]float64{{0, 0, 0}, {3, 3, 3}, {3, 3, 3}}, []float64{3, 6, 6}},
		"f10: no span across runs":            {scores.RaisedThresholds, [][]float64{{2, 9, gap, 9, 2, gap, 2, 2, 2}}, []float64{4}},
		"f10: across gaps that were not runs": {scores.RaisedThresholds, [][]float64{{2, 9, 9, 2, 9, 2, 2}}, []float64{18}},
		"cwnd: the largest of all, for all":   {scores.SharedThreshold, [][]float64{{0.1, 0.37}, {0, 0.2}}, []float64{0.4, 0.4}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := rule{Factor: 2, K: 3, Step: 0.1, CapShare: 0.5, Possible: 10}
			if name[:4] == "cwnd" {
				r.Factor = 1
			}
			for i, got := range tt.rule(tt.scores, r) {
				if math.Abs(got-tt.want[i]) > 1e-12 {
					t.Errorf("member %d: threshold %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}

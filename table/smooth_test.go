package table

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSmoother(t *testing.T) {
	nan := Missing
	tests := map[string]struct{ in, want []float64 }{
		"grows until full":    {[]float64{3, 6, 9, 12, 15}, []float64{3, 4.5, 6, 9, 12}},
		"missing stays so":    {[]float64{3, nan, 9}, []float64{3, nan, 6}},
		"zero is not missing": {[]float64{3, 0, 9}, []float64{3, 1.5, 4}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := NewSmoother(3, 1)
			for i, v := range tt.in {
				got := s.Push([]float64{v}, nil)[0]
				if got != tt.want[i] && !(IsMissing(got) && IsMissing(tt.want[i])) {
					t.Errorf("step %d: %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}

// TestSmootherForgetsAcrossGaps compares with the definition, gaps included.
func TestSmootherForgetsAcrossGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const width, n = 15, 400
	s := NewSmoother(width, 1)
	var series []float64
	for len(series) < n {
		if rng.IntN(20) == 0 {
			gap := 1 + rng.IntN(30)
			s.Skip(gap)
			for range gap {
				series = append(series, Missing)
			}
		}
		v := rng.Float64()
		if rng.IntN(8) == 0 {
			v = Missing
		}
		series = append(series, v)
		got, want := s.Push([]float64{v}, nil)[0], trailingMean(series, width)
		if IsMissing(got) != IsMissing(want) || math.Abs(got-want) > 1e-12 {
			t.Fatalf("step %d: %v, want %v", len(series), got, want)
		}
	}
}

func trailingMean(series []float64, width int) float64 {
	if IsMissing(series[len(series)-1]) {
		return Missing
	}
	sum, n := 0.0, 0.0
	for _, v := range series[max(0, len(series)-width):] {
		if !IsMissing(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// TestIdleStepsDoNotCount: await of a step without requests says nothing.
func TestIdleStepsDoNotCount(t *testing.T) {
	s := NewSmoother(3, 1)
	in := []struct{ value, load, want float64 }{
		{8, 1, 8}, {0, 0, 8}, {0, 0, 8}, {0, 0, 0}, {6, 2, 6}, {Missing, Missing, Missing}, {0, 0, 6},
	}
	for i, step := range in {
		got := s.Push([]float64{step.value}, []float64{step.load})[0]
		if got != step.want && !(IsMissing(got) && IsMissing(step.want)) {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

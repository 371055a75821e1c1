package table

import (
	"math"
	"math/rand/v2"
	"slices"
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

// TestIdleStepsDoNotCount: await of a step without requests does not count.
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

// plainSmoother is the plain twin of Smoother: it keeps missing values and checks each of
// them.
type plainSmoother struct {
	width int
	steps [][]float64 // all there were, missing where they do not count

	averages [][]float64 // of all of them
}

func (s *plainSmoother) Skip(n, components int) {
	for range n {
		row := make([]float64, components)
		for c := range row {
			row[c] = Missing
		}
		s.steps, s.averages = append(s.steps, row), append(s.averages, row)
	}
}

func (s *plainSmoother) Push(values, load []float64) []float64 {
	now, out := slices.Clone(values), make([]float64, len(values))
	for c, l := range load {
		if l == 0 {
			now[c] = Missing
		}
	}
	s.steps = append(s.steps, now)
	for c, v := range values {
		sum, n := 0.0, 0.0
		for _, row := range s.steps[max(0, len(s.steps)-s.width):] {
			if !IsMissing(row[c]) {
				sum, n = sum+row[c], n+1
			}
		}
		if out[c] = sum / max(n, 1); IsMissing(v) {
			out[c] = Missing
		}
	}
	s.averages = append(s.averages, out)
	return out
}

// TestSmootherIsItsTwin: Smoother and its twin agree to the bit, at every width, with
// gaps, missing values, idle steps and long rests.
func TestSmootherIsItsTwin(t *testing.T) {
	const components, steps = 3*RestBlock + 7, 300
	rested := 0
	for width := 1; width <= 20; width++ {
		rng := rand.New(rand.NewPCG(3, uint64(width)))
		s, twin := NewSmoother(width, components), &plainSmoother{width: width}
		for step := range steps {
			if rng.IntN(40) == 0 {
				gap := rng.IntN(2 * width)
				s.Skip(gap)
				twin.Skip(gap, components)
			}
			values, load := randomStep(rng, components)
			if step%100 > 20 { // most rest
				clear(values[RestBlock:])
				clear(load[RestBlock:])
			}
			if step%200 > 80 {
				load = nil
			}
			got, want := s.Push(values, load), twin.Push(values, load)
			for c := range want {
				for age := range s.RestedFor(c) {
					if was := twin.averages[len(twin.averages)-1-age]; was[c] != 0 {
						t.Fatalf("width %d, step %d, component %d: %v, %d steps ago, when it rested", width, step, c, was[c], age)
					}
					rested++
				}
				if math.Float64bits(got[c]) != math.Float64bits(want[c]) {
					t.Fatalf("width %d, step %d, component %d: %v, want %v", width, step, c, got[c], want[c])
				}
			}
		}
	}
	if rested == 0 {
		t.Error("nothing rested")
	}
}

// randomStep returns random values of any size, and their load.
func randomStep(rng *rand.Rand, components int) (values, load []float64) {
	for range components {
		v := math.Exp(20 * rng.NormFloat64())
		switch rng.IntN(8) {
		case 0:
			v = Missing
		case 1:
			v = 0
		}
		values = append(values, v)
		load = append(load, float64(rng.IntN(3)))
	}
	return values, load
}

// BenchmarkSmoother averages a step of Intrepid's attachments, and one in which seven of
// eight are idle.
func BenchmarkSmoother(b *testing.B) {
	const components = 9216
	rng := rand.New(rand.NewPCG(1, 1))
	values, load := make([]float64, components), make([]float64, components)
	for name, busy := range map[string]int{"busy": components, "mostly idle": components / 8} {
		clear(values)
		clear(load)
		for c := range busy {
			values[c], load[c] = 10*rng.Float64(), 1
		}
		b.Run(name, func(b *testing.B) {
			s := NewSmoother(15, components)
			for b.Loop() {
				s.Push(values, load)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/components, "ns/value")
		})
	}
}

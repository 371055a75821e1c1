package tables

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func numbered(n int) *samples {
	s := &samples{metrics: 2}
	for i := range n {
		values := s.add(int64(i)*1e9, int32(i))
		values[0], values[1] = float64(i), float64(-i)
	}
	return s
}

func TestKeep(t *testing.T) {
	s := numbered(5)
	s.keepOnly([]int32{3, 0, 2})
	want := &samples{metrics: 2, times: []int64{0, 2e9, 3e9}, components: []int32{0, 2, 3}, values: []float64{0, 0, 2, -2, 3, -3}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("kept %+v, want %+v", s, want)
	}
}

func TestByStep(t *testing.T) {
	s := &samples{metrics: 1}
	for _, second := range []int64{61, 15, 16, 7_258_118_399, 14, 30, 0} {
		s.add(second*1e9, 0)
	}
	if got, want := s.byStep(15), []int32{6, 1, 4, 2, 5, 0, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if got, want := s.byStep(1), []int32{6, 4, 1, 2, 5, 0, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("order by the second %v, want %v", got, want)
	}
}

// TestStepSpan: a time is in the span of its step, and in no other span.
func TestStepSpan(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, seconds := range []int64{1, 15, 60, 450} {
		for range 1000 {
			ns := rng.Int64N(int64(100 * time.Hour))
			if rng.IntN(2) == 0 {
				ns = ns/int64(time.Second)*int64(time.Second) + rng.Int64N(3) - 1
			}
			step := stepOf(ns, seconds)
			for other := step - 1; other <= step+1; other++ {
				if got := spanOf(other, seconds).has(ns); got != (other == step) {
					t.Fatalf("steps of %d s: %d ns are in step %d, and the span of step %d says %t", seconds, ns, step, other, got)
				}
			}
		}
	}
}

package arrays

import (
	"math"
	"testing"
)

// TestQueueing holds the wait against closed forms for one and two drives,
// and against Sakasegawa's approximation for eight.
func TestQueueing(t *testing.T) {
	for _, busy := range []float64{0.01, 0.1, 0.3, 0.5, 0.7, 0.9} {
		if got, want := queueing(1, busy), busy/(1-busy); !near(got, want, 1e-9) {
			t.Errorf("1 drive, %v busy: wait %v, want %v", busy, got, want)
		}
		if got, want := queueing(2, busy), busy*busy/(1-busy*busy); !near(got, want, 1e-9) {
			t.Errorf("2 drives, %v busy: wait %v, want %v", busy, got, want)
		}
		about := math.Pow(busy, math.Sqrt(2*(8+1))-1) / (8 * (1 - busy))
		if got := queueing(8, busy); !near(1+got, 1+about, 0.02) {
			t.Errorf("8 drives, %v busy: %v service times until the answer, want about %v", busy, 1+got, 1+about)
		}
	}
}

// tenMs is a load that keeps the default LUN so busy, with requests of 10 ms.
func tenMs(busy float64) []Stream {
	return []Stream{{Flow{PerSecond: 800 * busy, KiB: 500}, false}}
}

func TestWait(t *testing.T) {
	s := defaultService()
	if got, want := s.waitMs(tenMs(0.5), 1), 10*queueing(8, 0.5); !near(got, want, 1e-9) {
		t.Errorf("half busy: wait %v ms, want %v", got, want)
	}
	if got, want := s.waitMs(tenMs(0.5), 1.4), 14*queueing(8, 0.7); !near(got, want, 1e-9) {
		t.Errorf("half busy and 1.4 times slower: wait %v ms, want %v", got, want)
	}
	if got := s.waitMs(nil, 1.4); got != 0 {
		t.Errorf("without load the wait is %v", got)
	}
	if got, want := s.waitMs(tenMs(3), 1), 10*queueing(8, full); !near(got, want, 1e-9) {
		t.Errorf("an overloaded LUN waits %v ms, want no more than at its fullest, %v", got, want)
	}
}

func TestServiceTimes(t *testing.T) {
	s := defaultService()
	for _, tt := range []struct {
		f    Stream
		want float64
	}{
		{Stream{Flow{KiB: 1000}, false}, 15},
		{Stream{Flow{KiB: 1000}, true}, 11.5},
		{Stream{Flow{KiB: 0}, true}, 1.5},
	} {
		if got := s.ms(tt.f); !near(got, tt.want, 1e-9) {
			t.Errorf("%+v takes %v ms, want %v", tt.f, got, tt.want)
		}
	}
}

package arrays

import (
	"testing"
	"time"
)

func TestJobActive(t *testing.T) {
	from := time.Date(2026, 3, 1, 1, 0, 0, 0, time.UTC)
	steady := Job{From: from, To: from.Add(time.Hour)}
	bursts := Job{From: from, To: from.Add(time.Hour), Burst: 3 * time.Minute, Pause: 4 * time.Minute}
	for _, tt := range []struct {
		job   Job
		after time.Duration
		want  bool
	}{
		{steady, -time.Second, false},
		{steady, 0, true},
		{steady, time.Hour - time.Second, true},
		{steady, time.Hour, false},
		{bursts, 0, true},
		{bursts, 3 * time.Minute, false},
		{bursts, 7 * time.Minute, true},
		{bursts, 59*time.Minute + 30*time.Second, false},
	} {
		if got := tt.job.active(from.Add(tt.after)); got != tt.want {
			t.Errorf("pause %v, after %v: active %v", tt.job.Pause, tt.after, got)
		}
	}
}

// TestThrottle asks for far too much and wants the busiest set at the limit,
// with the mix unchanged.
func TestThrottle(t *testing.T) {
	s := Demo(1)
	s.Jobs = []Job{{From: s.Start, To: s.End, Reads: Flow{PerSecond: 900, KiB: 1024}, Writes: Flow{PerSecond: 1800, KiB: 1024}}}
	flows := newLoad(s).next(s.Start, 5).Streams
	if len(flows) != 2 || !near(flows[1].PerSecond, 2*flows[0].PerSecond, 1e-9) {
		t.Fatalf("flows %+v, want reads and twice the writes", flows)
	}
	var busiest float64
	for _, share := range []Share{{Reads: 1, Writes: 1}, s.Shares["new"]} {
		busiest = max(busiest, s.Service.Utilisation([]Stream{flows[0].Of(share), flows[1].Of(share)}))
	}
	if !near(busiest, s.Busiest, 1e-9) {
		t.Errorf("the busiest LUN is %.3f busy, want %v", busiest, s.Busiest)
	}
}

// TestDemoJobs wants from any seed what the demonstration promises: light and
// heavy load, several jobs at a time and none.
func TestDemoJobs(t *testing.T) {
	for seed := range uint64(20) {
		s := Demo(seed)
		l := newLoad(s)
		idle, light, heavy, steps := 0, 0, 0, 0
		for at := s.Start; at.Before(s.End); at = at.Add(time.Minute) {
			busy := s.Service.Utilisation(l.next(at, 60).Streams)
			steps++
			switch {
			case busy == 0:
				idle++
			case busy < 0.1:
				light++
			case busy > 0.15:
				heavy++
			}
		}
		if idle == 0 || idle > steps/2 || light == 0 || heavy < steps/20 {
			t.Errorf("seed %d: of %d minutes %d idle, %d light, %d heavy", seed, steps, idle, light, heavy)
		}
	}
}

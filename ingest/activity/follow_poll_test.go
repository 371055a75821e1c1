package activity

import (
	"testing"
	"time"
)

// TestPoll: files are polled once a step, at least every fifteen seconds, and
// every second until there is a system.
func TestPoll(t *testing.T) {
	for _, c := range []struct {
		step int64
		set  time.Duration
		want time.Duration
	}{
		{0, 0, time.Second},
		{3, 0, 3 * time.Second},
		{15, 0, 15 * time.Second},
		{600, 0, 15 * time.Second},
		{600, time.Minute, time.Minute},
	} {
		f := &Following{follow: FollowOptions{Poll: c.set}}
		if c.step > 0 {
			f.latest = &epoch{}
			f.latest.Schema.StepSeconds = c.step
		}
		if got := f.poll(); got != c.want {
			t.Errorf("step of %d s: every %v, want %v", c.step, got, c.want)
		}
	}
}

package record

import (
	"context"
	"time"
)

// Observe takes a sample at each multiple of the interval until ctx is done, hands it to the
// listener, and writes no file. A sample that cannot be taken is left out. Observe returns an
// error if the first sample cannot be taken, or nil when ctx is done.
func Observe(ctx context.Context, interval time.Duration, m Sampler, l Listener) error {
	r := Recorder{machine: m}
	t := newTicker(newSystemClock(), interval)
	heard := false
	for {
		now, err := t.wait(ctx)
		if err != nil {
			return nil // the end of ctx is the end of observing
		}
		m.Late(now.late)
		if err := r.take(); err != nil {
			if !heard {
				return err
			}
			continue
		}
		heard = true
		m.Inventory()
		l.Hear(now.wall, r.uptime, &r.sample)
	}
}

package record

import (
	"context"
	"time"
)

const (
	// minStep tells a step of the wall clock from slewing, which moves it by
	// up to 83 ms a second (chrony's maxslewrate).
	minStep = 100 * time.Millisecond
	// lateShare of an interval is how late a sample may be without being
	// called so. A deadline nearer than that is not waited for.
	lateShare = 10
)

// A tick is the moment to take a sample.
type tick struct {
	moment
	late time.Duration // behind the deadline
	step time.Duration // of the wall clock since the tick before; 0: none
}

// A ticker waits for the multiples of an interval on the wall clock. A step
// of that clock does not hasten or delay the tick at hand, and the next is a
// multiple again. Deadlines that pass while a tick is used are never caught
// up.
type ticker struct {
	clock    Clock
	interval time.Duration
	timer    *time.Timer
	last     moment    // of the tick before
	due      time.Time // the deadline at hand, on the clock as it went then
}

func newTicker(c Clock, interval time.Duration) *ticker {
	t := &ticker{clock: c, interval: interval, timer: time.NewTimer(interval)}
	t.aim(look(c))
	return t
}

// aim makes the next multiple the deadline.
func (t *ticker) aim(now moment) {
	t.last = now
	from := now.wall.Add(tolerance(t.interval))
	t.due = from.Add(t.interval - time.Duration(from.UnixNano()%int64(t.interval)))
}

// tolerance is how late a sample may be, of those at an interval.
func tolerance(interval time.Duration) time.Duration {
	return interval / lateShare
}

// wait returns at the deadline, or at once when that has passed.
func (t *ticker) wait(ctx context.Context) (tick, error) {
	for ctx.Err() == nil {
		now := look(t.clock)
		step := now.stepSince(t.last)
		if step.Abs() < minStep {
			step = 0
		}
		rest := t.due.Add(step).Sub(now.wall)
		if rest <= 0 {
			t.aim(now)
			return tick{now, -rest, step}, nil
		}
		t.sleep(ctx, rest)
	}
	return tick{}, ctx.Err()
}

func (t *ticker) sleep(ctx context.Context, d time.Duration) {
	t.timer.Reset(d)
	select {
	case <-ctx.Done():
	case <-t.timer.C:
	}
}

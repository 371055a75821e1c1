package record

import (
	"context"
	"time"
)

const (
	// minStep is the smallest step of the wall clock. Slewing moves the clock by less: up to 83 ms
	// a second (chrony's maxslewrate).
	minStep = 100 * time.Millisecond
	// lateDivisor sets the tolerance of a sample: it is late if it is taken more than
	// interval/lateDivisor after its deadline. A deadline nearer than that is skipped.
	lateDivisor = 10
)

// A tick is the moment at which a sample is taken.
type tick struct {
	moment
	late time.Duration // time since the deadline
	step time.Duration // step of the wall clock since the previous tick; 0: none
}

// A ticker waits for the multiples of an interval on the wall clock. If the clock is stepped, the
// current tick keeps its time, and the next tick is a multiple again. Deadlines that pass while a
// tick is processed are skipped.
type ticker struct {
	clock    Clock
	interval time.Duration
	timer    *time.Timer
	last     moment    // moment of the previous tick
	due      time.Time // next deadline, on the wall clock as it was at last
}

func newTicker(c Clock, interval time.Duration) *ticker {
	t := &ticker{clock: c, interval: interval, timer: time.NewTimer(interval)}
	t.aim(look(c))
	return t
}

// aim sets the deadline to the next multiple.
func (t *ticker) aim(now moment) {
	t.last = now
	from := now.wall.Add(tolerance(t.interval))
	t.due = from.Add(t.interval - time.Duration(from.UnixNano()%int64(t.interval)))
}

// tolerance returns how late a sample may be without being marked as late.
func tolerance(interval time.Duration) time.Duration {
	return interval / lateDivisor
}

// wait returns at the deadline, or at once if the deadline has passed.
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

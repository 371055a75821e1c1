package record

import "time"

// A Clock tells the time twice: as the wall has it, in the zone of the host,
// which someone may step, and as it passes, which no one can.
type Clock interface {
	// Now is the wall clock, and the time since any fixed moment.
	Now() (wall time.Time, elapsed time.Duration)
}

// systemClock is the machine's. It began at a moment that holds a reading of
// the monotonic clock.
type systemClock struct {
	began time.Time
}

func newSystemClock() systemClock {
	return systemClock{time.Now()} //nolint:forbidigo // a recorder has a clock
}

func (c systemClock) Now() (time.Time, time.Duration) {
	now := time.Now() //nolint:forbidigo // a recorder has a clock
	return now.Round(0), now.Sub(c.began)
}

// A moment is one look at both clocks.
type moment struct {
	wall    time.Time
	elapsed time.Duration
}

func look(c Clock) moment {
	wall, elapsed := c.Now()
	return moment{wall, elapsed}
}

// stepSince is how far the wall clock was stepped since an earlier moment.
func (m moment) stepSince(earlier moment) time.Duration {
	return m.wall.Sub(earlier.wall) - (m.elapsed - earlier.elapsed)
}

package record

import "time"

// A Clock returns two times: the wall clock in the zone of the host, which may be stepped, and the
// elapsed time, which never jumps.
type Clock interface {
	// Now returns the wall clock, and the time since a fixed moment.
	Now() (wall time.Time, elapsed time.Duration)
}

// systemClock is the clock of the machine. The field began holds a reading of the monotonic clock.
type systemClock struct {
	began time.Time
}

func newSystemClock() systemClock {
	return systemClock{time.Now()} //nolint:forbidigo // a recorder needs the real clock
}

func (c systemClock) Now() (time.Time, time.Duration) {
	now := time.Now() //nolint:forbidigo // a recorder needs the real clock
	return now.Round(0), now.Sub(c.began)
}

// A moment is one reading of both clocks.
type moment struct {
	wall    time.Time
	elapsed time.Duration
}

func look(c Clock) moment {
	wall, elapsed := c.Now()
	return moment{wall, elapsed}
}

// stepSince returns by how much the wall clock was stepped since an earlier moment.
func (m moment) stepSince(earlier moment) time.Duration {
	return m.wall.Sub(earlier.wall) - (m.elapsed - earlier.elapsed)
}

package arrays

import (
	"slices"
	"sort"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Clocks is how far the servers' clocks and recorders are from perfect (L13
// §6). The zero value is perfect.
type Clocks struct {
	Steps  float64 `most:"1000"` // of a clock by NTP, by a second or two, a server and day
	Misses float64 `most:"1000"` // records that are left out, a server and day
}

// Validate reports what no clock does.
func (c Clocks) Validate() error { return bounds.Check(c) }

// clockReach is how many seconds a clock may be off: more would be a clock
// that nobody keeps.
const clockReach = 2

// A Clock is that of a server, and its recorder's.
type Clock struct {
	steps  []clockStep
	missed []int64 // Unix seconds of records that are left out, ascending
}

type clockStep struct {
	at  time.Time
	off time.Duration // from then on
}

func newClock(b *lunBlueprint, name string) Clock {
	var c Clock
	rng := b.Source("clock of " + name)
	for _, at := range rng.Sometimes(b.Clocks.Steps, b.Start, b.End) {
		c.steps = append(c.steps, clockStep{at, time.Duration(rng.IntN(2*clockReach+1)-clockReach) * time.Second})
	}
	for _, at := range rng.Sometimes(b.Clocks.Misses, b.Start, b.End) {
		missed := b.RecordAfter(at).Unix()
		if n := len(c.missed); n == 0 || missed > c.missed[n-1]+int64(b.Interval.Seconds()) { // never two in a row
			c.missed = append(c.missed, missed)
		}
	}
	return c
}

// Show is the time that the clock shows.
func (c *Clock) Show(t time.Time) time.Time {
	n := sort.Search(len(c.steps), func(i int) bool { return c.steps[i].at.After(t) })
	if n == 0 {
		return t
	}
	return t.Add(c.steps[n-1].off)
}

// Misses reports whether the record of t is left out.
func (c *Clock) Misses(t time.Time) bool {
	_, found := slices.BinarySearch(c.missed, t.Unix())
	return found
}

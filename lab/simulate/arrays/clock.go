package arrays

import (
	"slices"
	"sort"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Clocks describes the errors of the servers' clocks and recorders (L13 §6). The zero value means
// no errors.
type Clocks struct {
	Steps  float64 `most:"1000"` // steps of a clock by NTP, by up to two seconds, per server and day
	Misses float64 `most:"1000"` // records that are left out, per server and day
}

// Validate returns an error that names every invalid value.
func (c Clocks) Validate() error { return bounds.Check(c) }

// clockReach is the largest error of a clock in seconds. NTP keeps clocks within it.
const clockReach = 2

// A Clock is the clock of a server and of its recorder.
type Clock struct {
	steps  []clockStep
	missed []int64 // Unix seconds of records that are left out, ascending
}

type clockStep struct {
	at  time.Time
	off time.Duration // error of the clock after the step
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

// Show returns the time that the clock shows at t.
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

package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Options of a study.
type Options struct {
	// Thresholds from which on a drive is slow, ascending: each is studied.
	Thresholds []float64
	// Zone whose clock tells the hour of the day and the month.
	Zone *time.Location
}

// Thresholds of T16 §3.3: what is called slow, and a more conservative one.
const (
	Mild = 1.5
	Slow = 2.0
)

// Imbalanced is from which on a drive does more I/Os, or larger ones, than its
// peers (T16 §4.2), and Degraded from which on a group does less than in the
// hour before (T16 §4.4.1).
const (
	Imbalanced = 2.0
	Degraded   = 2.0
)

// Narrowest is the fewest members that a group has a median of (T16 §3.1).
const Narrowest = 3

// The most that is believed of an hour: a mean latency of a day, in
// microseconds, and more requests than any drive has served. What is more is a
// counter that ran over.
const (
	MostLatency = 24 * 3600 * 1e6
	MostIOs     = 1 << 40
)

// mostThresholds keeps what is counted for each of them small.
const mostThresholds = 8

// DefaultOptions are T16's thresholds and no zone but UTC.
func DefaultOptions() Options {
	return Options{Thresholds: []float64{Mild, Slow}, Zone: time.UTC}
}

// Validate reports everything that cannot be studied.
func (o Options) Validate() error {
	var errs []error
	if n := len(o.Thresholds); n == 0 || n > mostThresholds {
		errs = append(errs, fmt.Errorf("%d slowdown thresholds are given: give 1 to %d", n, mostThresholds))
	}
	for i, t := range o.Thresholds {
		if !(t > 1) || math.IsInf(t, 1) {
			errs = append(errs, fmt.Errorf("slowdown threshold %v is too small, because half of all drives are above the median: choose more than 1", t))
		} else if slices.Contains(o.Thresholds[:i], t) {
			errs = append(errs, fmt.Errorf("slowdown threshold %v is given twice: give each threshold once", t))
		}
	}
	if !slices.IsSorted(o.Thresholds) {
		errs = append(errs, fmt.Errorf("slowdown thresholds %v are not in ascending order: sort the thresholds", o.Thresholds))
	}
	if o.Zone == nil {
		errs = append(errs, errors.New("results by the hour of the day need a time zone: choose UTC or the time zone of the drives"))
	}
	return errors.Join(errs...)
}

// Kept is from which slowdown on hours are kept one by one: the least
// threshold, and no more than Mild, at which T16 looks in any case.
func (o Options) Kept() float64 { return min(Mild, o.Thresholds[0]) }

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
	// Thresholds of the slowdown, ascending: a drive is slow at a threshold if S ≥ threshold.
	Thresholds []float64
	// Zone is the time zone for the hour of the day and the month.
	Zone *time.Location
}

// Thresholds of T16 §3.3: Slow is its main threshold, Mild a lower one.
const (
	Mild = 1.5
	Slow = 2.0
)

// Imbalanced is the smallest ratio, to the median of the group, at which a drive has more I/Os
// or larger I/Os than its peers (T16 §4.2). Degraded is the smallest ratio of a group's I/Os in
// the hour before to its I/Os in this hour at which the I/Os fell (T16 §4.4.1).
const (
	Imbalanced = 2.0
	Degraded   = 2.0
)

// Narrowest is the smallest number of members of a group for a median (T16 §3.1).
const Narrowest = 3

// The largest valid values of an hour: a mean latency of a day, in microseconds, and more
// requests than any drive can serve. A larger value comes from a counter that overflowed.
const (
	MostLatency = 24 * 3600 * 1e6
	MostIOs     = 1 << 40
)

// mostThresholds is the largest number of thresholds. It limits the memory, because a Spread has
// two histograms for each threshold.
const mostThresholds = 8

// DefaultOptions returns T16's thresholds and the time zone UTC.
func DefaultOptions() Options {
	return Options{Thresholds: []float64{Mild, Slow}, Zone: time.UTC}
}

// Validate reports all invalid options.
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

// Kept returns the smallest slowdown of the hours that are kept one by one: the smallest
// threshold, but at most Mild, because some findings of T16 always use Mild.
func (o Options) Kept() float64 { return min(Mild, o.Thresholds[0]) }

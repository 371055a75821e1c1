package tables

import (
	"cmp"
	"slices"
	"time"
)

// maxIntervals is the largest number of different intervals that are counted for a component. This
// is sufficient, because a component that is sampled regularly has one interval and a few longer
// gaps.
const maxIntervals = 16

// counts counts the intervals between successive samples of one component. Intervals are in seconds.
// At most maxIntervals different intervals are stored, so that the memory is bounded.
type counts struct {
	list      []intervalCount
	last      int   // index in counts.list of the interval that was counted last
	count     int   // number of all intervals, including intervals that are not in counts.list
	backward  bool  // true if the last line was older than the line before it
	reversals int   // number of lines at which the times change from ascending to descending, or from descending to ascending
	divisor   int64 // greatest common divisor of all intervals
}

type intervalCount struct {
	seconds int64
	count   int
}

// Between counts the interval between the times a and b of two successive lines. The
// times are in ns. The interval is rounded to seconds, but is at least one second.
func (v *counts) Between(a, b int64) {
	if a == b {
		return
	}
	if back := b < a; back != v.backward {
		v.backward = back
		v.reversals++
	}
	gap := max(a-b, b-a) + int64(time.Second)/2
	v.Add(max(gap/int64(time.Second), 1), 1)
}

// Add counts n intervals of the same length.
func (v *counts) Add(seconds int64, n int) {
	v.count += n
	if v.divisor == 0 || seconds%v.divisor != 0 {
		v.divisor = divisor(seconds, v.divisor)
	}
	if v.last < len(v.list) && v.list[v.last].seconds == seconds {
		v.list[v.last].count += n
		return
	}
	v.last = slices.IndexFunc(v.list, func(c intervalCount) bool { return c.seconds == seconds })
	switch {
	case v.last >= 0:
		v.list[v.last].count += n
	case len(v.list) < maxIntervals:
		v.last = len(v.list)
		v.list = append(v.list, intervalCount{seconds, n})
	default:
		v.last = 0
	}
}

// Merge adds the counts in w to v.
func (v *counts) Merge(w *counts) {
	for _, c := range w.list {
		v.Add(c.seconds, c.count)
	}
	v.reversals += w.reversals
	v.divisor = divisor(w.divisor, v.divisor)
}

// divisor returns the greatest common divisor of a and b, by Euclid's algorithm.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Common returns the most frequent interval in seconds. Of two equally frequent intervals it
// returns the shorter one. It returns 0 if there is no interval.
//
// If the direction of time changes at more than a quarter of the intervals, the lines are not in the
// order of time. The most frequent interval then has no meaning, and Common returns the greatest
// common divisor of all intervals.
func (v *counts) Common() int64 {
	switch {
	case len(v.list) == 0:
		return 0
	case 4*v.reversals > v.count:
		return v.divisor
	}
	return slices.MaxFunc(v.list, func(a, b intervalCount) int {
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(b.seconds, a.seconds))
	}).seconds
}

// Listed returns the sum of the counts of all intervals in v.list.
func (v *counts) Listed() (n int) {
	for _, c := range v.list {
		n += c.count
	}
	return n
}

// This file tells how far apart the samples of a component are, by a bounded
// count of the times between its lines.

package tables

import (
	"cmp"
	"slices"
	"time"
)

// maxIntervals bounds the different intervals that are counted of a
// component: one sampled by a clock has its interval and a few gaps.
const maxIntervals = 16

// counts counts how far apart the samples of one component are.
type counts struct {
	list    []intervalCount
	last    int   // the one counted last
	count   int   // of all, counted or not
	back    bool  // the last one went back in time
	turns   int   // how often the lines turned back or forth
	divisor int64 // the greatest that all have in common
}

type intervalCount struct {
	seconds int64
	count   int
}

// Between counts the time from one line to the next.
func (v *counts) Between(a, b int64) {
	if a == b {
		return
	}
	if back := b < a; back != v.back {
		v.back = back
		v.turns++
	}
	gap := max(a-b, b-a) + int64(time.Second)/2
	v.Add(max(gap/int64(time.Second), 1), 1)
}

// Add counts an interval n times.
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

// Merge adds the counts of others.
func (v *counts) Merge(w *counts) {
	for _, c := range w.list {
		v.Add(c.seconds, c.count)
	}
	v.turns += w.turns
	v.divisor = divisor(w.divisor, v.divisor)
}

// divisor is Euclid's greatest common one.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Common is the most frequent interval, the shorter of two; 0 where there is
// none. Where lines go back and forth in time the intervals say nothing, and
// what they have in common stands in for it.
func (v *counts) Common() int64 {
	switch {
	case len(v.list) == 0:
		return 0
	case 4*v.turns > v.count:
		return v.divisor
	}
	return slices.MaxFunc(v.list, func(a, b intervalCount) int {
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(b.seconds, a.seconds))
	}).seconds
}

// Listed is how many intervals are told apart.
func (v *counts) Listed() (n int) {
	for _, c := range v.list {
		n += c.count
	}
	return n
}

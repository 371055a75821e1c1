package arrays

import (
	"slices"
	"time"
)

// An agenda returns the events or jobs of one interval after another. It searches only those that
// have begun and are not over, because a long run has many.
type agenda[E interface{ lasts() Span }] struct {
	all    []E // in order of their beginning
	coming int // index of the first that has not begun
	now    []E
}

func newAgenda[E interface{ lasts() Span }](all []E) agenda[E] {
	slices.SortStableFunc(all, func(a, b E) int { return a.lasts().From.Compare(b.lasts().From) })
	return agenda[E]{all: all}
}

// during returns the elements that overlap an interval, valid until the next call. Callers give the
// intervals in ascending order.
func (a *agenda[E]) during(now, next time.Time) []E {
	over := func(e E) bool { return !e.lasts().Overlaps(now, next) }
	a.now = slices.DeleteFunc(a.now, over)
	for ; a.coming < len(a.all) && a.all[a.coming].lasts().From.Before(next); a.coming++ {
		if e := a.all[a.coming]; !over(e) {
			a.now = append(a.now, e)
		}
	}
	return a.now
}

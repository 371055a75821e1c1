package arrays

import (
	"slices"
	"time"
)

// An agenda goes through things that last for a while, and keeps only those
// that are under way: a run may be long.
type agenda[E interface{ lasts() Span }] struct {
	all    []E // in the order in which they begin
	coming int // the first of those to come
	now    []E
}

func newAgenda[E interface{ lasts() Span }](all []E) agenda[E] {
	slices.SortStableFunc(all, func(a, b E) int { return a.lasts().From.Compare(b.lasts().From) })
	return agenda[E]{all: all}
}

// during returns what is under way in any of an interval, valid until the next
// call. Intervals come in order.
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

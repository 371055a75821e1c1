package source

import (
	"context"
	"sync"
)

// A unitSpan is the range of units that one worker reads: From ≤ index < To.
type unitSpan struct{ From, To int }

// share divides units into at most n spans of about the same bytes. A unit with ambiguous local
// times stays in the span of the unit before it, because the true time of a record depends on
// the records before it.
func share(units []unit, n int) []unitSpan {
	var total, done int64
	for i := range units {
		total += units[i].Bytes + 1
	}
	var spans []unitSpan
	from := 0
	for i := range units {
		done += units[i].Bytes + 1
		last := i+1 == len(units)
		torn := !last && units[i+1].Ambiguous
		if last || !torn && done*int64(n) >= total*int64(len(spans)+1) {
			spans = append(spans, unitSpan{from, i + 1})
			from = i + 1
		}
	}
	return spans
}

// parallel calls do for 0 to n-1 in parallel, and returns the first error. The first error
// cancels the context of all calls.
func parallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := do(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

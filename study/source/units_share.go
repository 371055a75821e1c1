package source

import (
	"context"
	"sync"
)

// A unitSpan is a range of units that one worker reads, in their order.
type unitSpan struct{ From, To int }

// share cuts units into spans of about the same bytes, at most n of them. A
// unit with local times that come twice stays with the one before it: which of
// the two a record means hangs on what came before.
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

// parallel calls do for 0 to n-1 side by side, and returns the first error.
// The context of all ends with it.
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

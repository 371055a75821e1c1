package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for every item, on as many cores as there are. Once the
// context has ended no further item is begun. Whoever is free takes the next
// item by its number: to hand it over would cost more than most items do.
func Each[T any](ctx context.Context, items []T, do func(T)) {
	var next atomic.Int64
	work := func() {
		for at := next.Add(1) - 1; at < int64(len(items)) && ctx.Err() == nil; at = next.Add(1) - 1 {
			do(items[at])
		}
	}
	var others sync.WaitGroup
	for range min(len(items), runtime.GOMAXPROCS(0)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

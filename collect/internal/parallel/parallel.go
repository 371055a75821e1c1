// Package parallel shares work out to all cores. Both sources of collect read
// many files side by side with it.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Each calls do for every item, on as many cores as there are. Once the
// context has ended no further item is begun.
func Each[T any](ctx context.Context, items []T, do func(T)) {
	var wg sync.WaitGroup
	next := make(chan T)
	for range min(len(items), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for item := range next {
				do(item)
			}
		})
	}
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		next <- item
	}
	close(next)
	wg.Wait()
}

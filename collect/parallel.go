package collect

import (
	"runtime"
	"sync"
)

// inParallel calls do for every item, on as many cores as there are.
func inParallel[T any](items []T, do func(T)) {
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
		next <- item
	}
	close(next)
	wg.Wait()
}

package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for every item, on all processors, and returns when all calls have returned. After
// the end of the context, it calls do for no further item.
func Each[T any](ctx context.Context, items []T, do func(T)) {
	share(ctx, min(len(items), runtime.GOMAXPROCS(0)), len(items), func(_, task int) { do(items[task]) })
}

// Workers holds one scratch for each processor.
type Workers[S any] []S

// New returns as many workers as there are processors, each with a new scratch.
func New[S any](scratch func() S) Workers[S] {
	var w Workers[S]
	for range runtime.GOMAXPROCS(0) {
		w = append(w, scratch())
	}
	return w
}

// forkValues is the number of values for which another worker is started. A worker needs about 50
// µs for so many values, ten times the time to start the worker.
const forkValues = 1 << 14

// Each calls do for the tasks from 0 to n−1, and returns when all calls have returned. The
// parameter values is the number of values that all tasks together process. Two calls at the same
// time never get the same scratch.
func (w Workers[S]) Each(n, values int, do func(s S, task int)) {
	wanted := max(1, min(len(w), n, values/forkValues))
	share(context.Background(), wanted, n, func(worker, task int) { do(w[worker], task) })
}

// share does the tasks from 0 to n−1 with the given number of workers. The caller is one of the
// workers. A free worker takes the next task from a counter: a channel would need more time than
// most tasks.
func share(ctx context.Context, workers, n int, do func(worker, task int)) {
	var next atomic.Int64
	work := func(worker int) {
		for task := int(next.Add(1)) - 1; task < n && ctx.Err() == nil; task = int(next.Add(1)) - 1 {
			do(worker, task)
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
}

// This file shares the tasks of a step among the processors. Each task writes
// to a place of its own, so that the result depends neither on the number of workers
// nor on who does which task.

package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers are as many as there are processors. Each has a scratch of its own.
type Workers[S any] []S

// New returns workers with a new scratch each.
func New[S any](scratch func() S) Workers[S] {
	var w Workers[S]
	for range runtime.GOMAXPROCS(0) {
		w = append(w, scratch())
	}
	return w
}

// forkValues is how many values are worth another worker. They take it about
// 50 µs, ten times as long as waking it.
const forkValues = 1 << 14

// Each does the tasks from 0 to n−1, over so many values altogether, and
// returns when all are done.
func (w Workers[S]) Each(n, values int, do func(s S, task int)) {
	wanted := max(1, min(len(w), n, values/forkValues))
	var next atomic.Int64
	work := func(s S) {
		for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
			do(s, task)
		}
	}
	var others sync.WaitGroup
	for _, s := range w[1:wanted] {
		others.Go(func() { work(s) })
	}
	work(w[0])
	others.Wait()
}

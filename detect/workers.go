package detect

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workers share the work of a step among the processors. Each task writes
// to a place of its own, so that the result depends neither on their number nor
// on who does which task.
type workers struct {
	scratches []*scratch // one for each worker
}

func newWorkers(o *Options) *workers {
	w := &workers{}
	for range runtime.GOMAXPROCS(0) {
		w.scratches = append(w.scratches, newScratch(o))
	}
	return w
}

// forkValues is how many values are worth another worker. They take it about
// 50 µs, ten times as long as waking it.
const forkValues = 1 << 14

// each does the tasks from 0 to n−1, over so many values altogether, and
// returns when all are done.
func (w *workers) each(n, values int, do func(s *scratch, task int)) {
	wanted := max(1, min(len(w.scratches), n, values/forkValues))
	var next atomic.Int64
	work := func(s *scratch) {
		for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
			do(s, task)
		}
	}
	var others sync.WaitGroup
	for _, s := range w.scratches[1:wanted] {
		others.Go(func() { work(s) })
	}
	work(w.scratches[0])
	others.Wait()
}

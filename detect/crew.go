package detect

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew shares the work of a step out among the processors. Each task has a
// place of its own for its result: who does which, and how many do them,
// changes nothing.
type crew struct {
	scratches []*scratch // one for each worker
}

func newCrew(o *Options) *crew {
	c := &crew{}
	for range runtime.GOMAXPROCS(0) {
		c.scratches = append(c.scratches, newScratch(o))
	}
	return c
}

// forkValues is how many values a worker has to be worth: they take it about
// 50 µs, ten times what it takes to wake it.
const forkValues = 1 << 14

// each does the tasks from 0 to n−1, over so many values altogether, and
// returns when all are done.
func (c *crew) each(n, values int, do func(s *scratch, task int)) {
	workers := max(1, min(len(c.scratches), n, values/forkValues))
	var next atomic.Int64
	work := func(s *scratch) {
		for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
			do(s, task)
		}
	}
	var others sync.WaitGroup
	for _, s := range c.scratches[1:workers] {
		others.Go(func() { work(s) })
	}
	work(c.scratches[0])
	others.Wait()
}

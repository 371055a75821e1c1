package top

import "github.com/limpet-storage/limpet/engine/table"

// The percentiles of a component are computed from the requests of the last one to two minutes: at
// least requestSeconds, and at most twice as long. The 99th percentile needs some hundred requests.
// In a shorter time, a component often gets fewer requests.
const requestSeconds = 60

// requests holds the latencies of the requests of a component in the last one to two minutes.
type requests struct {
	now, previous table.Latency
	begun         int64
}

// push adds the requests of a step. The parameter `l` is nil if the step has no requests.
func (r *requests) push(end int64, l *table.Latency) {
	switch {
	case r.begun == 0:
		r.begun = end
	case end-r.begun >= 2*requestSeconds: // the data have a gap: drop the old requests
		r.now.Clear()
		r.previous.Clear()
		r.begun = end
	case end-r.begun >= requestSeconds:
		r.now, r.previous = r.previous, r.now
		r.now.Clear()
		r.begun = end
	}
	if l != nil {
		r.now.Add(l)
	}
}

// sum adds all requests in r to the given latency.
func (r *requests) sum(to *table.Latency) {
	to.Add(&r.previous)
	to.Add(&r.now)
}

package top

import "github.com/limpet-storage/limpet/engine/table"

// requestSeconds is the time over which the requests of a component are counted for its
// percentiles: between one and two times this length. A p99 needs some hundred requests.
const requestSeconds = 60

// requests are the latencies of the requests of a component in the last minute or two.
type requests struct {
	now, before table.Latency
	begun       int64
}

// push adds the requests of a step. A nil latency has none.
func (r *requests) push(end int64, l *table.Latency) {
	switch {
	case r.begun == 0:
		r.begun = end
	case end-r.begun >= 2*requestSeconds: // a gap in the data
		r.now.Clear()
		r.before.Clear()
		r.begun = end
	case end-r.begun >= requestSeconds:
		r.now, r.before = r.before, r.now
		r.now.Clear()
		r.begun = end
	}
	if l != nil {
		r.now.Add(l)
	}
}

// sum adds the requests to a latency.
func (r *requests) sum(to *table.Latency) {
	to.Add(&r.before)
	to.Add(&r.now)
}

package table

import "github.com/limpet-storage/limpet/record/blklat"

// Latency is how long each request of a component took in a step: whole
// histograms, since no value of one step tells the slowest thousandth of an hour,
// and percentiles of steps cannot be put together. They stand beside the values
// of a row because a value is one number, and coarser steps average it.
type Latency [LatencyOps]Requests

// LatencyOps is how many operations have latencies, by their blklat.Op: reads
// and writes. Flushes and discards are too few and too unlike each other to be
// compared.
const LatencyOps = 2

// Requests are those of one operation.
type Requests struct {
	Bytes  uint64
	Device blklat.Histogram // from issue to completion
	Queue  blklat.Histogram // from insertion to issue
}

// Add adds the requests of another step.
func (l *Latency) Add(other *Latency) {
	for op := range l {
		l[op].Bytes += other[op].Bytes
		l[op].Device.Add(other[op].Device)
		l[op].Queue.Add(other[op].Queue)
	}
}

// Clear makes it one without requests, and keeps its memory.
func (l *Latency) Clear() {
	for op := range l {
		r := &l[op]
		r.Bytes, r.Device, r.Queue = 0, r.Device[:0], r.Queue[:0]
	}
}

// LatencyOf is the place of a component's requests in the row, to be filled; nil
// in rows without.
func (r *Row) LatencyOf(component int) *Latency {
	if r.Latency == nil {
		return nil
	}
	if r.Latency[component] == nil {
		r.Latency[component] = &Latency{}
	}
	return r.Latency[component]
}

package table

import "github.com/limpet-storage/limpet/record/blklat"

// Latency has histograms of how long the requests of a component took in a step, by
// operation. Histograms of steps can be added, unlike percentiles, so that the slowest
// thousandth of an hour can be found. They are not among the values of a row, because a
// value is one number, and coarser steps average such numbers.
type Latency [LatencyOps]Requests

// LatencyOps is the number of operations with latencies: reads and writes, numbered as in
// blklat.Op. Flushes and discards are too few and differ too much to be compared.
const LatencyOps = 2

// Requests has the requests of one operation.
type Requests struct {
	Bytes  uint64
	Device blklat.Histogram // times from issue to completion
	Queue  blklat.Histogram // times from insertion to issue
}

// Add adds the requests of another step.
func (l *Latency) Add(other *Latency) {
	for op := range l {
		l[op].Bytes += other[op].Bytes
		l[op].Device.Add(other[op].Device)
		l[op].Queue.Add(other[op].Queue)
	}
}

// Clear removes all requests, and keeps the memory.
func (l *Latency) Clear() {
	for op := range l {
		r := &l[op]
		r.Bytes, r.Device, r.Queue = 0, r.Device[:0], r.Queue[:0]
	}
}

// LatencyOf returns the latency of a component in the row, to be filled; nil if the rows
// have no latencies.
func (r *Row) LatencyOf(component int) *Latency {
	if r.Latency == nil {
		return nil
	}
	if r.Latency[component] == nil {
		r.Latency[component] = &Latency{}
	}
	return r.Latency[component]
}

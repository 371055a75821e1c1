package table

import (
	"math/bits"

	"github.com/limpet-storage/limpet/record/blklat"
)

// Latency has, for each operation, histograms of the times that the requests of one component took
// in one step. Unlike percentiles, histograms can be added. So the slowest thousandth of the
// requests of an hour can be found. Row.Values cannot hold histograms, because each of its values
// is one number. A Coarsener leaves histograms out: the detector that needs them reads and adds the
// histograms of the fine rows.
type Latency [LatencyOps]Requests

// LatencyOps is the number of operations with latencies: reads and writes, numbered as in
// blklat.Op. Flushes and discards are not compared, because they are too few and differ too much.
const LatencyOps = 2

// Requests describes the requests of one operation (reads or writes) in one step.
type Requests struct {
	Bytes  uint64
	Device blklat.Histogram // times from the issue of a request to the device until its completion
	Queue  blklat.Histogram // times from the insertion of a request into the queue until its issue to the device
}

// Add adds the requests of another step to l.
func (l *Latency) Add(other *Latency) {
	for op := range l {
		l[op].Bytes += other[op].Bytes
		l[op].Device.Add(other[op].Device)
		l[op].Queue.Add(other[op].Queue)
	}
}

// Clear removes all requests, and keeps the memory for reuse.
func (l *Latency) Clear() {
	for op := range l {
		r := &l[op]
		r.Bytes, r.Device, r.Queue = 0, r.Device[:0], r.Queue[:0]
	}
}

// LatencyOf returns the latency of a component in the row. The caller fills in the requests.
// LatencyOf returns nil if the rows have no latencies.
func (r *Row) LatencyOf(component int) *Latency {
	if r.Latency == nil {
		return nil
	}
	if r.Latency[component] == nil {
		r.Latency[component] = &Latency{}
	}
	return r.Latency[component]
}

// Doublings returns the number of requests of a histogram in each bin of a plot. The first number
// counts the requests below 512 ns, the second number counts the requests from 512 ns to 1,024 ns,
// the third from 1,024 ns to 2,048 ns, and so on.
func Doublings(h blklat.Histogram) []uint64 {
	var counts []uint64
	for _, c := range h {
		at := 0
		if ns := blklat.LowerNs(int(c.Bucket)); ns > 0 {
			at = bits.Len64(ns) - firstDoubling
		}
		for len(counts) <= at {
			counts = append(counts, 0)
		}
		counts[at] += uint64(c.Requests)
	}
	return counts
}

// firstDoubling is the binary logarithm of 512.
const firstDoubling = 9

// DoublingNs returns the lower end of bin i of Doublings, in nanoseconds.
func DoublingNs(i int) uint64 {
	if i == 0 {
		return 0
	}
	return 1 << (i - 1 + firstDoubling)
}

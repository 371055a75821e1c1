package tail

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
)

// memory holds the latency histograms of one component, by operation: the histogram of
// this tick, and the past histogram with a half-life of MemorySeconds.
type memory [table.LatencyOps]struct {
	now  table.Requests
	past []float64 // number of past requests by bucket; nil before the first request
}

// add adds the requests of a row, and reports whether the row has requests.
func (m *memory) add(l *table.Latency) (any bool) {
	for op := range m {
		now := &m[op].now
		now.Bytes += l[op].Bytes
		now.Device.Add(l[op].Device)
		now.Queue.Add(l[op].Queue)
		any = any || len(l[op].Device) > 0
	}
	return any
}

// endTick adds this tick to the past histograms.
func (m *memory) endTick(keep float64) {
	for op := range m {
		x := &m[op]
		if x.past == nil && len(x.now.Device) > 0 {
			x.past = make([]float64, blklat.Buckets)
		}
		for b := range x.past {
			x.past[b] *= keep
		}
		for _, c := range x.now.Device {
			x.past[c.Bucket] += float64(c.Requests)
		}
		x.now.Bytes, x.now.Device, x.now.Queue = 0, x.now.Device[:0], x.now.Queue[:0]
	}
}

// total returns the number of requests in all buckets of a histogram.
func total(buckets []float64) (n float64) {
	for _, x := range buckets {
		n += x
	}
	return n
}

// quantileMs returns the quantile q of the times of the requests, in ms: a share q of the requests
// took at most this time. The result is the upper bound of a bucket.
func quantileMs(buckets []float64, q float64) float64 {
	rank, below := q*total(buckets), 0.0
	for b, x := range buckets {
		if below += x; below >= rank && x > 0 {
			return upperMs(b)
		}
	}
	return 0
}

const nsInMs = 1e6

func upperMs(bucket int) float64 {
	return float64(blklat.LowerNs(min(bucket+1, blklat.Buckets-1))) / nsInMs
}

// above returns the share of the requests that are in buckets entirely above a time in
// ms.
func above(buckets []float64, ms float64) float64 {
	n := 0.0
	for b := range buckets {
		if float64(blklat.LowerNs(b))/nsInMs >= ms {
			n += buckets[b]
		}
	}
	return n / max(total(buckets), 1)
}

// slower returns the number of requests that are in buckets entirely above a time in ms,
// and the sum of the times of these requests.
func slower(h blklat.Histogram, ms float64) (requests, sumMs float64) {
	for _, c := range h {
		if lower := float64(blklat.LowerNs(int(c.Bucket))) / nsInMs; lower >= ms {
			requests += float64(c.Requests)
			sumMs += float64(c.Requests) * (lower + upperMs(int(c.Bucket))) / 2
		}
	}
	return requests, sumMs
}

func (m *memory) state(c *state.Codec) {
	for op := range m {
		x := &m[op]
		state.Uint(c, &x.now.Bytes)
		for _, h := range []*blklat.Histogram{&x.now.Device, &x.now.Queue} {
			state.List(c, (*[]blklat.Count)(h), func(c *state.Codec, n *blklat.Count) {
				state.Uint(c, &n.Bucket)
				state.Uint(c, &n.Requests)
			})
		}
		state.List(c, &x.past, func(c *state.Codec, v *float64) { c.Float(v) })
		if n := len(x.past); n != 0 && n != blklat.Buckets {
			c.Failf("a histogram of %d buckets, %d are known: the state is of another version", n, blklat.Buckets)
			x.past = nil
		}
	}
}

// State writes or reads the memory of every component.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticks.Last)
	d.monitor.State(c, axes)
	state.By(c, axes.Components, d.memories, func(c *state.Codec, m *memory) { m.state(c) })
	state.By(c, axes.Components, d.courses, func(c *state.Codec, x *course) { x.state(c) })
}

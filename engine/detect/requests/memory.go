package requests

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
)

// memory holds the requests of one component.
type memory struct {
	ops    [table.LatencyOps]operation // histograms, by operation
	now    work                        // sums over the requests of this tick
	recent work                        // sums over earlier requests, with a half-life of Detector.recentSeconds
	times  []float64                   // histogram of the time in the device, for the same requests as the field `recent`; nil before the first request
	minute pace                        // requests of this minute
}

// operation holds the histograms of one operation, read or write.
type operation struct {
	now  table.Requests // requests of this tick
	past []float64      // histogram of earlier requests, with a half-life of Detector.memorySeconds; nil before the first request
}

// add adds the requests of a row, and reports whether the row has requests.
func (m *memory) add(l *table.Latency) (any bool) {
	for op := range m.ops {
		now := &m.ops[op].now
		now.Bytes += l[op].Bytes
		now.Device.Add(l[op].Device)
		now.Queue.Add(l[op].Queue)
		any = any || len(l[op].Device) > 0
	}
	m.now.take(l)
	return any
}

// remember adds this tick to the recent requests and to the minute. It first multiplies the sums
// and the histograms of earlier requests by `keep`.
func (m *memory) remember(keep float64) {
	for op := range m.ops {
		fade := keep
		if op > 0 {
			fade = 1 // the first operation of the tick has already multiplied the buckets by `keep`
		}
		m.times = remember(m.times, m.ops[op].now.Device, fade)
	}
	m.recent.fade(keep)
	m.recent.add(&m.now)
	m.minute.add(&m.now)
}

// endTick begins the next tick: it adds the histograms of this tick to the histograms of earlier
// requests (past), and clears the sums of this tick.
func (m *memory) endTick(keepPast float64) {
	for op := range m.ops {
		x := &m.ops[op]
		x.past = remember(x.past, x.now.Device, keepPast)
		x.now.Bytes, x.now.Device, x.now.Queue = 0, x.now.Device[:0], x.now.Queue[:0]
	}
	m.now = work{}
}

// remember multiplies the buckets by `keep`, and then adds the requests of histogram h.
func remember(buckets []float64, h blklat.Histogram, keep float64) []float64 {
	if buckets == nil && len(h) > 0 {
		buckets = make([]float64, blklat.Buckets)
	}
	for b := range buckets {
		buckets[b] *= keep
	}
	for _, c := range h {
		buckets[c.Bucket] += float64(c.Requests)
	}
	return buckets
}

// hasPast reports whether the histograms of earlier requests have at least `least` requests.
func (m *memory) hasPast(least float64) bool {
	n := 0.0
	for op := range m.ops {
		n += totalRequests(m.ops[op].past)
	}
	return n >= least
}

// past returns the histogram of earlier requests, over all operations.
func (m *memory) past() []float64 {
	var sum []float64
	for op := range m.ops {
		if past := m.ops[op].past; past != nil {
			if sum == nil {
				sum = make([]float64, len(past))
			}
			for b, n := range past {
				sum[b] += n
			}
		}
	}
	return sum
}

// totalRequests returns the number of requests in all buckets of a histogram.
func totalRequests(buckets []float64) (n float64) {
	for _, x := range buckets {
		n += x
	}
	return n
}

// quantileMs returns the quantile q of the times of requests, in ms: a share q of the requests took
// at most this time. The result is the upper end of a bucket.
func quantileMs(buckets []float64, q float64) float64 {
	rank, below := q*totalRequests(buckets), 0.0
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

// shareAbove returns the share of the requests that took longer than a time in ms: requests in
// buckets whose lower end is at least this time.
func shareAbove(buckets []float64, ms float64) float64 {
	n := 0.0
	for b := range buckets {
		if float64(blklat.LowerNs(b))/nsInMs >= ms {
			n += buckets[b]
		}
	}
	return n / max(totalRequests(buckets), 1)
}

// countAbove returns the number of requests that took longer than a time in ms (as in shareAbove),
// and the sum of the times of these requests.
func countAbove(h blklat.Histogram, ms float64) (requests, sumMs float64) {
	for _, c := range h {
		if lower := float64(blklat.LowerNs(int(c.Bucket))) / nsInMs; lower >= ms {
			requests += float64(c.Requests)
			sumMs += float64(c.Requests) * (lower + upperMs(int(c.Bucket))) / 2
		}
	}
	return requests, sumMs
}

func (m *memory) state(c *state.Codec) {
	for op := range m.ops {
		x := &m.ops[op]
		state.Uint(c, &x.now.Bytes)
		for _, h := range []*blklat.Histogram{&x.now.Device, &x.now.Queue} {
			state.List(c, (*[]blklat.Count)(h), func(c *state.Codec, n *blklat.Count) {
				state.Uint(c, &n.Bucket)
				state.Uint(c, &n.Requests)
			})
		}
		bucketsState(c, &x.past)
	}
	m.now.state(c)
	m.recent.state(c)
	bucketsState(c, &m.times)
	m.minute.state(c)
}

func bucketsState(c *state.Codec, buckets *[]float64) {
	state.List(c, buckets, func(c *state.Codec, v *float64) { c.Float(v) })
	if n := len(*buckets); n != 0 && n != blklat.Buckets {
		c.Failf("the saved state has histograms with %d buckets, and this version of limpet uses %d buckets: use the version that wrote the saved state, or start without the saved state", n, blklat.Buckets)
		*buckets = nil
	}
}

package load

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
)

// work holds sums over the requests of one component.
type work struct {
	requests, reads, bytes float64
	queueMs, deviceMs      float64 // sums of the times in the queue and in the device
	busyMs, seconds        float64 // busy time of the device, and number of seconds for which the busy time is known
}

func (w *work) add(other *work) {
	w.requests, w.reads, w.bytes = w.requests+other.requests, w.reads+other.reads, w.bytes+other.bytes
	w.queueMs, w.deviceMs = w.queueMs+other.queueMs, w.deviceMs+other.deviceMs
	w.busyMs, w.seconds = w.busyMs+other.busyMs, w.seconds+other.seconds
}

// fade multiplies all sums by keep.
func (w *work) fade(keep float64) {
	for _, x := range w.fields() {
		*x *= keep
	}
}

func (w *work) fields() []*float64 {
	return []*float64{&w.requests, &w.reads, &w.bytes, &w.queueMs, &w.deviceMs, &w.busyMs, &w.seconds}
}

// The methods below return means per request.
func (w *work) waitMs() float64   { return w.each(w.queueMs + w.deviceMs) }
func (w *work) device() float64   { return w.each(w.deviceMs) }
func (w *work) busy() float64     { return w.each(w.busyMs) }
func (w *work) size() float64     { return w.each(w.bytes) }
func (w *work) readPart() float64 { return w.each(w.reads) }

func (w *work) each(sum float64) float64 { return sum / max(w.requests, 1) }

// idle returns the share of the time in which a device was idle, or a missing value if
// the busy time is not known.
func (w *work) idle() float64 {
	if w.seconds == 0 {
		return table.Missing
	}
	return max(1-w.busyMs/(1e3*w.seconds), 0)
}

// isIdle reports whether a device is known to have had no work. A tick without requests
// is not enough, because data may be missing.
func (w *work) isIdle() bool { return w.requests == 0 && w.seconds > 0 && w.busyMs == 0 }

func (w *work) state(c *state.Codec) {
	for _, x := range w.fields() {
		c.Float(x)
	}
}

// memory holds the work of one component: the work of this tick, and the past work with
// a half-life of MemorySeconds.
type memory struct {
	now, past work
	taken     blklat.Histogram // histogram of the times that the requests of this tick spent in the device
	times     []float64        // the same histogram for past requests: number of requests by bucket; nil before the first request
}

const nsInMs = 1e6

// add adds the requests of a row.
func (m *memory) add(l *table.Latency) {
	for op := range l {
		r := &l[op]
		n := float64(r.Device.Requests())
		if blklat.Op(op) == blklat.Read {
			m.now.reads += n
		}
		m.now.requests += n
		m.now.bytes += float64(r.Bytes)
		m.now.deviceMs += n * r.Device.MeanNs() / nsInMs
		m.now.queueMs += float64(r.Queue.Requests()) * r.Queue.MeanNs() / nsInMs
		m.taken.Add(r.Device)
	}
}

// endTick adds this tick to the past.
func (m *memory) endTick(keep float64) {
	if m.times == nil && len(m.taken) > 0 {
		m.times = make([]float64, blklat.Buckets)
	}
	for b := range m.times {
		m.times[b] *= keep
	}
	for _, c := range m.taken {
		m.times[c.Bucket] += float64(c.Requests)
	}
	m.past.fade(keep)
	m.past.add(&m.now)
	m.now, m.taken = work{}, m.taken[:0]
}

// quantileMs returns a quantile of the time in the device, in ms: the given share of the past
// requests took at most this time. The result is the upper bound of a histogram bucket.
func (m *memory) quantileMs(share float64) float64 {
	total, below := 0.0, 0.0
	for _, n := range m.times {
		total += n
	}
	for b, n := range m.times {
		if below += n; n > 0 && below >= share*total {
			return float64(blklat.LowerNs(min(b+1, blklat.Buckets-1))) / nsInMs
		}
	}
	return 0
}

func (m *memory) state(c *state.Codec) {
	m.now.state(c)
	m.past.state(c)
	state.List(c, (*[]blklat.Count)(&m.taken), func(c *state.Codec, n *blklat.Count) {
		state.Uint(c, &n.Bucket)
		state.Uint(c, &n.Requests)
	})
	state.List(c, &m.times, func(c *state.Codec, v *float64) { c.Float(v) })
	if n := len(m.times); n != 0 && n != blklat.Buckets {
		c.Failf("a histogram of %d buckets, %d are known: the state is of another version", n, blklat.Buckets)
		m.times = nil
	}
}

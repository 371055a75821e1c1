package requests

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

// take adds the requests of a row.
func (w *work) take(l *table.Latency) {
	for op := range l {
		r := &l[op]
		n := float64(r.Device.Requests())
		if blklat.Op(op) == blklat.Read {
			w.reads += n
		}
		w.requests += n
		w.bytes += float64(r.Bytes)
		w.deviceMs += n * r.Device.MeanNs() / nsInMs
		w.queueMs += float64(r.Queue.Requests()) * r.Queue.MeanNs() / nsInMs
	}
}

func (w *work) add(other *work) {
	w.requests, w.reads, w.bytes = w.requests+other.requests, w.reads+other.reads, w.bytes+other.bytes
	w.queueMs, w.deviceMs = w.queueMs+other.queueMs, w.deviceMs+other.deviceMs
	w.busyMs, w.seconds = w.busyMs+other.busyMs, w.seconds+other.seconds
}

// fade multiplies all sums by `keep`.
func (w *work) fade(keep float64) {
	for _, x := range w.fields() {
		*x *= keep
	}
}

func (w *work) fields() []*float64 {
	return []*float64{&w.requests, &w.reads, &w.bytes, &w.queueMs, &w.deviceMs, &w.busyMs, &w.seconds}
}

// The methods below return means per request.
func (w *work) waitMs() float64             { return w.perRequest(w.queueMs + w.deviceMs) }
func (w *work) deviceMsPerRequest() float64 { return w.perRequest(w.deviceMs) }
func (w *work) busy() float64               { return w.perRequest(w.busyMs) }
func (w *work) size() float64               { return w.perRequest(w.bytes) }
func (w *work) readPart() float64           { return w.perRequest(w.reads) }

func (w *work) perRequest(sum float64) float64 { return sum / max(w.requests, 1) }

// idleShare returns the share of the time in which a device was idle, or a missing value if
// the busy time is not known.
func (w *work) idleShare() float64 {
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

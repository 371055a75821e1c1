package past

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// drift measures how far the latency of a healthy component is from its curve, on average over some
// hours. Even the latency of a healthy component may differ from the curve for hours, because some
// changes are not visible in any feature. For example, a cache may answer more requests. The first
// day does not count, because the curve has just begun to learn.
type drift struct {
	part       int64   // number of the present part of a day since 1970
	sum, ticks float64 // sum of the differences over the ticks of the present part, and number of these ticks
	squares    float64 // sum of the squared means of earlier parts; an earlier part loses weight with its age
	parts      float64 // total weight of earlier parts
}

const (
	daySeconds = 86400
	// partSeconds is the length of a part of a day. A slow component becomes an incident after a
	// few hours. A part is longer than these hours.
	partSeconds = daySeconds / 4
	// assumedParts is the weight of the assumed deviation (method deviation), in parts of a day. It
	// is small, so that even a component with only three hours of data per day soon uses its
	// measured deviation instead.
	assumedParts = 0.5
)

// add adds the difference between latency and curve in a tick that ends at the Unix time `end`. If
// the tick begins a new part of a day, the weight of the earlier parts is multiplied by `keep`.
func (w *drift) add(difference float64, end int64, keep float64) {
	if part := (end - 1) / partSeconds; part != w.part {
		w.close(keep)
		w.part = part
	}
	w.sum, w.ticks = w.sum+difference, w.ticks+1
}

// close ends the present part of a day: it adds the squared mean of the part to the field
// `squares`.
func (w *drift) close(keep float64) {
	if w.ticks > 0 {
		mean := w.sum / w.ticks
		w.squares, w.parts = keep*w.squares+mean*mean, keep*w.parts+1
	}
	w.sum, w.ticks = 0, 0
}

// deviation returns the standard deviation of the values of all parts of a day so far. The value of
// a part is its mean difference between latency and curve. As long as no part has ended, deviation
// returns the parameter `assumed`.
func (w *drift) deviation(assumed float64) float64 {
	return math.Sqrt((assumedParts*assumed*assumed + w.squares) / (assumedParts + w.parts))
}

func (w *drift) state(c *state.Codec) {
	state.Int(c, &w.part)
	for _, f := range []*float64{&w.sum, &w.ticks, &w.squares, &w.parts} {
		c.Float(f)
	}
}

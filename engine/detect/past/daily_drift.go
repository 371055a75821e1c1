package past

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// dailyDrift measures how far the latency of a healthy component is from its curve, on average over a
// day. A day differs from other days in ways that no feature shows, for example in how many requests
// a cache answers.
type dailyDrift struct {
	day        int64   // number of the present day since 1970
	sum, ticks float64 // sum over the ticks of the present day, and their number
	squares    float64 // sum of the squared means of earlier days; an earlier day loses weight with its age
	days       float64 // total weight of earlier days
}

// add adds the difference of a tick that ends at a Unix time. Earlier days keep the given share of
// their weight.
func (w *dailyDrift) add(difference float64, end int64, keep float64) {
	if day := (end - 1) / daySeconds; day != w.day {
		w.close(keep)
		w.day = day
	}
	w.sum, w.ticks = w.sum+difference, w.ticks+1
}

// close ends the present day.
func (w *dailyDrift) close(keep float64) {
	if w.ticks > 0 {
		mean := w.sum / w.ticks
		w.squares, w.days = keep*w.squares+mean*mean, keep*w.days+1
	}
	w.sum, w.ticks = 0, 0
}

// deviation returns the standard deviation of the mean of a day, as a logarithm of a ratio. The caller
// passes the standard deviation that is assumed before any day is known. This assumption has the weight
// of half a day.
func (w *dailyDrift) deviation(assumed float64) float64 {
	return math.Sqrt((assumedDays*assumed*assumed + w.squares) / (assumedDays + w.days))
}

const assumedDays = 0.5

const daySeconds = 86400

func (w *dailyDrift) state(c *state.Codec) {
	state.Int(c, &w.day)
	for _, f := range []*float64{&w.sum, &w.ticks, &w.squares, &w.days} {
		c.Float(f)
	}
}

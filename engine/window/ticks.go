package window

// Ticks divides rows into ticks of a fixed number of seconds. If no row is missing, ticks
// end at multiples of this number in Unix time. A detector judges at the end of each
// tick.
type Ticks struct {
	Seconds int64 // length of a tick
	Last    int64 // Unix time of the end of the last tick; 0 before the first tick
}

// NewTicks returns ticks of the given number of seconds, rounded up to whole steps.
func NewTicks(seconds, stepSeconds int64) Ticks {
	return Ticks{Seconds: max(1, (seconds+stepSeconds-1)/stepSeconds) * stepSeconds}
}

// Advance returns the length in seconds of the tick that ends with a row; 0 if no tick ends with the
// row. The caller passes the Unix time at which the row ends, and true if the row has data. The
// first tick ends with the first row that has data.
func (t *Ticks) Advance(end int64, heard bool) (seconds int64) {
	if t.Last == 0 {
		if !heard {
			return 0
		}
		t.Last = end - t.Seconds
	}
	if seconds = end - t.Last; seconds < t.Seconds && end%t.Seconds != 0 {
		return 0
	}
	t.Last = end
	return seconds
}

// MinuteSeconds is the length of a minute. Detectors compare the latency of a component with its
// peers in every step, and the length of a step depends on the data. They measure the size of a
// problem over minutes, so that the size does not depend on the step.
const MinuteSeconds = 60

package window

// Ticks divides the stream of rows into intervals of a fixed number of seconds, called ticks. A
// detector judges at the end of each tick. A tick ends when the Unix time is a multiple of this
// number of seconds. If the row with this end is missing, the tick ends with a later row.
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

// MinuteSeconds is the length of a minute. Detectors measure the size of a problem over minutes,
// and not over steps. So the size does not depend on the step of the data.
const MinuteSeconds = 60

package window

// Ticks divides rows into ticks of a fixed number of seconds, aligned to the clock. A
// detector judges at the end of each tick.
type Ticks struct {
	Seconds int64 // length of a tick
	Last    int64 // Unix time of the end of the last tick; 0 before the first
}

// NewTicks returns ticks of a number of seconds, rounded up to whole steps.
func NewTicks(seconds, stepSeconds int64) Ticks {
	return Ticks{Seconds: max(1, (seconds+stepSeconds-1)/stepSeconds) * stepSeconds}
}

// Next returns the length in seconds of the tick that ends with a row; 0 if no tick ends
// with it. The first tick contains the first row with data (heard).
func (t *Ticks) Next(end int64, heard bool) (seconds int64) {
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

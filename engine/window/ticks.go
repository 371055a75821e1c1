package window

// Ticks tell when a detector sums up what rows hold: every so many seconds, by the clock.
type Ticks struct {
	Seconds int64 // from one to the next
	Last    int64 // end of the last; 0 before the first
}

// NewTicks are ticks of so many seconds, or of the whole steps that hold them.
func NewTicks(seconds, stepSeconds int64) Ticks {
	return Ticks{Seconds: max(1, (seconds+stepSeconds-1)/stepSeconds) * stepSeconds}
}

// Next says how many seconds the tick holds that ends with a row; 0 where none does. The
// first holds the first row in which something was heard: there may never be any.
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

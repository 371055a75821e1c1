package study

// A Turn is the number of an hour among the hours of a drive's seat, from 1 on, and whether the
// drive was also a member in the next hour. Both are in one integer to save memory.
type Turn uint32

// NewTurn returns the Turn of the nth hour of a seat.
func NewTurn(nth int64, goesOn bool) Turn {
	t := Turn(nth) << 1
	if goesOn {
		t |= goesOnBit
	}
	return t
}

const goesOnBit = 1

// Nth returns the number of the hour in its seat, from 1 on.
func (t Turn) Nth() int64 { return int64(t >> 1) }

// GoesOn reports whether the drive was also a member in the next hour.
func (t Turn) GoesOn() bool { return t&goesOnBit != 0 }

// after returns the turn of the hour after its seat is joined to an earlier one with this many
// hours.
func (t Turn) after(hours int64) Turn { return t + Turn(hours)<<1 }

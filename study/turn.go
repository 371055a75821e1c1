package study

// A Turn says which of the hours that a drive was at work an hour is, counted
// from 1 on in the seat that it is in, and whether the drive was at work in the
// hour after it, too. Both are in one number, as there may be many of them.
type Turn uint32

// NewTurn is the nth hour of a seat.
func NewTurn(nth int64, goesOn bool) Turn {
	t := Turn(nth) << 1
	if goesOn {
		t |= goesOnBit
	}
	return t
}

const goesOnBit = 1

// Nth is the hour's number.
func (t Turn) Nth() int64 { return int64(t >> 1) }

// GoesOn reports whether the next hour is one of the drive's, too.
func (t Turn) GoesOn() bool { return t&goesOnBit != 0 }

// after is the turn where a seat has so many hours before its own first.
func (t Turn) after(hours int64) Turn { return t + Turn(hours)<<1 }

package study

// An Account says what became of the rows: Rows is the sum of all others but
// the hours of groups.
type Account struct {
	Rows        int64
	Counted     int64 // drive hours of the study
	Parity      int64 // of parity drives
	Idle        int64 // without I/O
	NoLatency   int64 // with I/O, or who knows, and without latency
	ZeroLatency int64 // with I/O, or who knows, and a latency of zero
	Invalid     int64 // with an I/O count or a latency that is negative or beyond belief
	Duplicate   int64 // of a drive, group and hour that has another
	Narrow      int64 // in hours of groups with fewer than three members
	Mixed       int64 // in hours of groups with several kinds of drives

	IdleHours   int64 // of groups without a member
	NarrowHours int64 // of groups with one or two
	MixedHours  int64 // of groups with several kinds
}

// all are the counts that add up.
func (a *Account) all() []*int64 {
	return []*int64{
		&a.Rows, &a.Counted, &a.Parity, &a.Idle, &a.NoLatency, &a.ZeroLatency, &a.Invalid,
		&a.Duplicate, &a.Narrow, &a.Mixed, &a.IdleHours, &a.NarrowHours, &a.MixedHours,
	}
}

func (a *Account) merge(other *Account) {
	more := other.all()
	for i, n := range a.all() {
		*n += *more[i]
	}
}

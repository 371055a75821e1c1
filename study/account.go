package study

// An Account counts rows by the reason why they are counted or left out. Rows is the sum of
// the other counts of rows, from Counted to Mixed.
type Account struct {
	Rows        int64
	Counted     int64 // drive hours of the study
	Parity      int64 // of parity drives
	Idle        int64 // without I/O
	NoLatency   int64 // without latency, although there was I/O or the I/O count is unknown
	ZeroLatency int64 // with a latency of 0, although there was I/O or the I/O count is unknown
	Invalid     int64 // with an I/O count or a latency below 0, or above MostIOs or MostLatency
	Duplicate   int64 // of a drive, group and hour that already has a row
	Narrow      int64 // in hours of groups with fewer than three members
	Mixed       int64 // in hours of groups with several kinds of drives

	IdleHours   int64 // hours of groups without a member
	NarrowHours int64 // hours of groups with one or two members
	MixedHours  int64 // hours of groups with several kinds of drives
}

// all returns the counts, which merge adds one by one.
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

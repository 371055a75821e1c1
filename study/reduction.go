package study

// A Reduction has the counts of all records by group and by drive, the distributions, and
// the slow hours one by one. The same records give the same reduction, in any order and
// division (Merge). It is plain data: study/clickhouse counts in a database and fills in a
// reduction, too, for study/survey.
type Reduction struct {
	Options  Options
	Accounts [Directions]Account
	Spreads  []*Spread  // by direction, then kind
	Cells    []Cell     // by direction, then kind, then group
	Seats    []Seat     // by cell, then drive, then first hour
	Slow     []SlowHour // by cell, then drive, then hour
}

// A Spread is the distributions of one direction and kind.
type Spread struct {
	Direction Direction
	Kind      Kind
	Slowdown  Histogram                 // S
	Tails     [Narrowest]Histogram      // T1, T2, T3
	Busy      Histogram                 // S where the drive does twice the I/Os (T16 Figure 7b)
	Large     Histogram                 // S where they are twice as large (T16 Figure 7d)
	Calm      [mostThresholds]Histogram // I/Os of the hour before / I/Os of this hour, both stable, by threshold
	Tense     [mostThresholds]Histogram // the same, from a stable hour to a tail hour (T16 Figure 10)
}

// A Cell is a group, its drives of one kind, in one direction.
type Cell struct {
	Direction  Direction
	Kind       Kind
	Group      int32
	Parity     int32            // drives with records, the most in an hour
	Hours      int64            // with at least three members
	DriveHours int64            // of members
	Busy       int64            // drive hours with twice the I/Os of the peers
	Large      int64            // with I/Os of twice the size
	TailSum    [Narrowest]int64 // sums of T1, T2, T3, each MostRatio at most, in TailUnits
	ByHour     [24]int64        // drive hours, by the hour of the day
	Months     []Month
	Steps      []Step // by threshold
	Spans      []Span // of time
}

// TailUnits of a sum of slowdowns are 1: a sum of integers does not depend on
// their order.
const TailUnits = 1 << 16

// A Month of a cell.
type Month struct {
	Index      int32 // months since the year 0
	Hours      int64
	DriveHours int64
}

// A Step counts what became of a group's I/Os from one hour to the next
// (T16 §4.4.1), where it was stable in the first by one threshold.
type Step struct {
	Calm, CalmFell   int64 // to a stable hour, and with half the I/Os or less
	Tense, TenseFell int64 // to a tail hour
}

// A Span is a stretch of time of a cell: what its ends need to know of what
// may come before and after.
type Span struct{ First, Last Edge }

// An Edge is the first or the last hour of a span of a group.
type Edge struct {
	Hour int32
	IOs  int64   // of all members, in IOUnits; 0 where they were not counted
	Tail float64 // T1, the largest slowdown of the group in the hour
}

// IOUnits are 1 I/O; records that were folded to hours have parts of one.
const IOUnits = 256

// A Seat is a stay of a drive in a cell, in one year of its life. It ends where the drive
// has no hour in the cell for more than AwayHours: a drive that was in another group
// meanwhile has several seats.
type Seat struct {
	Cell  int32 // index into Cells
	Drive int32
	Year  int32 // from 1 on; 0 where the age is not known
	First int32 // hour
	Last  int32
	Hours int64
}

// AwayHours are those that a drive can be away for without having left: a day,
// since idle nights are usual, and drives are put back within hours (T16
// Finding 15).
const AwayHours = 24

// A SlowHour is the hour of a drive with a slowdown of Options.Kept and more.
type SlowHour struct {
	Cell  int32 // index into Cells
	Drive int32
	Hour  int32
	Rate  float32 // RI, rounded down; NaN where it is not known
	Size  float32 // ZI, rounded down; NaN where it is not known
	Turn  Turn    // in the drive's seat
	S     float64
}

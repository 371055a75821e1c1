package study

// A Reduction has the counts of all records by group and by drive, the distributions, and
// every slow hour. The same records give the same reduction, in any order and any division
// ([Merge]). It is plain data: a [Reducer] makes it from records, and study/clickhouse from
// counts of a database.
type Reduction struct {
	Options  Options
	Accounts [Directions]Account
	Spreads  []*Spread  // by direction, then kind
	Cells    []Cell     // by direction, then kind, then group
	Seats    []Seat     // by cell, then drive, then first hour
	Slow     []SlowHour // by cell, then drive, then hour
}

// A Spread holds the distributions of one direction and kind. Calm and Tense are the
// distributions of (I/Os of the hour before) / (I/Os of this hour), by threshold.
type Spread struct {
	Direction Direction
	Kind      Kind
	Slowdown  Histogram                 // S
	Tails     [Narrowest]Histogram      // T1, T2, T3
	Busy      Histogram                 // S of drives with twice the I/Os of the median (T16 Figure 7b)
	Large     Histogram                 // S of drives with I/Os of twice the size (T16 Figure 7d)
	Calm      [mostThresholds]Histogram // from a stable hour to a stable hour
	Tense     [mostThresholds]Histogram // from a stable hour to a tail hour (T16 Figure 10)
}

// A Cell holds the counts of a group for one kind of drives, in one direction.
type Cell struct {
	Direction  Direction
	Kind       Kind
	Group      int32
	Parity     int32            // parity drives with records; the largest number in an hour
	Hours      int64            // hours with at least three members
	DriveHours int64            // sum of the number of members over these hours
	Busy       int64            // drive hours with twice the I/Os of the median
	Large      int64            // drive hours with I/Os of twice the median size
	TailSum    [Narrowest]int64 // sums of min(T1, MostRatio), the same for T2 and T3, in TailUnits
	ByHour     [24]int64        // drive hours, by the hour of the day
	Months     []Month
	Steps      []Step // by threshold
	Spans      []Span // stretches of time; one after Merge
}

// TailUnits is the integer for a slowdown of 1 in a sum of slowdowns. A sum of integers does not
// depend on their order.
const TailUnits = 1 << 16

// A Month holds the counts of a cell in a month.
type Month struct {
	Index      int32 // months since the year 0
	Hours      int64
	DriveHours int64
}

// A Step counts the steps of a group from one hour to the next at one threshold (T16 §4.4.1).
// The first hour of a step is stable: T1 < threshold.
type Step struct {
	Calm, CalmFell   int64 // all steps to a stable hour; steps to half the I/Os or less
	Tense, TenseFell int64 // all steps to a tail hour; steps to half the I/Os or less
}

// A Span is a stretch of time of a cell. Its first and last hours are kept, because the steps to
// the spans before and after are counted when spans are joined.
type Span struct{ First, Last Edge }

// An Edge is the first or the last hour of a span of a group.
type Edge struct {
	Hour int32
	IOs  int64   // of all members, in IOUnits; 0: not counted
	Tail float64 // T1, the largest slowdown of the group in the hour
}

// IOUnits is the integer for one I/O. An hour that was summed from finer records may have
// fractions of an I/O.
const IOUnits = 256

// A Seat is a stay of a drive in a cell, in one year of the drive's life. The seat ends if the
// drive has no hour in the cell for more than AwayHours. A drive that was in another group
// meanwhile may have several seats in the cell.
type Seat struct {
	Cell  int32 // index into Cells
	Drive int32
	Year  int32 // of the drive's life, from 1 on; 0: age unknown
	First int32 // first hour
	Last  int32 // last hour
	Hours int64 // number of hours in which the drive was a member
}

// AwayHours is the largest gap, in hours, within a seat. It is a day, because idle nights are
// common, and unplugged drives are put back within hours (T16 Finding 15).
const AwayHours = 24

// A SlowHour is an hour of a drive with a slowdown of at least Options.Kept.
type SlowHour struct {
	Cell  int32 // index into Cells
	Drive int32
	Hour  int32
	Rate  float32 // I/O count / median of the group (T16: RI), rounded down; NaN: unknown
	Size  float32 // I/O size / median of the group (T16: ZI), rounded down; NaN: unknown
	Turn  Turn    // number of the hour in the drive's seat
	S     float64 // slowdown
}

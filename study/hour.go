package study

import "time"

// A Batch is a run of drive hours, column by column; all columns have the same
// length. A batch is of one direction.
//
// Rows are handed on as they were recorded: idle hours, parity drives, rows
// that stand twice and groups that are too small are the study's to leave out,
// since it counts them.
type Batch struct {
	Direction Direction
	Hour      []int32   // hours since the epoch, UTC: the hour that begins then
	Group     []int32   // index into Fleet.Groups: the group that the record names
	Drive     []int32   // index into Fleet.Drives
	IOs       []float32 // requests in the hour, 0: idle; NaN where they were not counted
	Latency   []float32 // mean, in microseconds; NaN where there is none
	Size      []float32 // mean bytes a request; NaN where it is not known
	Again     []int32   // how many more rows were equal to it; empty where none was left out
}

// Len is the number of rows.
func (b *Batch) Len() int { return len(b.Hour) }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Hour, b.Group, b.Drive = b.Hour[:0], b.Group[:0], b.Drive[:0]
	b.IOs, b.Latency, b.Size, b.Again = b.IOs[:0], b.Latency[:0], b.Size[:0], b.Again[:0]
}

// A Direction says of what I/O a record is the mean. The study is made of each
// apart where the data have them.
type Direction uint8

// The directions. T16 merges reads and writes (§3.3), and so does All.
const (
	All Direction = iota
	Reads
	Writes
	Directions int = iota
)

func (d Direction) String() string { return [Directions]string{"all", "reads", "writes"}[d] }

// Hours is a stream of drive hours. Next replaces the batch's rows by the next
// ones, in the batch's own memory where that is enough; after the last it
// returns io.EOF and no rows.
//
// In each direction all rows of one group and hour lie together, if need be
// over several batches, and the hours of a group ascend. By (hour, group) and
// by (group, hour) are two such orders.
//
// Several streams may be studied side by side, each by a Reducer of its own,
// where no group is in two of them, or where those that share a group are of
// ranges of time that do not overlap. No hour of a group may be cut in two.
type Hours interface {
	Next(*Batch) error
}

// A Fleet is what is known of the drives and groups that records name by
// index. It holds every drive and group of a batch before the batch is handed
// on; with several streams at a time it is whole before the first batch, and
// no longer changes.
type Fleet struct {
	Groups []string // names
	Kinds  []Kind   // by group: that of its drives as far as they are known; may be shorter
	Drives []Drive
}

// KindOf is the kind of a group's drives, Unknown where no one settled it.
func (f *Fleet) KindOf(group int32) Kind {
	if int(group) < len(f.Kinds) {
		return f.Kinds[group]
	}
	return Unknown
}

// A Drive as the inventory has it. What is not known is empty. The inventory's
// group tells where a drive is that has no records, as parity drives may: a
// drive may change groups, and the record's counts.
type Drive struct {
	Name      string
	Group     string
	Role      Role
	Kind      Kind
	Model     string
	Vendor    string
	Flash     string    // SLC, MLC, …
	Interface string    // SATA, SAS, …
	Capacity  string    // as the inventory writes it: 1000
	RPM       string    // likewise
	Deployed  time.Time // zero where it is not known
}

// A Role of a drive in its group.
type Role uint8

// The roles. A drive of unknown role is a data drive. Parity drives are left
// out and counted: reads do not need them (T16 §3.3).
const (
	Data Role = iota
	Parity
)

// A Kind of drive; each is studied apart. A drive of unknown kind takes that of
// its peers in the hour, or else of its group; the groups of a fleet without an
// inventory are of unknown kind.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	Disk
	SSD
	Kinds int = iota
)

func (k Kind) String() string { return [Kinds]string{"drive", "disk", "ssd"}[k] }

// An Event of a drive, as T16 §3.2 has them logged, in any order.
type Event struct {
	Time  time.Time
	Drive int32 // index into Fleet.Drives
	What  What
}

// What happened to a drive: one of those below, or free text.
type What string

// The events that the study knows. Any other is a complaint of the drive, as
// are NotSpinning and NotResponding.
const (
	NotSpinning   What = "not spinning"
	NotResponding What = "not responding"
	Unplugged     What = "unplugged"
	Replugged     What = "replugged"
)

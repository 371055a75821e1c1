package study

import "time"

// A Batch is a run of drive hours of one direction, column by column. All columns have the
// same length.
//
// A batch has all recorded rows. The study itself leaves out idle hours, parity drives,
// duplicate rows and groups that are too small, because it counts them.
type Batch struct {
	Direction Direction
	Hour      []int32   // hours since the epoch, UTC: the hour that begins then
	Group     []int32   // index into Fleet.Groups: the group that the record names
	Drive     []int32   // index into Fleet.Drives
	IOs       []float32 // requests in the hour; 0: idle; NaN: not counted
	Latency   []float32 // mean, in microseconds; NaN: unknown
	Size      []float32 // mean bytes per request; NaN: unknown
	Again     []int32   // number of equal rows that were left out; an empty column: none
}

// Len returns the number of rows.
func (b *Batch) Len() int { return len(b.Hour) }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Hour, b.Group, b.Drive = b.Hour[:0], b.Group[:0], b.Drive[:0]
	b.IOs, b.Latency, b.Size, b.Again = b.IOs[:0], b.Latency[:0], b.Size[:0], b.Again[:0]
}

// A Direction is the I/O that a record averages. The study treats each direction of the data
// separately.
type Direction uint8

// The directions. T16 merges reads and writes (§3.3), and so does All.
const (
	All Direction = iota
	Reads
	Writes
	Directions int = iota
)

func (d Direction) String() string { return [Directions]string{"all", "reads", "writes"}[d] }

// Hours is a stream of drive hours. Next replaces the rows of the batch with the next rows. It
// reuses the memory of the batch if that is large enough. After the last row it returns io.EOF
// and no rows.
//
// In each direction, all rows of one group and hour follow each other, over several batches if
// necessary, and the hours of a group ascend. Two orders meet these conditions: by (hour,
// group) and by (group, hour).
//
// Several streams may be reduced in parallel, each by its own Reducer. Streams that share a
// group must cover ranges of time that do not overlap. An hour of a group must not be divided
// between two streams.
type Hours interface {
	Next(*Batch) error
}

// A Fleet holds the drives and groups that records name by index. It must have every drive and
// group of a batch before a Reducer gets the batch. If several streams are read in parallel, it
// must be complete before the first batch and must not change afterwards.
type Fleet struct {
	Groups []string // names
	Kinds  []Kind   // by group: known kind of its drives; may be shorter than Groups
	Drives []Drive
}

// KindOf returns the kind of a group's drives; Unknown if it is not known.
func (f *Fleet) KindOf(group int32) Kind {
	if int(group) < len(f.Kinds) {
		return f.Kinds[group]
	}
	return Unknown
}

// A Drive is a drive of the inventory. Unknown fields are empty. Group is used only for drives
// without records, such as some parity drives. If a drive has records, the study uses the group
// that each record names, because a drive may change groups.
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
	RPM       string    // as the inventory writes it: 7200
	Deployed  time.Time // zero: unknown
}

// A Role is the role of a drive in its group.
type Role uint8

// The roles. A drive of unknown role is a data drive. Parity drives are only counted, because
// reads do not need them (T16 §3.3).
const (
	Data Role = iota
	Parity
)

// A Kind is a kind of drive. The study treats each kind separately. A drive of unknown kind
// takes the kind of its peers in the hour, or else of its group. The groups of a fleet without
// an inventory are of unknown kind.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	Disk
	SSD
	Kinds int = iota
)

func (k Kind) String() string { return [Kinds]string{"drive", "disk", "ssd"}[k] }

// An Event is an event in the log of a drive (T16 §3.2). Events may be in any order.
type Event struct {
	Time  time.Time
	Drive int32 // index into Fleet.Drives
	What  What
}

// What is the type of an event: one of the constants below, or free text.
type What string

// The known types of events. NotSpinning, NotResponding and all free texts are complaints of
// the drive.
const (
	NotSpinning   What = "not spinning"
	NotResponding What = "not responding"
	Unplugged     What = "unplugged"
	Replugged     What = "replugged"
)

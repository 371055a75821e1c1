package study

import (
	"fmt"
	"math/bits"
	"slices"
)

// A lane counts one direction of a stream. It holds the current group and hour, and all counts
// so far.
type lane struct {
	*Reducer
	direction Direction
	calendar  calendar
	account   Account
	block     block
	serial    uint32  // number of the block
	last      []int32 // last hour of each group
	marks     []mark  // by drive
	cellOf    []int32 // by group and kind: index of the cell + 1; 0: none
	cells     []Cell
	seats     []Seat
	ends      []int32         // by seat: hour at which its year of the drive's life ends
	seatOf    map[place]int32 // index of the drive's latest seat
	slow      []SlowHour
	recent    []recent // by cell
	spreads   [Kinds]*Spread
	scratch   []uint32
}

// A mark holds the serial of the last block with a drive, and the drive's seat in that block.
type mark struct {
	serial uint32
	seat   int32
}

// A place is a drive in a cell, the key of a seat.
type place struct{ drive, cell int32 }

// recent holds the last hour of a cell with slow drives, and the range of these slow hours.
type recent struct {
	hour     int32
	from, to int // range in lane.slow
}

// A block holds the members of a group in an hour.
type block struct {
	group, hour int32
	open        bool
	kinds       uint8 // kinds of the members: bit 1<<kind
	parity      int32 // number of parity drives
	drives      []int32
	latency     []uint32 // bit patterns of ratioBits
	ios, size   []uint32 // bit patterns of ratioBits
	ordered     []uint32 // latencies in ascending order
}

// grow makes room for more members and returns the number of members.
func (k *block) grow(more int) int {
	k.drives = slices.Grow(k.drives, more)
	k.latency, k.ios, k.size = slices.Grow(k.latency, more), slices.Grow(k.ios, more), slices.Grow(k.size, more)
	return len(k.drives)
}

// resize sets the number of members to n.
func (k *block) resize(n int) {
	k.drives, k.latency, k.ios, k.size = k.drives[:n], k.latency[:n], k.ios[:n], k.size[:n]
}

// kind returns the kind of the members: the known kind of some members, or else the kind of the
// group. Members of unknown kind are assumed to be of this kind.
func (k *block) kind(f *Fleet) Kind {
	if k.knownKinds() == 0 {
		return f.KindOf(k.group)
	}
	return Kind(bits.Len8(k.knownKinds()))
}

// isMixed reports whether the members are of several known kinds.
func (k *block) isMixed() bool { return k.knownKinds()&(k.knownKinds()-1) != 0 }

// knownKinds returns a bit for each known kind of the members: bit 0 for Disk, bit 1 for SSD.
func (k *block) knownKinds() uint8 { return k.kinds >> Disk }

// blockCapacity is the capacity of a new block in members. The first larger group enlarges the
// block.
const blockCapacity = 64

func newLane(r *Reducer, d Direction) *lane {
	l := &lane{Reducer: r, direction: d, calendar: calendar{zone: r.options.Zone}, seatOf: map[place]int32{}}
	l.block = block{
		drives: make([]int32, 0, blockCapacity), latency: make([]uint32, 0, blockCapacity),
		ios: make([]uint32, 0, blockCapacity), size: make([]uint32, 0, blockCapacity),
		ordered: make([]uint32, 0, blockCapacity),
	}
	l.scratch = make([]uint32, 0, blockCapacity)
	return l
}

// open begins the block of a group and hour. It does nothing if the block is already open.
func (l *lane) open(group, hour int32) error {
	b := &l.block
	if b.open && b.group == group && b.hour == hour {
		return nil
	}
	l.close()
	if n := l.Reducer.slow.Load(); n > l.most {
		return tooMany(n, l.kept)
	}
	if group < 0 || int(group) >= len(l.fleet.Groups) {
		return fmt.Errorf("a record names group %d, but the fleet has %d groups (numbered from 0): add the group to the fleet first", group, len(l.fleet.Groups))
	}
	for len(l.last) < len(l.fleet.Groups) {
		l.last = append(l.last, neverHour)
	}
	if hour <= l.last[group] {
		return fmt.Errorf("group %s: records of %s follow records of %s; sort the records by time, or let limpet sort the records",
			l.fleet.Groups[group], clock(hour), clock(l.last[group]))
	}
	l.last[group] = hour
	l.serial++
	b.group, b.hour, b.open = group, hour, true
	return nil
}

// gather adds rows of the group and hour to the block.
func (l *lane) gather(b *Batch, from, to int) error {
	for len(l.marks) < len(l.drives) {
		l.marks = append(l.marks, mark{seat: -1})
	}
	k := &l.block
	n := k.grow(to - from)
	k.resize(n + to - from)
	for i := from; i < to; i++ {
		d := b.Drive[i]
		if uint(d) >= uint(len(l.drives)) {
			return fmt.Errorf("a record names drive %d, but the fleet has %d drives (numbered from 0): add the drive to the fleet first", d, len(l.drives))
		}
		p := &l.drives[d]
		ios, latency := b.IOs[i], b.Latency[i]
		switch {
		case p.parity:
			l.account.Parity++
			if l.marks[d].serial != l.serial {
				l.marks[d].serial = l.serial
				k.parity++
			}
		case !isMember(ios, latency):
			l.leaveOut(ios, latency, 1)
		case l.marks[d].serial == l.serial:
			l.again(d, ios, latency, b.Size[i])
		default:
			l.marks[d].serial = l.serial
			k.kinds |= 1 << p.kind
			k.drives[n], k.latency[n] = d, ratioBits(latency)
			k.ios[n], k.size[n] = ratioBits(ios), ratioBits(b.Size[i])
			n++
		}
	}
	k.resize(n)
	return nil
}

// isMember reports whether a row has a valid latency and no invalid I/O count, so that its drive
// is a member. An unknown I/O count is not invalid.
func isMember(ios, latency float32) bool {
	return latency > 0 && latency <= MostLatency && !(ios <= 0 || ios > MostIOs)
}

// leaveOut counts rows that are left out, by the reason.
func (l *lane) leaveOut(ios, latency float32, rows int64) {
	switch {
	case ios < 0 || ios > MostIOs || latency < 0 || latency > MostLatency:
		l.account.Invalid += rows
	case ios == 0:
		l.account.Idle += rows
	case latency == 0:
		l.account.ZeroLatency += rows
	default:
		l.account.NoLatency += rows
	}
}

// countAgain counts the equal rows that are not in the batch ([Batch].Again).
func (l *lane) countAgain(b *Batch, from, to int) {
	for i, rows := range b.Again[from:to] {
		n, ios, latency := int64(rows), b.IOs[from+i], b.Latency[from+i]
		l.account.Rows += n
		switch {
		case l.drives[b.Drive[from+i]].parity:
			l.account.Parity += n
		case isMember(ios, latency):
			l.account.Duplicate += n
		default:
			l.leaveOut(ios, latency, n)
		}
	}
}

// again chooses between a new row of a drive and its row in the block.
func (l *lane) again(drive int32, ios, latency, size float32) {
	l.account.Duplicate++
	k := &l.block
	i := 0
	for k.drives[i] != drive {
		i++
	}
	had := [3]float32{number(k.ios[i]), number(k.latency[i]), number(k.size[i])}
	if outranks([3]float32{ios, latency, size}, had) {
		k.ios[i], k.latency[i], k.size[i] = ratioBits(ios), ratioBits(latency), ratioBits(size)
	}
}

func number(bits uint32) float32 { return float32(value(bits)) }

// outranks reports whether a is larger than b in the first value that differs. An unknown value
// is smaller than any known value.
func outranks(a, b [3]float32) bool {
	for i := range a {
		known, has := a[i] == a[i], b[i] == b[i]
		if known != has {
			return known
		}
		if known && a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// close counts the block and empties it.
func (l *lane) close() {
	k := &l.block
	if !k.open {
		return
	}
	switch n := int64(len(k.drives)); {
	case n == 0:
		l.account.IdleHours++
	case n < Narrowest:
		l.account.Narrow += n
		l.account.NarrowHours++
	case k.isMixed():
		l.account.Mixed += n
		l.account.MixedHours++
	default:
		l.account.Counted += n
		l.count()
	}
	k.open, k.kinds, k.parity = false, 0, 0
	k.resize(0)
}

// reduction returns the counts of the lane. They are not sorted yet.
func (l *lane) reduction() *Reduction {
	out := &Reduction{Options: l.options, Cells: l.cells, Seats: l.seats, Slow: l.slow}
	out.Accounts[l.direction] = l.account
	for _, s := range l.spreads {
		if s != nil {
			out.Spreads = append(out.Spreads, s)
		}
	}
	return out
}

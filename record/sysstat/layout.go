package sysstat

import (
	"encoding/binary"
	"math/bits"
)

// order is the representation of numbers on the writer's machine.
type order struct {
	big  bool
	long int // bytes of a C long, 4 or 8
}

func (o order) u16(b []byte) uint16 {
	if o.big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func (o order) u32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b)
	if o.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

func (o order) u64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b)
	if o.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// A field is the place of a number in a structure. Width 0: the writer did not have the field; its
// value is 0.
type field struct {
	off   uint16
	width uint8
}

func (o order) load(b []byte, f field) uint64 {
	switch f.width {
	case 8:
		return o.u64(b[f.off:])
	case 4:
		return uint64(o.u32(b[f.off:]))
	}
	return 0
}

// kind is a C type: unsigned long long, unsigned long, unsigned int.
type kind uint8

const (
	none kind = iota
	ull
	ul
	u
)

// at returns the field of a kind at an offset. A long of four bytes is in the first half of a slot
// of eight bytes, in both byte orders.
func (o order) at(k kind, off int) field {
	width := [...]int{none: 0, ull: 8, ul: o.long, u: 4}[k]
	return field{off: uint16(off), width: uint8(width)}
}

// A triple describes a structure of 0x2175 by three counts: long longs, longs in slots of eight
// bytes, and ints. Characters follow the ints. Later versions only append to a section, so section
// and index identify a field.
type triple [3]uint32

// size returns the number of bytes of the numbers; characters follow them.
func (t triple) size() uint64 {
	return 8*(uint64(t[0])+uint64(t[1])) + 4*uint64(t[2])
}

// field returns the i-th number of a kind.
func (t triple) field(o order, k kind, i int) field {
	if k == none || i >= int(t[k-ull]) {
		return field{}
	}
	start := [...]int{ull: 0, ul: 8 * int(t[0]), u: 8 * int(t[0]+t[1])}[k]
	step := [...]int{ull: 8, ul: 8, u: 4}[k]
	return o.at(k, start+step*i)
}

// comparable reports whether one structure could have grown into the other: versions only ever add
// fields.
func (t triple) comparable(s triple) bool {
	ge := t[0] >= s[0] && t[1] >= s[1] && t[2] >= s[2]
	le := t[0] <= s[0] && t[1] <= s[1] && t[2] <= s[2]
	return ge || le
}

// A slot identifies a number: in self-describing structures by its index within its kind, in older
// structures by its offset.
type slot struct {
	kind kind
	n    int
}

// layout holds the places of the numbers of an item, in the order of the decoder of its activity,
// and the offset of its characters.
type layout struct {
	fields []field
	chars  int
}

// described returns the layout of a structure that has a triple.
func described(o order, t triple, slots []slot, chars, size int) *layout {
	l := &layout{chars: int(t.size())}
	for _, s := range slots {
		l.fields = append(l.fields, t.field(o, s.kind, s.n))
	}
	if l.chars+chars > size {
		return nil
	}
	return l
}

// placed returns the layout of a structure with known offsets.
func placed(o order, slots []slot, charsAt, chars, size int) *layout {
	l := &layout{chars: charsAt}
	for _, s := range slots {
		f := o.at(s.kind, s.n)
		if int(f.off)+int(f.width) > size {
			return nil
		}
		l.fields = append(l.fields, f)
	}
	if charsAt+chars > size {
		return nil
	}
	return l
}

// run returns n slots of one kind that follow each other.
func run(k kind, start, step, n int) []slot {
	s := make([]slot, n)
	for i := range s {
		s[i] = slot{k, start + step*i}
	}
	return s
}

// layoutOf returns the layout of an activity, or nil if this package does not decode the activity
// or its format.
func layoutOf(o order, format uint16, a *Activity) *layout {
	if format == format2175 {
		return layout2175(o, a)
	}
	return layoutLegacy(o, a)
}

// layout2175 returns the layout of an activity of 0x2175. The magic distinguishes incompatible
// structures of an activity; the triple shows which fields the structure has. 11.7.1 wrote today's
// structures of disks and interfaces with the previous magic.
func layout2175(o order, a *Activity) *layout {
	t := a.types
	switch [2]uint32{a.ID, a.Magic} {
	case [2]uint32{CPUActivity, 0x8b}:
		return described(o, t, run(ull, 0, 1, 10), 0, a.Size)
	case [2]uint32{DiskActivity, 0x8b}, [2]uint32{DiskActivity, 0x8c}:
		return described(o, t, diskSlots, 0, a.Size)
	case [2]uint32{InterfaceActivity, 0x8c}, [2]uint32{InterfaceActivity, 0x8d}:
		return described(o, t, append(run(ull, 0, 1, 7), slot{u, 0}), nameLen+1, a.Size)
	case [2]uint32{InterfaceErrorsActivity, 0x8b}, [2]uint32{InterfaceErrorsActivity, 0x8c}:
		return described(o, t, run(ull, 0, 1, 9), nameLen, a.Size)
	case [2]uint32{TCPActivity, 0x8a}:
		return described(o, t, run(ul, 0, 1, 4), 0, a.Size)
	case [2]uint32{TCPErrorsActivity, 0x8a}:
		return described(o, t, run(ul, 0, 1, 5), 0, a.Size)
	case [2]uint32{FileSystemActivity, 0x8b}:
		return described(o, t, run(ull, 0, 1, 5), 2*fsNameLen, a.Size)
	case [2]uint32{CPUPressureActivity, 0x8a}, [2]uint32{IOPressureActivity, 0x8a}, [2]uint32{MemoryPressureActivity, 0x8a}:
		return described(o, t, run(ull, 0, 1, 2), 0, a.Size)
	}
	return nil
}

var diskSlots = []slot{
	{ull, 0}, {ull, 1}, {ull, 2}, // I/Os, WWN high, low
	{ul, 0}, {ul, 1}, {ul, 2}, // sectors read, written, discarded
	{u, 0}, {u, 1}, {u, 6}, {u, 2}, {u, 3}, // ms read, write, discard, busy, queue
	{u, 4}, {u, 5}, {u, 7}, // major, minor, partition
}

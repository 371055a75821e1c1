package sysstat

import (
	"encoding/binary"
	"slices"
)

// A Disk holds the counters of a block device since it was registered, from /proc/diskstats. A
// record leaves out devices without any I/O, so devices come and go.
//
// Ticks are milliseconds modulo 2³²; subtract them as uint32. Sectors have 512 bytes; subtract them
// with Header.Sub.
type Disk struct {
	Major, Minor uint32
	WWN          [2]uint64 // high, low; zero: not known (sysstat < 12.1.7, NVMe)
	Partition    uint32

	IOs            uint64 // completed: reads, writes and (sysstat ≥ 12.1.2) discards
	ReadSectors    uint64
	WriteSectors   uint64
	DiscardSectors uint64
	ReadTicks      uint32 // sum over completed reads
	WriteTicks     uint32
	DiscardTicks   uint32
	BusyTicks      uint32 // time with any I/O under way
	QueueTicks     uint32 // time, weighted by the number of I/Os under way
}

// Disks appends the disks of a record to dst[:0].
func (rec *Record) Disks(dst []Disk) []Disk {
	raw, count, size, l := rec.decodable(DiskActivity)
	dst = slices.Grow(dst[:0], count)
	if count == 0 {
		return dst
	}
	if o := rec.file.order; !o.big && slices.Equal(l.fields, usualDisk) {
		return usualDisks(dst, raw, size)
	}
	return rec.anyDisks(dst, raw, count, size, l)
}

// anyDisks decodes any layout.
func (rec *Record) anyDisks(dst []Disk, raw []byte, count, size int, l *layout) []Disk {
	o, f := rec.file.order, (*[14]field)(l.fields)
	for ; count > 0; count-- {
		item := raw[:size:size]
		raw = raw[size:]
		dst = append(dst, Disk{
			IOs:            o.load(item, f[0]),
			WWN:            [2]uint64{o.load(item, f[1]), o.load(item, f[2])},
			ReadSectors:    o.load(item, f[3]),
			WriteSectors:   o.load(item, f[4]),
			DiscardSectors: o.load(item, f[5]),
			ReadTicks:      uint32(o.load(item, f[6])),
			WriteTicks:     uint32(o.load(item, f[7])),
			DiscardTicks:   uint32(o.load(item, f[8])),
			BusyTicks:      uint32(o.load(item, f[9])),
			QueueTicks:     uint32(o.load(item, f[10])),
			Major:          uint32(o.load(item, f[11])),
			Minor:          uint32(o.load(item, f[12])),
			Partition:      uint32(o.load(item, f[13])),
		})
		// No device has the number 0:0: it marks unused slots.
		if d := &dst[len(dst)-1]; d.Major|d.Minor == 0 {
			dst = dst[:len(dst)-1]
		}
	}
	return dst
}

// usualDisk is the layout of sysstat since 12.1.7 on machines of 64 bits: nearly all files have it.
var usualDisk = []field{
	{0, 8},
	{8, 8},
	{16, 8},
	{24, 8},
	{32, 8},
	{40, 8},
	{48, 4},
	{52, 4},
	{72, 4},
	{56, 4},
	{60, 4},
	{64, 4},
	{68, 4},
	{76, 4},
}

const usualDiskSize = 80

// usualDisks decodes the layout usualDisk in little-endian order, faster than anyDisks. Both give
// the same result.
func usualDisks(dst []Disk, raw []byte, size int) []Disk {
	le := binary.LittleEndian
	for ; len(raw) >= size; raw = raw[size:] {
		b := (*[usualDiskSize]byte)(raw)
		major, minor := le.Uint32(b[64:]), le.Uint32(b[68:])
		if major|minor == 0 {
			continue
		}
		dst = append(dst, Disk{
			IOs:            le.Uint64(b[0:]),
			WWN:            [2]uint64{le.Uint64(b[8:]), le.Uint64(b[16:])},
			ReadSectors:    le.Uint64(b[24:]),
			WriteSectors:   le.Uint64(b[32:]),
			DiscardSectors: le.Uint64(b[40:]),
			ReadTicks:      le.Uint32(b[48:]),
			WriteTicks:     le.Uint32(b[52:]),
			DiscardTicks:   le.Uint32(b[72:]),
			BusyTicks:      le.Uint32(b[56:]),
			QueueTicks:     le.Uint32(b[60:]),
			Major:          major,
			Minor:          minor,
			Partition:      le.Uint32(b[76:]),
		})
	}
	return dst
}

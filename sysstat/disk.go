package sysstat

import "slices"

// A Disk is the counters of a block device since it was registered, as the
// kernel keeps them in /proc/diskstats. Devices without any I/O are left out
// of a record, so they come and go.
//
// Ticks are milliseconds modulo 2³²; subtract them as uint32. Sectors have
// 512 bytes; subtract them with Header.Sub.
type Disk struct {
	Major, Minor uint32
	WWN          [2]uint64 // high, low; zero where not known (sysstat < 12.1.7, NVMe)
	Partition    uint32

	IOs            uint64 // completed: reads, writes and (sysstat ≥ 12.1.2) discards
	ReadSectors    uint64
	WriteSectors   uint64
	DiscardSectors uint64
	ReadTicks      uint32 // of completed reads together
	WriteTicks     uint32
	DiscardTicks   uint32
	BusyTicks      uint32 // while any I/O was under way
	QueueTicks     uint32 // weighted by the I/Os under way
}

// Disks appends the disks of a record to dst[:0].
func (rec *Record) Disks(dst []Disk) []Disk {
	raw, count, size, l := rec.decodable(DiskActivity)
	dst = slices.Grow(dst[:0], count)
	if count == 0 {
		return dst
	}
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
		// No device has the number 0:0: it marks slots not in use.
		if d := &dst[len(dst)-1]; d.Major|d.Minor == 0 {
			dst = dst[:len(dst)-1]
		}
	}
	return dst
}

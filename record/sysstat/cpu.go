package sysstat

import "slices"

// A CPU is the jiffies that a processor spent. User and Nice contain Guest
// and GuestNice.
type CPU struct {
	User, Nice, System, Idle, IOWait, Steal, IRQ, SoftIRQ, Guest, GuestNice uint64
}

// CPUs appends the processors of a record to dst[:0]. The first is all of
// them together, the n-th after it is CPU n−1; one that is offline is zero.
func (rec *Record) CPUs(dst []CPU) []CPU {
	raw, count, size, l := rec.decodable(CPUActivity)
	dst = slices.Grow(dst[:0], count)
	o := rec.file.order
	for ; count > 0; count-- {
		item, f := raw[:size:size], l.fields
		raw = raw[size:]
		dst = append(dst, CPU{
			User: o.load(item, f[0]), Nice: o.load(item, f[1]),
			System: o.load(item, f[2]), Idle: o.load(item, f[3]),
			IOWait: o.load(item, f[4]), Steal: o.load(item, f[5]),
			IRQ: o.load(item, f[6]), SoftIRQ: o.load(item, f[7]),
			Guest: o.load(item, f[8]), GuestNice: o.load(item, f[9]),
		})
	}
	return dst
}

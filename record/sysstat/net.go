package sysstat

import "slices"

const nameLen = 16 // bytes of an interface's name, the last is NUL

// Duplex modes of an interface.
const (
	HalfDuplex = 1
	FullDuplex = 2
)

// An Interface holds the counters of a network interface.
type Interface struct {
	Name                       string
	RxPackets, TxPackets       uint64
	RxBytes, TxBytes           uint64
	RxCompressed, TxCompressed uint64
	Multicast                  uint64
	SpeedMbit                  uint32 // 0: not known
	Duplex                     uint8
}

// InterfaceErrors holds the error counters of a network interface.
type InterfaceErrors struct {
	Name                 string
	Collisions           uint64
	RxErrors, TxErrors   uint64
	RxDropped, TxDropped uint64
	RxFIFO, TxFIFO       uint64
	RxFrame, TxCarrier   uint64
}

// TCP holds the segment counters of a host; subtract them with Header.Sub.
type TCP struct {
	ActiveOpens, PassiveOpens, InSegs, OutSegs uint64
}

// TCPErrors holds the error counters of a host's TCP; subtract them with Header.Sub.
type TCPErrors struct {
	AttemptFails, EstabResets, RetransSegs, InErrs, OutRsts uint64
}

// Interfaces appends the interfaces of a record to dst[:0]. It keeps the names in dst that are
// still right, so that a caller who passes the same slice each time allocates nothing.
func (rec *Record) Interfaces(dst []Interface) []Interface {
	raw, count, size, l := rec.decodable(InterfaceActivity)
	dst = slices.Grow(dst[:0], count)
	o := rec.file.order
	for ; count > 0; count-- {
		item := raw[:size:size]
		raw = raw[size:]
		name, ok := nameOf(item, l)
		if !ok {
			continue
		}
		dst = dst[:len(dst)+1]
		d, f := &dst[len(dst)-1], l.fields
		if d.Name != string(name) {
			d.Name = text(name)
		}
		d.RxPackets, d.TxPackets = o.load(item, f[0]), o.load(item, f[1])
		d.RxBytes, d.TxBytes = o.load(item, f[2]), o.load(item, f[3])
		d.RxCompressed, d.TxCompressed = o.load(item, f[4]), o.load(item, f[5])
		d.Multicast = o.load(item, f[6])
		d.SpeedMbit, d.Duplex = uint32(o.load(item, f[7])), 0
		if f[7].width > 0 {
			d.Duplex = item[l.chars+nameLen]
		}
	}
	return dst
}

// InterfaceErrors appends the interface errors of a record to dst[:0]. It keeps names as Interfaces
// does.
func (rec *Record) InterfaceErrors(dst []InterfaceErrors) []InterfaceErrors {
	raw, count, size, l := rec.decodable(InterfaceErrorsActivity)
	dst = slices.Grow(dst[:0], count)
	o := rec.file.order
	for ; count > 0; count-- {
		item := raw[:size:size]
		raw = raw[size:]
		name, ok := nameOf(item, l)
		if !ok {
			continue
		}
		dst = dst[:len(dst)+1]
		d, f := &dst[len(dst)-1], l.fields
		if d.Name != string(name) {
			d.Name = text(name)
		}
		d.Collisions = o.load(item, f[0])
		d.RxErrors, d.TxErrors = o.load(item, f[1]), o.load(item, f[2])
		d.RxDropped, d.TxDropped = o.load(item, f[3]), o.load(item, f[4])
		d.RxFIFO, d.TxFIFO = o.load(item, f[5]), o.load(item, f[6])
		d.RxFrame, d.TxCarrier = o.load(item, f[7]), o.load(item, f[8])
	}
	return dst
}

// nameOf returns the name in an item; ok is false for an unused slot.
func nameOf(item []byte, l *layout) (name []byte, ok bool) {
	name = item[l.chars : l.chars+nameLen]
	for i, c := range name {
		if c == 0 {
			name = name[:i]
			break
		}
	}
	return name, len(name) > 0 && string(name) != "?"
}

// TCP returns the segment counters; ok is false if the record has none.
func (rec *Record) TCP() (t TCP, ok bool) {
	raw, count, _, l := rec.decodable(TCPActivity)
	if count == 0 {
		return t, false
	}
	o, f := rec.file.order, l.fields
	return TCP{
		ActiveOpens: o.load(raw, f[0]), PassiveOpens: o.load(raw, f[1]),
		InSegs: o.load(raw, f[2]), OutSegs: o.load(raw, f[3]),
	}, true
}

// TCPErrors returns the error counters; ok is false if the record has none.
func (rec *Record) TCPErrors() (t TCPErrors, ok bool) {
	raw, count, _, l := rec.decodable(TCPErrorsActivity)
	if count == 0 {
		return t, false
	}
	o, f := rec.file.order, l.fields
	return TCPErrors{
		AttemptFails: o.load(raw, f[0]), EstabResets: o.load(raw, f[1]),
		RetransSegs: o.load(raw, f[2]), InErrs: o.load(raw, f[3]), OutRsts: o.load(raw, f[4]),
	}, true
}

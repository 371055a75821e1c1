package tcpstat

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
)

// An item of the activity is a [Peer] in 96 bytes. It is little endian even in a big-endian file:
// sysstat copies the bytes of an unknown activity without a change.
//
//	 0  version      u8     2
//	 1  flags        u8     1: dialled
//	 2  0            u16
//	 4  sockets      u32
//	 8  remote       [16]   IPv6, or IPv4 as ::ffff:10.0.0.3
//	24  cwnd         f64    segments
//	32  RTT          f64    seconds
//	40  retransmitted, delivered, sent, received   u64 each
//	72  cwnd × delivered   u64    since version 2
//	80  congestion control [16]   since version 2: its name, then zeros
//
// Later versions only append fields. A format with any other change gets another ID.
const (
	// ID is the number of the activity: the letters "tcp". It is far above the numbers of sysstat,
	// and easy to find in a hex dump.
	ID = 0x746370
	// Size is the number of bytes that [Append] appends.
	Size = 96

	version = 2
	dialled = 1

	// sizeOfFirst is the length of an item of version 1.
	sizeOfFirst = 72
)

// Append appends the item of a peer to dst. It drops the zone of the address.
func Append(dst []byte, p *Peer) []byte {
	le := binary.LittleEndian
	flags := byte(0)
	if p.Dialled {
		flags = dialled
	}
	remote := p.Remote.As16()
	dst = append(dst, version, flags, 0, 0)
	dst = le.AppendUint32(dst, p.Sockets)
	dst = append(dst, remote[:]...)
	dst = le.AppendUint64(dst, math.Float64bits(p.Cwnd))
	dst = le.AppendUint64(dst, math.Float64bits(p.RTT))
	for _, n := range []uint64{p.Retrans, p.Delivered, p.Sent, p.Received, p.CwndDelivered} {
		dst = le.AppendUint64(dst, n)
	}
	return append(dst, p.Control[:]...)
}

// Decode reads an item of any version. An item of version 1 is shorter than Size: the fields that
// it does not have are zero. An item of a later version may be longer. An IPv4-mapped address
// becomes IPv4.
func Decode(item []byte, p *Peer) error {
	if needed := sizeOf(item); len(item) < needed {
		return fmt.Errorf("an item of a TCP connection has %d bytes, and %d bytes are needed: the file is damaged, or another program uses the same activity number %#x", len(item), needed, ID)
	}
	le := binary.LittleEndian
	b := (*[sizeOfFirst]byte)(item)
	*p = Peer{
		Remote:    netip.AddrFrom16([16]byte(b[8:24])).Unmap(),
		Dialled:   b[1]&dialled != 0,
		Sockets:   le.Uint32(b[4:]),
		Cwnd:      math.Float64frombits(le.Uint64(b[24:])),
		RTT:       math.Float64frombits(le.Uint64(b[32:])),
		Retrans:   le.Uint64(b[40:]),
		Delivered: le.Uint64(b[48:]),
		Sent:      le.Uint64(b[56:]),
		Received:  le.Uint64(b[64:]),
	}
	if b[0] == 0 || !measured(p.Cwnd) || !measured(p.RTT) {
		return fmt.Errorf("an item of a TCP connection (version %d) has an impossible congestion window %g or round-trip time %g: the file is damaged, or another program uses the same activity number %#x", b[0], p.Cwnd, p.RTT, ID)
	}
	if b[0] == 1 {
		return nil
	}
	p.CwndDelivered, p.Control = le.Uint64(item[72:]), Control(item[80:])
	if !p.Control.valid() {
		return fmt.Errorf("an item of a TCP connection has the unknown congestion control %q: the file is damaged, or another program uses the same activity number %#x", p.Control[:], ID)
	}
	return nil
}

// sizeOf returns the smallest length of an item with its version.
func sizeOf(item []byte) int {
	if len(item) == 0 || item[0] <= 1 {
		return sizeOfFirst
	}
	return Size
}

// measured reports whether a number can come from a measurement.
func measured(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }

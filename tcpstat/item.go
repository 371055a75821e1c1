package tcpstat

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
)

// An item of the activity is a [Peer] in 72 bytes, little endian whatever the
// order of the file: sysstat hands the bytes of such an activity on as they
// are.
//
//	 0  version      u8     1
//	 1  flags        u8     1: dialled
//	 2  0            u16
//	 4  sockets      u32
//	 8  remote       [16]   IPv6, or IPv4 as ::ffff:10.0.0.3
//	24  cwnd         f64    segments
//	32  RTT          f64    seconds
//	40  retransmitted, delivered, sent, received   u64 each
//
// Later versions append. Whatever does not fit that gets another ID.
const (
	// ID is the number of the activity, the letters tcp: far above what
	// sysstat gives out, and found at once in a hex dump.
	ID = 0x746370
	// Size is what [Append] appends, in bytes.
	Size = 72

	version = 1
	dialled = 1
)

// Append appends the item of a peer to dst. The zone of its address is not
// kept.
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
	for _, n := range []uint64{p.Retrans, p.Delivered, p.Sent, p.Received} {
		dst = le.AppendUint64(dst, n)
	}
	return dst
}

// Decode reads an item, which may be longer than Size where a later version
// wrote it. An IPv4 address comes back as such, however it was written.
func Decode(item []byte, p *Peer) error {
	if len(item) < Size {
		return fmt.Errorf("a TCP item has %d bytes, %d are needed: the file is damaged, or its activity %#x is another's", len(item), Size, ID)
	}
	le := binary.LittleEndian
	b := (*[Size]byte)(item)
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
	if b[0] < version || !measured(p.Cwnd) || !measured(p.RTT) {
		return fmt.Errorf("a TCP item of version %d has cwnd %g and RTT %g: the file is damaged, or its activity %#x is another's", b[0], p.Cwnd, p.RTT, ID)
	}
	return nil
}

// measured says whether a number can have come from a measurement.
func measured(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }

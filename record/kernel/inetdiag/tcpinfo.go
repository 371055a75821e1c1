package inetdiag

// tcpInfo is a struct tcp_info. Newer kernels have added fields at its end, so its length shows
// which fields it has.
//
//	 24  unacknowledged segments   u32
//	 52  since the last segment of data arrived   u32  ms
//	 68  RTT                       u32  µs
//	 80  congestion window         u32  segments
//	100  segments sent again       u32
//	120  bytes acknowledged        u64  since Linux 4.1
//	128  bytes received            u64  since 4.1
//	136  segments sent             u32  since 4.2, acknowledgements too
//	156  segments of data sent     u32  since 4.6
//	192  segments delivered        u32  since 4.18
//	228  window of the remote host u32  since 5.4, bytes
//	232  own receive window        u32  since 6.2, bytes
type tcpInfo []byte

// The offsets of the fields.
const (
	atUnacked       = 24
	atLastArrival   = 52
	atRTT           = 68
	atWindow        = 80
	atRetrans       = 100
	atBytesAcked    = 120
	atBytesReceived = 128
	atSegments      = 136
	atDataSegments  = 156
	atDelivered     = 192
	atWindowThere   = 228
	atOwnWindow     = 232
)

// info holds the fields of tcp_info that are used. A field that the kernel does not have is 0.
type info struct {
	cwnd      uint32 // segments
	rttMicros uint32
	counts
}

// hold holds the reasons why no data move.
type hold struct {
	quietMs uint32 // since the last segment of data arrived
	// closed and closedThere report whether the own receive window, and the window of the remote
	// host, are closed.
	closed, closedThere bool
}

// counts are the counters of a socket, with the widths of the kernel's counters.
type counts struct {
	retrans, delivered uint32
	sent, received     uint64
}

func (t tcpInfo) decode() info {
	return info{
		cwnd:      t.u32(atWindow),
		rttMicros: t.u32(atRTT),
		counts: counts{
			retrans: t.u32(atRetrans), delivered: t.delivered(),
			sent: t.u64(atBytesAcked), received: t.u64(atBytesReceived),
		},
	}
}

func (t tcpInfo) hold() hold {
	return hold{t.u32(atLastArrival), t.isZero(atOwnWindow), t.isZero(atWindowThere)}
}

// delivered returns the number of segments that have arrived. If the kernel does not count them:
// delivered = sent - sent again - unacknowledged. Before Linux 4.6, sent includes acknowledgements,
// so the result is too high if the socket receives much.
func (t tcpInfo) delivered() uint32 {
	switch {
	case t.has(atDelivered, 4):
		return t.u32(atDelivered)
	case t.has(atDataSegments, 4):
		return t.arrivedOf(t.u32(atDataSegments))
	default:
		return t.arrivedOf(t.u32(atSegments))
	}
}

// arrivedOf returns sent - sent again - unacknowledged, but not less than 0: a segment can be split
// when it is sent again.
func (t tcpInfo) arrivedOf(sent uint32) uint32 {
	missing := uint64(t.u32(atRetrans)) + uint64(t.u32(atUnacked))
	return uint32(max(uint64(sent), missing) - missing)
}

// isZero reports whether the kernel has the field, and it is 0.
func (t tcpInfo) isZero(at int) bool { return t.has(at, 4) && t.u32(at) == 0 }

func (t tcpInfo) has(at, size int) bool { return at+size <= len(t) }

func (t tcpInfo) u32(at int) uint32 {
	if !t.has(at, 4) {
		return 0
	}
	return native.Uint32(t[at:])
}

func (t tcpInfo) u64(at int) uint64 {
	if !t.has(at, 8) {
		return 0
	}
	return native.Uint64(t[at:])
}

// grow updates the counters and returns their growth.
//
//   - If the byte counters decrease, the socket was connected again and counts from 0.
//   - Counters of 32 bits wrap around, at 10 Gb/s after an hour and a half.
//   - A counter of 32 bits that seems to have grown by 2³¹ or more has decreased; a computed
//     counter may decrease a little. Its growth is 0 until it exceeds the old value.
func (c *counts) grow(now counts) counts {
	if now.sent < c.sent || now.received < c.received {
		return c.begin(now)
	}
	by := counts{
		retrans: grown(c.retrans, now.retrans), delivered: grown(c.delivered, now.delivered),
		sent: now.sent - c.sent, received: now.received - c.received,
	}
	c.retrans += by.retrans
	c.delivered += by.delivered
	c.sent, c.received = now.sent, now.received
	return by
}

// begin sets the first counters of a socket, and returns them as its growth.
func (c *counts) begin(now counts) counts {
	*c = now
	return now
}

func grown(last, now uint32) uint32 {
	if by := now - last; by < 1<<31 {
		return by
	}
	return 0
}

package inetdiag

import (
	"bytes"
	"cmp"
	"net/netip"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A side is a remote host with a direction: accepted from it, or dialled to it.
type side struct {
	remote  netip.Addr
	dialled bool
}

func (s side) compare(o side) int {
	switch {
	case s.remote != o.remote:
		return s.remote.Compare(o.remote)
	case s.dialled == o.dialled:
		return 0
	case o.dialled:
		return -1
	}
	return 1
}

// A peer holds the sums of a side.
type peer struct {
	side
	accounts  int    // number of open accounts
	idleSince uint64 // number of the sample since which there is no account

	sockets                            uint32 // established sockets; the means are over them
	cwnd, rttMicros                    mean
	control                            control
	retrans, delivered, sent, received uint64
	cwndDelivered                      uint64
}

// A mean is the mean over the sockets that have the measure: before its first acknowledgement a
// socket has no RTT.
type mean struct{ sum, n uint64 }

func (m *mean) add(v uint32) {
	if v > 0 {
		m.sum += uint64(v)
		m.n++
	}
}

func (m *mean) value() float64 { return float64(m.sum) / float64(max(m.n, 1)) }

// A control is the congestion control of the socket that has sent the most bytes. If several
// sockets have sent the same, it is the first by name.
type control struct {
	name tcpstat.Control
	sent uint64
}

func (c *control) add(name tcpstat.Control, sent uint64) {
	if c.name == (tcpstat.Control{}) || sent > c.sent || sent == c.sent && bytes.Compare(name[:], c.name[:]) < 0 {
		*c = control{name, sent}
	}
}

// begin clears the state of the sample before.
func (p *peer) begin() { p.sockets, p.cwnd, p.rttMicros, p.control = 0, mean{}, mean{}, control{} }

// add adds the state of an established socket: window, RTT, congestion control.
func (p *peer) add(s *socket) {
	p.sockets++
	p.cwnd.add(s.info.cwnd)
	p.rttMicros.add(s.info.rttMicros)
	p.control.add(s.control, s.info.sent)
}

// count adds the growth of a socket's counters, with its present window.
func (p *peer) count(by counts, cwnd uint32) {
	p.retrans += uint64(by.retrans)
	p.delivered += uint64(by.delivered)
	p.cwndDelivered += uint64(by.delivered) * uint64(cwnd)
	p.sent += by.sent
	p.received += by.received
}

func (p *peer) stat() tcpstat.Peer {
	return tcpstat.Peer{
		Remote: p.remote, Dialled: p.dialled, Sockets: p.sockets,
		Cwnd: p.cwnd.value(), RTT: p.rttMicros.value() / 1e6,
		Retrans: p.retrans, Delivered: p.delivered, Sent: p.sent, Received: p.received,
		CwndDelivered: p.cwndDelivered, Control: p.control.name,
	}
}

func bySide(a, b *peer) int { return a.compare(b.side) }

// byIdleness orders the hosts without sockets: the host without sockets for the longest time first.
func byIdleness(a, b *peer) int {
	return cmp.Or(cmp.Compare(a.idleSince, b.idleSince), bySide(a, b))
}

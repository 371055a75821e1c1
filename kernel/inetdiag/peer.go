package inetdiag

import (
	"cmp"
	"net/netip"

	"github.com/limpet-storage/limpet/tcpstat"
)

// A side is a remote host, and who called whom.
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

// A peer is what is known of a side.
type peer struct {
	side
	accounts  int    // that are open
	idleSince uint64 // the sample, while none is

	sockets                            uint32 // established in the sample at hand, as the means
	cwnd, rttMicros                    mean
	retrans, delivered, sent, received uint64
}

// A mean is over the sockets that have the measure: before its first
// acknowledgement a socket has no RTT.
type mean struct{ sum, n uint64 }

func (m *mean) add(v uint32) {
	if v > 0 {
		m.sum += uint64(v)
		m.n++
	}
}

func (m *mean) value() float64 { return float64(m.sum) / float64(max(m.n, 1)) }

// begin forgets what was true in the sample before.
func (p *peer) begin() { p.sockets, p.cwnd, p.rttMicros = 0, mean{}, mean{} }

// add takes what an established socket is.
func (p *peer) add(i *info) {
	p.sockets++
	p.cwnd.add(i.cwnd)
	p.rttMicros.add(i.rttMicros)
}

// count takes what a socket did.
func (p *peer) count(by counts) {
	p.retrans += uint64(by.retrans)
	p.delivered += uint64(by.delivered)
	p.sent += by.sent
	p.received += by.received
}

func (p *peer) stat() tcpstat.Peer {
	return tcpstat.Peer{
		Remote: p.remote, Dialled: p.dialled, Sockets: p.sockets,
		Cwnd: p.cwnd.value(), RTT: p.rttMicros.value() / 1e6,
		Retrans: p.retrans, Delivered: p.delivered, Sent: p.sent, Received: p.received,
	}
}

func bySide(a, b *peer) int { return a.compare(b.side) }

// byIdleness puts first who has been without sockets for the longest.
func byIdleness(a, b *peer) int {
	return cmp.Or(cmp.Compare(a.idleSince, b.idleSince), bySide(a, b))
}

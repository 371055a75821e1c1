package activity

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// windows is where congestion windows go, and whether they shrink when a segment
// is lost, by slot; what is not chosen is empty.
type windows struct{ cwnds, shrink []table.Average }

// note adds the windows towards a remote host to those of a slot.
func (w *windows) note(slot int, p *tcpstat.Peer, weight float64) {
	add(w.cwnds, slot, table.Average{Sum: p.Cwnd * weight, Weight: weight})
	switch shrinks, known := p.Control.ShrinksOnLoss(); {
	case shrinks:
		add(w.shrink, slot, table.Average{Sum: 1, Weight: 1})
	case known:
		add(w.shrink, slot, table.Average{Weight: 1})
	}
}

// readWindows takes the congestion windows of established sockets. Where a
// remote host has none on the side that counts, those on the other do.
func (c *tcpConnections) readWindows(into windows) {
	var last *tcpstat.Peer // with sockets
	for i := range c.peers {
		p := &c.peers[i]
		switch {
		case p.Sockets == 0:
			continue
		case last != nil && p.Remote == last.Remote && p.Dialled != c.client:
		case c.client:
			c.addInward(p, into)
		default:
			c.addOutward(p, into)
		}
		last = p
	}
}

// addOutward takes the windows of a server towards a client, by socket. A
// stranger that the server has dialled is nobody it serves.
func (c *tcpConnections) addOutward(p *tcpstat.Peer, into windows) {
	if o := c.book.owner(p.Remote); !o.server && (o.watched || !c.book.watching && !p.Dialled) {
		into.note(0, p, float64(p.Sockets))
	}
}

// addInward takes the windows of a client towards a server. Clients count
// alike, however many sockets each of them has.
func (c *tcpConnections) addInward(p *tcpstat.Peer, into windows) {
	owner := c.book.owner(p.Remote)
	c.Talks = c.Talks || owner.server
	if owner.disputed {
		c.Disputed[p.Remote] = true
	}
	if owner.host >= 0 {
		into.note(owner.host, p, 1)
	}
}

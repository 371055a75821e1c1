package activity

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// windows are the averages, by slot, of congestion windows and of whether a
// window shrinks when a segment is lost. The average of a metric that is not
// chosen is empty.
type windows struct{ cwnds, shrink []table.Average }

// note adds the window towards a remote host to the averages of a slot.
func (w *windows) note(slot int, p *tcpstat.Peer, weight float64) {
	add(w.cwnds, slot, table.Average{Sum: p.Cwnd * weight, Weight: weight})
	switch shrinks, known := p.Control.ShrinksOnLoss(); {
	case shrinks:
		add(w.shrink, slot, table.Average{Sum: 1, Weight: 1})
	case known:
		add(w.shrink, slot, table.Average{Weight: 1})
	}
}

// readWindows reads the congestion windows of established sockets. Where a
// remote host has no socket in the direction that counts, readWindows takes the
// sockets in the other direction.
func (c *tcpConnections) readWindows(into windows) {
	var last *tcpstat.Peer // last remote host with sockets
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

// addOutward adds a server's window towards a client, weighted by its sockets.
// It passes over an unknown host that the server has dialled, since such a host
// is no client.
func (c *tcpConnections) addOutward(p *tcpstat.Peer, into windows) {
	if o := c.book.owner(p.Remote); !o.server && (o.watched || !c.book.watching && !p.Dialled) {
		into.note(0, p, float64(p.Sockets))
	}
}

// addInward adds a client's window towards a server. Each client has the same
// weight, whatever the number of its sockets.
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

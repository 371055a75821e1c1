package connections

import (
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/tcpstat"
)

// readWindows takes the congestion windows of established sockets. Where a
// remote host has none on the side that counts, those on the other do.
func (c *Connections) readWindows(cwnds []table.Average) {
	var last *tcpstat.Peer // with sockets
	for i := range c.peers {
		p := &c.peers[i]
		switch {
		case p.Sockets == 0:
			continue
		case last != nil && p.Remote == last.Remote && p.Dialled != c.client:
		case c.client:
			c.addInward(p, cwnds)
		case len(cwnds) > 0:
			c.addOutward(p, &cwnds[0])
		}
		last = p
	}
}

// addOutward takes the windows of a server towards a client, by socket. A
// stranger that the server has dialled is nobody it serves.
func (c *Connections) addOutward(p *tcpstat.Peer, window *table.Average) {
	if o := c.book.owner(p.Remote); !o.server && (o.watched || !c.book.watching && !p.Dialled) {
		window.Add(p.Cwnd, float64(p.Sockets))
	}
}

// addInward takes the windows of a client towards a server. Clients count
// alike, however many sockets each of them has.
func (c *Connections) addInward(p *tcpstat.Peer, cwnds []table.Average) {
	owner := c.book.owner(p.Remote)
	c.Talks = c.Talks || owner.server
	if owner.disputed {
		c.Disputed[p.Remote] = true
	}
	if owner.host >= 0 && len(cwnds) > 0 {
		cwnds[owner.host].Add(p.Cwnd, 1)
	}
}

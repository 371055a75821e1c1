package activity

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// windows holds the sums for two averages of each host. The field cwnds is for the mean congestion
// window, in segments. The field shrink is for the share of remote hosts whose congestion control
// shrinks the congestion window after a loss. If a metric is not chosen, its slice is empty.
type windows struct{ cwnds, shrink []table.Average }

// note adds one remote host to both sums. It adds the mean congestion window of the host's sockets.
// It also adds whether the congestion control of these sockets shrinks the window after a loss. The
// parameter `slot` is the index of the sum in both slices. The parameter `weight` is the weight of
// the remote host in the mean congestion window.
func (w *windows) note(slot int, p *tcpstat.Peer, weight float64) {
	add(w.cwnds, slot, table.Average{Sum: p.Cwnd * weight, Weight: weight})
	switch shrinks, known := p.Control.ShrinksOnLoss(); {
	case shrinks:
		add(w.shrink, slot, table.Average{Sum: 1, Weight: 1})
	case known:
		add(w.shrink, slot, table.Average{Weight: 1})
	}
}

// readWindows reads the congestion windows of established sockets. For each remote host, it uses
// the sockets that the client opened. If there are no such sockets, it uses the sockets that the
// server opened.
func (c *tcpConnections) readWindows(into windows) {
	var last *tcpstat.Peer // entry of the last remote host that has sockets
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

// addOutward adds the mean congestion window of the sockets that a server has with one client. The
// weight is the number of these sockets. A remote host counts as a client in two cases:
//
//   - It has activity files, and is not a server.
//   - No client has activity files, and the remote host is not a server and opened the connection.
func (c *tcpConnections) addOutward(p *tcpstat.Peer, into windows) {
	if o := c.book.owner(p.Remote); !o.server && (o.watched || !c.book.hasClientFiles && !p.Dialled) {
		into.note(0, p, float64(p.Sockets))
	}
}

// addInward adds the mean congestion window of the sockets that a client has with one server. Each
// client has the same weight, regardless of the number of its sockets. addInward also notes in
// HasServer that the client has a connection to a server, and in Disputed each address that several
// machines have.
func (c *tcpConnections) addInward(p *tcpstat.Peer, into windows) {
	owner := c.book.owner(p.Remote)
	c.HasServer = c.HasServer || owner.server
	if owner.disputed {
		c.Disputed[p.Remote] = true
	}
	if owner.host >= 0 {
		into.note(owner.host, p, 1)
	}
}

package activity

import (
	"net/netip"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// readCounters reads four kinds of numbers: segments that were sent again, segments that were
// delivered, bytes that a server exchanged with other servers, and bytes that it exchanged with
// each client. Each number is the increase since the end of the previous step. Sockets that were
// closed since then are included.
//
// A server counts the segments to every host that opened a connection to the server (dialled it),
// even if there are no activity files of the host. All these segments use the network cable of the
// server, and the share of retransmitted segments is more precise if more segments are counted.
//
// For the bytes that two servers exchange, it does not matter which of the two servers opened the
// connection. For example, a daemon that copies missing data to another server opens the connection
// to that server.
func (c *tcpConnections) readCounters(time int64, into counted) {
	if into.isEmpty() || !c.tally.begin(time) {
		return
	}
	if !c.client {
		c.traffic.begin(c.tally.step * c.tally.stepSeconds)
	}
	for i := range c.peers {
		p := &c.peers[i]
		slot, server := c.slotOf(p), c.isOtherServer(p)
		if slot < 0 && !server {
			continue
		}
		s, ok := c.tally.add(p)
		if ok && slot >= 0 {
			into.note(slot, s)
		}
		if s.bytes {
			into.exchange(s, server)
		}
		if s.bytes && !c.client && slot >= 0 {
			c.traffic.add(p.Remote, s.received+s.sent)
		}
	}
}

// counted holds sums for each host. If a metric is not chosen, its slice is empty.
//
//   - retransmitted and arrived: the numbers of retransmitted and of delivered segments
//   - cwnds: the sum of congestion windows, weighted by delivered segments
//   - received and sent: the bytes that a server received from other servers and sent to them
type counted struct{ retransmitted, arrived, cwnds, received, sent []table.Average }

func (c *counted) isEmpty() bool {
	return len(c.retransmitted)+len(c.arrived)+len(c.cwnds)+len(c.received)+len(c.sent) == 0
}

// note adds segments to the sums of one host. The parameter `slot` is the index of these sums (see
// slotOf). If the congestion windows are unknown, note leaves them out. Old recorders do not write
// congestion windows.
func (c *counted) note(slot int, s increase) {
	add(c.retransmitted, slot, table.Average{Sum: float64(s.retransmitted), Weight: 1})
	add(c.arrived, slot, table.Average{Sum: float64(s.delivered), Weight: 1})
	if s.cwnds > 0 {
		add(c.cwnds, slot, table.Average{Sum: float64(s.cwnds), Weight: float64(s.delivered)})
	}
}

// exchange adds the bytes that a server exchanged with one remote host to the sums in
// counted.received and counted.sent. If the remote host is not a server, exchange adds 0 bytes. So
// if connections are recorded, but none of them leads to another server, the sum is 0, and not
// missing.
func (c *counted) exchange(s increase, server bool) {
	received, sent := table.Average{Weight: 1}, table.Average{Weight: 1}
	if server {
		received.Sum, sent.Sum = float64(s.received), float64(s.sent)
	}
	add(c.received, 0, received)
	add(c.sent, 0, sent)
}

// add merges the average a into slots[slot]. It does nothing if slots is empty: the metric is then
// not chosen.
func add(slots []table.Average, slot int, a table.Average) {
	if len(slots) > 0 {
		slots[slot].Merge(a)
	}
}

// slotOf returns the index of the sums for the segments to a remote host, or -1
// if these segments are not counted. Segments of a server to itself are not
// counted, since they do not cross the network.
func (c *tcpConnections) slotOf(p *tcpstat.Peer) int {
	owner := c.book.owner(p.Remote)
	switch {
	case p.Dialled != c.client:
		return -1
	case c.client:
		return owner.host
	case owner.host >= 0 && c.book.hosts[owner.host] == c.component:
		return -1
	}
	return 0
}

// isOtherServer reports whether the remote host of a server's connections is
// another server of the system. An address that several machines have does not count, because the
// remote host may be the server itself.
func (c *tcpConnections) isOtherServer(p *tcpstat.Peer) bool {
	o := c.book.owner(p.Remote)
	return !c.client && o.server && !o.disputed && (o.host < 0 || c.book.hosts[o.host] != c.component)
}

// counters are the counters of the connections to one remote host.
type counters struct {
	retransmitted, delivered uint64 // numbers of segments
	cwnds                    uint64 // sum of the congestion windows over all delivered segments; 0 if the recorder does not write this sum
	sent, received           uint64 // numbers of bytes
}

// increase holds the growth of the counters of one remote host since the end of the previous step.
type increase struct {
	counters
	bytes bool // true if the increases of sent and received are known
}

// A tally holds the counters of each remote host at the start and at the end of a step.
// [table.Fold] does the same for disks and interfaces, but a Fold needs a fixed number of devices.
// Remote hosts appear and disappear. So a tally computes the differences itself. The readings that
// the Fold gets contain these differences.
type tally struct {
	stepSeconds  int64
	client       bool   // true if the machine is a client
	step         int64  // number of the step whose counters are in tally.last
	before, last []sums // counters at the start and at the end of the step, in the order of tcpConnections.peers
	next         int    // index of the next remote host in tally.before
}

// sums holds the counters of the connections to one remote host in one direction, added up.
type sums struct {
	remote  netip.Addr
	reverse bool // true if the client did not open the connections
	counters
}

// less reports whether s comes before o in the order of tcpConnections.peers.
func (s *sums) less(o *sums) bool {
	if order := s.remote.Compare(o.remote); order != 0 {
		return order < 0
	}
	return !s.reverse && o.reverse
}

// begin prepares the tally for the counters of a record. It returns false if the clock was set back
// and the record belongs to an earlier step. Such a step is already complete.
func (t *tally) begin(time int64) bool {
	n := table.StepOf(time, t.stepSeconds)
	if n < t.step {
		return false
	}
	if n > t.step {
		t.step, t.before, t.last = n, t.last, t.before
	}
	t.last, t.next = t.last[:0], 0
	return true
}

// add stores the counters of the next remote host, and returns their growth
// since the end of the previous step. It returns false if the growth of segments
// is unknown. The growth is unknown if the host had no counters at the end of the
// previous step, or if a counter has become smaller.
func (t *tally) add(p *tcpstat.Peer) (increase, bool) {
	now := sums{p.Remote, p.Dialled != t.client, counters{p.Retrans, p.Delivered, p.CwndDelivered, p.Sent, p.Received}}
	t.last = append(t.last, now)
	for t.next < len(t.before) && t.before[t.next].less(&now) {
		t.next++
	}
	if t.next == len(t.before) || now.less(&t.before[t.next]) {
		return increase{}, false
	}
	was := &t.before[t.next].counters
	t.next++
	by := now.increaseSince(was)
	return by, now.retransmitted >= was.retransmitted && now.delivered >= was.delivered
}

// increaseSince returns the difference between the counters c and the given earlier counters. In
// the result, cwnds is 0 if its increase is unknown. The increase is unknown if cwnds is 0 in the
// earlier or in the later counters. This happens if one file comes from an old recorder and the
// next file from a new recorder.
func (c *counters) increaseSince(was *counters) increase {
	by := increase{
		counters: counters{
			retransmitted: c.retransmitted - was.retransmitted, delivered: c.delivered - was.delivered,
			sent: c.sent - was.sent, received: c.received - was.received,
		},
		bytes: c.sent >= was.sent && c.received >= was.received,
	}
	if was.cwnds > 0 && c.cwnds >= was.cwnds {
		by.cwnds = c.cwnds - was.cwnds
	}
	return by
}

// restart drops all counters (see tcpConnections.Restart).
func (t *tally) restart() {
	t.step, t.before, t.last = 0, t.before[:0], t.last[:0]
}

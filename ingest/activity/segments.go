package activity

import (
	"net/netip"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// readSegments reads how many segments were sent again and how many were
// delivered since the end of the previous step. These numbers include the
// segments of sockets that were closed in the meantime.
//
// A server counts the segments to every host that dialled it, even to hosts
// without files. All sockets of a server use the same cable. The more segments
// are counted, the more precise is the share of retransmitted segments.
func (c *tcpConnections) readSegments(time int64, into counted) {
	if into.none() || !c.tally.begin(time) {
		return
	}
	for i := range c.peers {
		p := &c.peers[i]
		slot := c.slotOf(p)
		if slot < 0 {
			continue
		}
		if s, ok := c.tally.add(p); ok {
			into.note(slot, s)
		}
	}
}

// counted holds three sums for each host: of retransmitted segments, of
// delivered segments, and of congestion windows, which are weighted by
// delivered segments. If a metric is not chosen, its slice is empty.
type counted struct{ again, arrived, cwnds []table.Average }

func (c *counted) none() bool { return len(c.again)+len(c.arrived)+len(c.cwnds) == 0 }

// note adds segments to the sums of one host, which have the index slot (see
// slotOf). It leaves out the congestion windows if they are unknown, since old
// recorders do not write them.
func (c *counted) note(slot int, s segments) {
	add(c.again, slot, table.Average{Sum: float64(s.retransmitted), Weight: 1})
	add(c.arrived, slot, table.Average{Sum: float64(s.delivered), Weight: 1})
	if s.cwnds > 0 {
		add(c.cwnds, slot, table.Average{Sum: float64(s.cwnds), Weight: float64(s.delivered)})
	}
}

// add merges the average a into slots[slot]. It does nothing if the metric is
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

// segments are the counters of the segments to one remote host.
type segments struct {
	retransmitted, delivered uint64
	cwnds                    uint64 // sum of the congestion windows over all delivered segments; 0: the recorder does not write this sum
}

// A tally holds the segment counters of each remote host at the start and at
// the end of a step. [table.Fold] does the same for disks and interfaces, but a
// Fold needs a fixed number of devices, and remote hosts come and go. So a
// tally computes the differences, and the readings of the Fold contain these
// differences.
type tally struct {
	stepSeconds  int64
	step         int64  // number of the step whose counters are in tally.last
	before, last []sums // counters at the start and at the end of the step, sorted by address
	next         int    // index of the next remote host in tally.before
}

type sums struct {
	remote netip.Addr
	segments
}

// begin prepares the tally for the counters of a record. It returns false if
// the record belongs to an earlier step, because the clock was set back. No row
// needs that step any more.
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
// since the end of the previous step. It returns false if the growth is
// unknown. The growth is unknown if the host had no counters at the end of the
// previous step, or if a counter has become smaller.
func (t *tally) add(p *tcpstat.Peer) (segments, bool) {
	now := sums{p.Remote, segments{p.Retrans, p.Delivered, p.CwndDelivered}}
	t.last = append(t.last, now)
	for t.next < len(t.before) && t.before[t.next].remote.Less(now.remote) {
		t.next++
	}
	if t.next == len(t.before) || t.before[t.next].remote != now.remote {
		return segments{}, false
	}
	was := t.before[t.next]
	t.next++
	if now.retransmitted < was.retransmitted || now.delivered < was.delivered {
		return segments{}, false
	}
	return now.growthSince(was.segments), true
}

// growthSince returns the difference between the counters s and the given
// earlier counters. The growth of cwnds is 0, which stands for unknown, if
// cwnds is 0 in the earlier or in the later counters. This happens between a
// file of an old recorder and a file of a new recorder.
func (s segments) growthSince(was segments) segments {
	by := segments{retransmitted: s.retransmitted - was.retransmitted, delivered: s.delivered - was.delivered}
	if was.cwnds > 0 && s.cwnds >= was.cwnds {
		by.cwnds = s.cwnds - was.cwnds
	}
	return by
}

// restart drops all counters. The next record then counts as the first record
// of the machine.
func (t *tally) restart() {
	t.step, t.before, t.last = 0, t.before[:0], t.last[:0]
}

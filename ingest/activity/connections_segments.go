package activity

import (
	"net/netip"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// readSegments takes what was sent again and what was delivered since the end
// of the step before. Sockets that are closed by now have had their part in it.
//
// A server counts what it sends to whoever dialled it, not only to clients that
// leave files: it sees all of its sockets, all of them use the same cable, and
// the more segments there are the surer is the share that was sent again.
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

// counted is where segments are counted, by slot; what is not chosen is empty.
type counted struct{ again, arrived, cwnds []table.Average }

func (c *counted) none() bool { return len(c.again)+len(c.arrived)+len(c.cwnds) == 0 }

// note adds segments to those of a slot. The window of a segment counts only
// where it is known: old recorders did not write it.
func (c *counted) note(slot int, s segments) {
	add(c.again, slot, table.Average{Sum: float64(s.retransmitted), Weight: 1})
	add(c.arrived, slot, table.Average{Sum: float64(s.delivered), Weight: 1})
	if s.cwnds > 0 {
		add(c.cwnds, slot, table.Average{Sum: float64(s.cwnds), Weight: float64(s.delivered)})
	}
}

// add merges an average into that of a slot, where it is chosen.
func add(slots []table.Average, slot int, a table.Average) {
	if len(slots) > 0 {
		slots[slot].Merge(a)
	}
}

// slotOf is where segments to a remote host count, -1: nowhere. What a server
// sends to itself meets no network.
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

// segments are what became of those that were sent to a remote host.
type segments struct {
	retransmitted, delivered uint64
	cwnds                    uint64 // of the delivered, added up; 0 where not known
}

// A tally is what the segments to each remote host came to at the two ends of a
// step. It keeps time as [table.Fold] does, which holds the counters of disks
// and interfaces; but remote hosts come and go, and nobody knows beforehand how
// many there will be. What comes of it is handed to the fold like a window.
type tally struct {
	stepSeconds  int64
	step         int64  // at whose end last was read
	before, last []sums // in the order of addresses
	next         int    // of before
}

type sums struct {
	remote netip.Addr
	segments
}

// begin makes room for the counters of a record. It reports false where the
// clock was set back to a step before the last: nobody will ask for it.
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

// add takes the counters of the next remote host and says by how much they
// grew. It reports false where that is not known: the remote host is new, and
// its counters may have a past, or they fell.
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
	return now.since(was.segments), true
}

// since are the segments that came after others. Their windows are known where
// both ends tell of them: between files of an old recorder and a new one they
// are not.
func (s segments) since(was segments) segments {
	by := segments{retransmitted: s.retransmitted - was.retransmitted, delivered: s.delivered - was.delivered}
	if was.cwnds > 0 && s.cwnds >= was.cwnds {
		by.cwnds = s.cwnds - was.cwnds
	}
	return by
}

// restart forgets all counters, as after a reboot.
func (t *tally) restart() {
	t.step, t.before, t.last = 0, t.before[:0], t.last[:0]
}

package testbench

import "github.com/limpet-storage/limpet/engine/table"

// A tally has the counters of connections at the end of the last second.
type tally []carried

// carried has the counters of a connection.
type carried struct{ retransmitted, delivered, cwndDelivered uint64 }

// second has the counters of some connections for one second.
type second struct {
	retransmitted, delivered uint64
	cwnds                    table.Average // mean window, weighted by the delivered segments
}

// take returns the growth of the connections' counters since the last call. The window of a
// connection is known if segments were delivered before this second, as for a reader of activity
// files.
func (t *tally) take(conns []*conn) (s second) {
	if *t == nil {
		*t = make(tally, len(conns))
	}
	for i, c := range conns {
		was, now := &(*t)[i], c.counted()
		s.retransmitted += now.retransmitted - was.retransmitted
		s.delivered += now.delivered - was.delivered
		if was.cwndDelivered > 0 && now.cwndDelivered > was.cwndDelivered {
			s.cwnds.Merge(table.Average{Sum: float64(now.cwndDelivered - was.cwndDelivered), Weight: float64(now.delivered - was.delivered)})
		}
		*was = now
	}
	return s
}

// counted returns the counters of the connection as an activity file has them.
func (c *conn) counted() carried {
	_, delivered, again := c.carried()
	return carried{uint64(again), uint64(delivered), c.cwndDelivered()}
}

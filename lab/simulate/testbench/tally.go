package testbench

import "github.com/limpet-storage/limpet/engine/table"

// A tally is what connections had carried at the end of the second before.
type tally []carried

// carried is what became of the segments of a connection.
type carried struct{ retransmitted, delivered, cwndDelivered uint64 }

// second is what became of the segments that connections sent in a second.
type second struct {
	retransmitted, delivered uint64
	cwnds                    table.Average // weighted by what was delivered
}

// take differences the connections. Windows are known from the second on that
// begins with a delivered segment, as they are to a reader of files.
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

// counted is what a record tells of the connection.
func (c *conn) counted() carried {
	_, delivered, again := c.carried()
	return carried{uint64(again), uint64(delivered), c.cwndDelivered()}
}

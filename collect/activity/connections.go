package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/tcpstat"
)

// connections reads what one machine's records say of its TCP connections:
// congestion windows, and what became of the segments. A server has one value
// of each, over its sockets to clients; a client has one for each host of the
// system, over its connections to it.
//
// Storage is served over connections that the client opens. Of a remote host
// that also has connections the other way round, only the former count: on the
// server those that it accepted, on the client those that it dialled.
type connections struct {
	book      *book
	client    bool
	component int      // of a server: the host that it is
	hosts     int      // that it tells of: a server of itself, if at all, a client of all
	columns   []column // where the values go
	share     *share   // of a client
	peers     []tcpstat.Peer
	tally     tally

	talks    bool                // a client: it has a connection to a server
	disputed map[netip.Addr]bool // remote addresses that are of several machines
	damaged  int                 // records whose items cannot be read
	err      error               // of the first of them
}

// newConnections reads nothing of a server unless a metric that it measures is
// chosen. A machine that is no server is looked at in any case, until it proves
// to be a client.
func newConnections(name string, a *Source) connections {
	c := connections{
		book: a.book, client: !a.book.serves[name], columns: a.choice.out,
		tally: tally{stepSeconds: a.schema.StepSeconds}, disputed: map[netip.Addr]bool{},
	}
	if c.client {
		c.columns, c.hosts, c.share = a.choice.in, len(a.book.hosts), a.inward.of(len(a.clients))
	} else if host, ok := a.system.FindHost(name); ok {
		c.component, c.hosts = host, 1
	}
	return c
}

// width is how many values there are: those of one column after another, by
// host.
func (c *connections) width() int { return len(c.columns) * c.hosts }

// slots are where a reading has the values of a metric, by host; none where it
// is not chosen.
func (c *connections) slots(r *table.Reading, place int) []table.Average {
	k := slices.IndexFunc(c.columns, func(col column) bool { return col.place == place })
	if k < 0 {
		return nil
	}
	return c.part(r.Cwnds, k)
}

// part is what a column has among all values.
func (c *connections) part(values []table.Average, k int) []table.Average {
	return values[k*c.hosts:][:c.hosts]
}

// read takes the connections of a record.
func (c *connections) read(rec *sysstat.Record, r *table.Reading) {
	if len(r.Cwnds) == 0 && (!c.client || c.talks) {
		return
	}
	clear(r.Cwnds)
	c.decode(rec)
	c.readSegments(r.Time, c.slots(r, retransmitted), c.slots(r, delivered))
	c.readWindows(c.slots(r, cwnd))
}

// decode lists the remote hosts in the order of their addresses, the side that
// counts first.
func (c *connections) decode(rec *sysstat.Record) {
	c.peers = c.peers[:0]
	raw, count, size := rec.Items(tcpstat.ID)
	for range count {
		var p tcpstat.Peer
		if err := tcpstat.Decode(raw[:size], &p); err != nil {
			c.damage(err)
			return
		}
		if raw = raw[size:]; !p.Remote.IsLoopback() {
			c.peers = append(c.peers, p)
		}
	}
	slices.SortStableFunc(c.peers, func(a, b tcpstat.Peer) int {
		if order := a.Remote.Compare(b.Remote); order != 0 || a.Dialled == b.Dialled {
			return order
		}
		if a.Dialled == c.client {
			return -1
		}
		return 1
	})
}

// damage drops the connections of a record.
func (c *connections) damage(err error) {
	c.peers = c.peers[:0]
	c.damaged++
	if c.err == nil {
		c.err = err
	}
}

// put sets the values of a server, or hands on the share of a client, for the
// step at a place of the batch. The step is used up: its segments become those
// of a second.
func (c *connections) put(s *table.Step, row *table.Row, at int) {
	if len(s.Cwnds) == 0 {
		return
	}
	for k, col := range c.columns {
		part := c.part(s.Cwnds, k)
		if col.place != cwnd {
			perSecond(part, s.Seconds)
		}
		if !c.client {
			row.Values[col.row][c.component] = valueOf(col.place, part[0])
		}
	}
	if c.client {
		c.share.set(at, s.Cwnds)
	}
}

func perSecond(sums []table.Average, seconds float64) {
	for i := range sums {
		sums[i].Sum /= seconds
	}
}

// valueOf is what was gathered of a metric of hosts: windows are averaged,
// segments added up.
func valueOf(place int, a table.Average) float64 {
	if place == cwnd || a.Weight == 0 {
		return a.Value()
	}
	return a.Sum
}

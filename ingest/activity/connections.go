// This file reads what the records of machines say of their TCP
// connections, and makes metrics of hosts of it: congestion windows, and what
// became of the segments. A server measures some of them itself, towards its
// clients; others are measured by the clients, each of which has a share.
//
// It stands below collect/activity, which folds records onto steps.

package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// tcpConnections reads what one machine's records say of its TCP connections:
// congestion windows and what controls them, and what became of the segments. A
// server has one value of each, over its sockets to clients; a client has one
// for each host of the system, over its connections to it.
//
// Storage is served over connections that the client opens. Of a remote host
// that also has connections the other way round, only the former count: on the
// server those that it accepted, on the client those that it dialled.
type tcpConnections struct {
	book      *addresses
	client    bool
	component int          // of a server: the host that it is
	hosts     int          // that it tells of: a server of itself, if at all, a client of all
	columns   []hostColumn // where the values go
	share     *share       // of a client
	peers     []tcpstat.Peer
	tally     tally

	Talks    bool                // a client: it has a connection to a server
	Disputed map[netip.Addr]bool // remote addresses that are of several machines
	Damaged  int                 // records whose items cannot be read
	Err      error               // of the first of them
}

// A hostColumn is where the values of a metric go, and where it stands among those
// of its subject.
type hostColumn struct {
	Row   int // of the schema
	Place int // of hosts: one of those below
}

// The places of metrics of hosts, of either side.
const (
	cwnd = iota
	retransmitted
	delivered
	weightedCwnd
	shrink
)

// ofServer reads nothing unless a metric that the server measures is chosen.
func ofServer(name string, book *addresses, system *topology.System, stepSeconds int64, columns []hostColumn) tcpConnections {
	c := tcpConnections{book: book, columns: columns, tally: tally{stepSeconds: stepSeconds}, Disputed: map[netip.Addr]bool{}}
	if host, ok := system.FindHost(name); ok {
		c.component, c.hosts = host, 1
	}
	return c
}

// ofClient looks at the n-th machine that is no server in any case, until it
// proves to be a client.
func ofClient(n int, book *addresses, in *fromClients, stepSeconds int64) tcpConnections {
	return tcpConnections{
		book: book, client: true, columns: in.columns, hosts: len(book.hosts), share: in.of(n),
		tally: tally{stepSeconds: stepSeconds}, Disputed: map[netip.Addr]bool{},
	}
}

// IsClient says whether the machine is no server.
func (c *tcpConnections) IsClient() bool { return c.client }

// Restart forgets all counters, as after a reboot.
func (c *tcpConnections) Restart() { c.tally.restart() }

// Width is how many values there are: those of one column after another, by
// host.
func (c *tcpConnections) Width() int { return len(c.columns) * c.hosts }

// slots are where a reading has the values of a metric, by host; none where it
// is not chosen.
func (c *tcpConnections) slots(r *table.Reading, place int) []table.Average {
	k := slices.IndexFunc(c.columns, func(col hostColumn) bool { return col.Place == place })
	if k < 0 {
		return nil
	}
	return c.part(r.Cwnds, k)
}

// part is what a column has among all values.
func (c *tcpConnections) part(values []table.Average, k int) []table.Average {
	return values[k*c.hosts:][:c.hosts]
}

// Read takes the connections of a record.
func (c *tcpConnections) Read(rec *sysstat.Record, r *table.Reading) {
	if len(r.Cwnds) == 0 && (!c.client || c.Talks) {
		return
	}
	clear(r.Cwnds)
	c.decode(rec)
	c.readSegments(r.Time, counted{c.slots(r, retransmitted), c.slots(r, delivered), c.slots(r, weightedCwnd)})
	c.readWindows(windows{c.slots(r, cwnd), c.slots(r, shrink)})
}

// decode lists the remote hosts in the order of their addresses, the side that
// counts first.
func (c *tcpConnections) decode(rec *sysstat.Record) {
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
func (c *tcpConnections) damage(err error) {
	c.peers = c.peers[:0]
	c.Damaged++
	if c.Err == nil {
		c.Err = err
	}
}

// Put sets the values of a server, or hands on the share of a client, for the
// step at a place of the batch. The step is used up: its segments become those
// of a second.
func (c *tcpConnections) Put(s *table.Step, row *table.Row, at int) {
	if len(s.Cwnds) == 0 {
		return
	}
	for k, col := range c.columns {
		part := c.part(s.Cwnds, k)
		if counts(col.Place) {
			perSecond(part, s.Seconds)
		}
		if !c.client {
			row.Values[col.Row][c.component] = valueOf(col.Place, part[0])
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

// valueOf is what was gathered of a metric of hosts: segments are added up, all
// else is averaged.
func valueOf(place int, a table.Average) float64 {
	if counts(place) && a.Weight > 0 {
		return a.Sum
	}
	return a.Value()
}

// counts says whether a metric counts segments.
func counts(place int) bool { return place == retransmitted || place == delivered }

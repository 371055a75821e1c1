// This file makes metrics of hosts from the TCP connections in a machine's
// records: congestion windows, and segments that were sent again or delivered.
// A server measures its own connections to clients. Each client measures its
// connections to every server, and fromclients.go adds up their shares.

package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// tcpConnections reads the TCP connections in the records of one machine. A
// server has one value of each metric, over its sockets to clients. A client
// has one value for each host of the system, over its connections to that host.
//
// A client opens the connections over which it uses storage. Where a remote
// host has connections in both directions, only those connections count: on the
// server the accepted connections, on the client the dialled connections.
type tcpConnections struct {
	book      *addresses
	client    bool
	component int          // index of the server's host component; not used for a client
	hosts     int          // number of hosts that the machine measures: 1 (itself) or 0 for a server, all hosts for a client
	columns   []hostColumn // columns of the values in rows
	share     *share       // share of a client; not used for a server
	peers     []tcpstat.Peer
	tally     tally

	Talks    bool                // the machine is a client, and has a connection to a server
	Disputed map[netip.Addr]bool // remote addresses that several machines have
	Damaged  int                 // number of records whose items cannot be decoded
	Err      error               // error of the first such record
}

// A hostColumn has the column of a metric in rows, and the place of that metric
// among the metrics of its subject.
type hostColumn struct {
	Row   int // index of the column in the schema
	Place int // place of the metric; for a metric of hosts one of the constants below
}

// Places of the metrics of hosts. Servers and clients use the same places.
const (
	cwnd = iota
	retransmitted
	delivered
	weightedCwnd
	shrink
)

// ofServer returns the reader of a server's connections. The reader reads
// nothing if no chosen metric is measured by servers.
func ofServer(name string, book *addresses, system *topology.System, stepSeconds int64, columns []hostColumn) tcpConnections {
	c := tcpConnections{book: book, columns: columns, tally: tally{stepSeconds: stepSeconds}, Disputed: map[netip.Addr]bool{}}
	if host, ok := system.FindHost(name); ok {
		c.component, c.hosts = host, 1
	}
	return c
}

// ofClient returns the reader of the n-th machine that is not a server. The
// machine counts as a client after its first connection to a server.
func ofClient(n int, book *addresses, in *fromClients, stepSeconds int64) tcpConnections {
	return tcpConnections{
		book: book, client: true, columns: in.columns, hosts: len(book.hosts), share: in.of(n),
		tally: tally{stepSeconds: stepSeconds}, Disputed: map[netip.Addr]bool{},
	}
}

// IsClient reports whether the machine is not a server.
func (c *tcpConnections) IsClient() bool { return c.client }

// Restart forgets all counters, as after a reboot.
func (c *tcpConnections) Restart() { c.tally.restart() }

// Width returns the number of values in a step: one for each column and host,
// the hosts of a column side by side.
func (c *tcpConnections) Width() int { return len(c.columns) * c.hosts }

// slots returns the part of a reading that holds the values of the metric at
// place, by host. It is empty where the metric is not chosen.
func (c *tcpConnections) slots(r *table.Reading, place int) []table.Average {
	k := slices.IndexFunc(c.columns, func(col hostColumn) bool { return col.Place == place })
	if k < 0 {
		return nil
	}
	return c.part(r.Cwnds, k)
}

// part returns the values of the k-th column.
func (c *tcpConnections) part(values []table.Average, k int) []table.Average {
	return values[k*c.hosts:][:c.hosts]
}

// Read reads the connections of a record.
func (c *tcpConnections) Read(rec *sysstat.Record, r *table.Reading) {
	if len(r.Cwnds) == 0 && (!c.client || c.Talks) {
		return
	}
	clear(r.Cwnds)
	c.decode(rec)
	c.readSegments(r.Time, counted{c.slots(r, retransmitted), c.slots(r, delivered), c.slots(r, weightedCwnd)})
	c.readWindows(windows{c.slots(r, cwnd), c.slots(r, shrink)})
}

// decode lists the remote hosts of a record by address. Of each host the
// connections in the direction that counts come first.
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

// damage discards the connections of a record that cannot be decoded.
func (c *tcpConnections) damage(err error) {
	c.peers = c.peers[:0]
	c.Damaged++
	if c.Err == nil {
		c.Err = err
	}
}

// Put writes a step into the rows. A server sets its values in row. A client
// adds its share to the row whose index in the batch is at. Put divides the
// segments in s by the step's seconds, so s cannot be used again.
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

// valueOf returns the value of a metric of hosts: a sum for segments, an
// average for the others.
func valueOf(place int, a table.Average) float64 {
	if counts(place) && a.Weight > 0 {
		return a.Sum
	}
	return a.Value()
}

// counts reports whether a metric counts segments.
func counts(place int) bool { return place == retransmitted || place == delivered }

package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// tcpConnections computes metrics of hosts from the TCP connections in the records of one machine:
// congestion windows, retransmitted segments and delivered segments.
//
//   - For a server, it computes one value of each metric from the connections to clients, and the
//     bytes that the server exchanged with each client (clientTraffic). From the connections to
//     other servers, it computes two more values: bytes received from other servers, and bytes sent
//     to other servers.
//   - For a client, it computes one value of each metric for each host of the system, from the
//     connections to this host. The type fromClients adds up the values of all clients.
//
// A client opens the connections over which it uses storage. So if there are connections in both
// directions, only the connections that the client opened count. The records of the client mark
// these connections as dialled. The records of the server do not mark them.
type tcpConnections struct {
	book      *addresses
	client    bool
	component int          // index of the server's host component; not used for a client
	hosts     int          // number of hosts with values: all hosts for a client; 1 for a server (the server itself), or 0 if the system has no host component of the server
	columns   []hostColumn // chosen metrics
	share     *share       // measurements of this client; not used for a server
	peers     []tcpstat.Peer
	tally     tally
	traffic   clientTraffic // not used for a client

	HasServer bool                // true if the machine is a client, and has a connection to a server
	Disputed  map[netip.Addr]bool // remote addresses that several machines have
	Damaged   int                 // number of records whose connections cannot be decoded
	Err       error               // decoding error of the first damaged record
}

// A hostColumn is a chosen metric: its index in rows, and its index among the metrics of disks, of
// interfaces or of hosts.
type hostColumn struct {
	Row   int // index of the metric in Schema.Metrics
	Place int // index of the metric in metric.Device() or metric.Interface(); for a metric of hosts one of the constants below
}

// Values of hostColumn.Place for the metrics of hosts. A metric has the same Place whether a server
// or a client measures it. Only servers measure fromServers and toServers.
const (
	cwnd = iota
	retransmitted
	delivered
	weightedCwnd
	shrink
	fromServers
	toServers
)

// ofServer returns the reader for the connections of a server. The parameter `columns` has the
// chosen metrics. If it is empty, the reader reads nothing.
func ofServer(name string, book *addresses, system *topology.System, stepSeconds int64, columns []hostColumn) tcpConnections {
	c := tcpConnections{book: book, columns: columns, tally: tally{stepSeconds: stepSeconds}, traffic: newClientTraffic(book), Disputed: map[netip.Addr]bool{}}
	if host, ok := system.FindHost(name); ok {
		c.component, c.hosts = host, 1
	}
	return c
}

// ofClient returns the reader for the connections of a machine that is not a
// server. The parameter n is the index of the machine among the machines that are
// not servers. The reader sets HasServer at the first connection to a server.
func ofClient(n int, book *addresses, in *fromClients, stepSeconds int64) tcpConnections {
	return tcpConnections{
		book: book, client: true, columns: in.columns, hosts: len(book.hosts), share: in.shareOf(n),
		tally: tally{stepSeconds: stepSeconds, client: true}, Disputed: map[netip.Addr]bool{},
	}
}

// IsClient reports whether the machine is not a server.
func (c *tcpConnections) IsClient() bool { return c.client }

// Restart drops all counters after a reboot or a jump of the clock, because differences from these
// counters would be wrong. The next record then counts as the first record of the machine.
func (c *tcpConnections) Restart() { c.tally.restart() }

// Width returns the number of values in a step. There is one value for each chosen metric and each
// host. The values of one metric are next to each other.
func (c *tcpConnections) Width() int { return len(c.columns) * c.hosts }

// slots returns the values of one metric in a reading, one value for each host. The parameter
// `place` names the metric by one of the constants above, from cwnd to toServers. The result is nil
// if this metric is not chosen.
func (c *tcpConnections) slots(r *table.Reading, place int) []table.Average {
	k := slices.IndexFunc(c.columns, func(col hostColumn) bool { return col.Place == place })
	if k < 0 {
		return nil
	}
	return c.columnOf(r.Cwnds, k)
}

// columnOf returns the values of the metric c.columns[k], one value for each host.
func (c *tcpConnections) columnOf(values []table.Average, k int) []table.Average {
	return values[k*c.hosts:][:c.hosts]
}

// Read adds the connections of a record to the reading r, from which a table.Fold makes a step.
func (c *tcpConnections) Read(rec *sysstat.Record, r *table.Reading) {
	if len(r.Cwnds) == 0 && (!c.client || c.HasServer) {
		return
	}
	clear(r.Cwnds)
	c.decode(rec)
	c.readCounters(r.Time, counted{
		retransmitted: c.slots(r, retransmitted), arrived: c.slots(r, delivered), cwnds: c.slots(r, weightedCwnd),
		received: c.slots(r, fromServers), sent: c.slots(r, toServers),
	})
	c.readWindows(windows{c.slots(r, cwnd), c.slots(r, shrink)})
}

// decode reads the remote hosts of a record into c.peers, sorted by address. A
// remote host may have two entries, one for each direction. The entry for the
// connections that the client opened comes first.
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

// damage drops the connections of a record if they cannot be decoded. It counts such records in
// c.Damaged.
func (c *tcpConnections) damage(err error) {
	c.peers = c.peers[:0]
	c.Damaged++
	if c.Err == nil {
		c.Err = err
	}
}

// Put stores the values of a step. The values of a server go into the row; `server` is its index in
// System.Servers. The values of a client go into c.share; `at` is the index of the row in the
// batch. Put changes s: it divides the numbers of segments and bytes by the length of the step. So
// Put must not be called twice with the same s.
func (c *tcpConnections) Put(s *table.Step, row *table.Row, server, at int) {
	if len(s.Cwnds) == 0 {
		return
	}
	if !c.client && server >= 0 {
		c.traffic.Put(s.End, s.Seconds, &row.Gauges[server])
	}
	for k, col := range c.columns {
		part := c.columnOf(s.Cwnds, k)
		if isCount(col.Place) {
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

// valueOf returns the value of a metric of hosts: the sum if the metric is a
// number of segments or bytes, otherwise the average.
func valueOf(place int, a table.Average) float64 {
	if isCount(place) && a.Weight > 0 {
		return a.Sum
	}
	return a.Value()
}

// isCount reports whether a metric is a number of segments or bytes.
func isCount(place int) bool {
	return place == retransmitted || place == delivered || place == fromServers || place == toServers
}

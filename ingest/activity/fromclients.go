package activity

import "github.com/limpet-storage/limpet/engine/table"

// fromClients adds up the metrics of hosts that clients measure, such as cwnd_in, retr_in and
// dlv_in. The files of clients are read in parallel. The values of each client are added up
// separately (type share). Then the shares are added in a fixed order, so the rounding of the sums
// does not depend on the order in which the clients were read.
type fromClients struct {
	columns []hostColumn // chosen metrics that clients measure
	hosts   []int        // indices of the host components
	total   *share
	shares  []*share // shares of the clients that are being read
}

// crowdSize is the number of clients that Open reads at the same time. The number is large enough
// to keep all processor cores busy. A larger number would take too much memory: with 1,000 hosts,
// the shares of these clients take 32 MB for each metric.
const crowdSize = 16

// newFromClients allocates the shares. The caller passes the number of rows of
// a batch, and the number of clients that are read at the same time.
func newFromClients(columns []hostColumn, b *addresses, steps, crowd int) *fromClients {
	in := &fromClients{columns: columns, hosts: b.hosts}
	if len(in.columns) == 0 {
		return in
	}
	width := len(in.columns) * len(in.hosts)
	in.total = newShare(width, steps)
	for range crowd {
		in.shares = append(in.shares, newShare(width, steps))
	}
	return in
}

// shareOf returns the share of the n-th client. The share belongs to this client until the next
// call of Gather. The result is nil if clients measure none of the chosen metrics.
func (in *fromClients) shareOf(n int) *share {
	if len(in.shares) == 0 {
		return nil
	}
	return in.shares[n%len(in.shares)]
}

// Gather adds to in.total the shares of the clients that were read. The caller passes the number of
// these clients.
func (in *fromClients) Gather(crowd int) {
	for i := range min(crowd, len(in.shares)) {
		in.total.take(in.shares[i])
	}
}

// Put writes the metrics that clients measure into all rows of a batch. Call it after all clients
// were read.
func (in *fromClients) Put(rows []*table.Row) {
	if in.total == nil {
		return
	}
	for at, row := range rows {
		in.set(row, in.total.averagesAt(at))
	}
	clear(in.total.averages)
}

// PutRow writes the metrics that clients measure into one row. The parameter `at` is the index of
// the row in the batch. Every client must have its own share: newFromClients must have been called
// with the number of all clients.
func (in *fromClients) PutRow(row *table.Row, at int) {
	if in.total == nil {
		return
	}
	total := in.total.averagesAt(at)
	for _, s := range in.shares {
		for i, a := range s.averagesAt(at) {
			total[i].Merge(a)
		}
		clear(s.averagesAt(at))
	}
	in.set(row, total)
	clear(total)
}

// set writes the metrics that clients measure into a row. The caller passes the averages over all
// clients.
func (in *fromClients) set(row *table.Row, averages []table.Average) {
	for k, c := range in.columns {
		for host, component := range in.hosts {
			row.Values[c.Row][component] = valueOf(c.Place, averages[k*len(in.hosts)+host])
		}
	}
}

// A share holds the measurements of one client, or the sum over several
// clients, for each metric, host and step of a batch.
type share struct {
	width    int             // number of values in a step: metrics × hosts
	averages []table.Average // by step, metric and host
}

func newShare(width, steps int) *share {
	return &share{width: width, averages: make([]table.Average, steps*width)}
}

// averagesAt returns the averages of the step with the given index in the
// batch.
func (s *share) averagesAt(at int) []table.Average { return s.averages[at*s.width:][:s.width] }

// set stores the averages of the step with the given index in the batch.
func (s *share) set(at int, averages []table.Average) { copy(s.averagesAt(at), averages) }

// take adds another share to s, and then clears the other share.
func (s *share) take(other *share) {
	for i, a := range other.averages {
		s.averages[i].Merge(a)
	}
	clear(other.averages)
}

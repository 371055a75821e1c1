package activity

import "github.com/limpet-storage/limpet/engine/table"

// fromClients adds up the metrics of a host that its clients measure: cwnd_in,
// retr_in and dlv_in. Clients are read in parallel, crowdSize at a time. Their
// shares are added in a fixed order, so the sums do not depend on which client
// was read first.
type fromClients struct {
	columns []hostColumn // columns of the chosen metrics
	hosts   []int        // host components
	total   *share
	shares  []*share // shares of the clients that are being read
}

// crowdSize is the number of clients that are read at a time: enough for any
// number of cores, and few enough that their shares of 1,000 hosts take 32 MB
// for each metric.
const crowdSize = 16

// newFromClients returns a fromClients. The parameter steps is the number of
// rows of a batch, and crowd is the number of clients that are read at the same
// time.
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

// of returns the share of the n-th client, or nil if no chosen metric is
// measured by clients. No other client uses this share until Gather.
func (in *fromClients) of(n int) *share {
	if len(in.shares) == 0 {
		return nil
	}
	return in.shares[n%len(in.shares)]
}

// Gather adds the shares of the clients that were read to the total. The
// parameter crowd is their number.
func (in *fromClients) Gather(crowd int) {
	for i := range min(crowd, len(in.shares)) {
		in.total.take(in.shares[i])
	}
}

// Put sets the values of all rows of a batch. All clients must have been read.
func (in *fromClients) Put(rows []*table.Row) {
	if in.total == nil {
		return
	}
	for at, row := range rows {
		in.set(row, in.total.of(at))
	}
	clear(in.total.averages)
}

// PutRow sets the values of the row whose index in the batch is at. It requires
// that all clients are read at the same time.
func (in *fromClients) PutRow(row *table.Row, at int) {
	if in.total == nil {
		return
	}
	total := in.total.of(at)
	for _, s := range in.shares {
		for i, a := range s.of(at) {
			total[i].Merge(a)
		}
		clear(s.of(at))
	}
	in.set(row, total)
	clear(total)
}

// set writes averages into a row.
func (in *fromClients) set(row *table.Row, averages []table.Average) {
	for k, c := range in.columns {
		for host, component := range in.hosts {
			row.Values[c.Row][component] = valueOf(c.Place, averages[k*len(in.hosts)+host])
		}
	}
}

// A share is the sum of one client's measurements, or of several clients', for
// each host in each step of a batch.
type share struct {
	width    int             // number of values in a step: metrics × hosts
	averages []table.Average // by step, metric and host
}

func newShare(width, steps int) *share {
	return &share{width: width, averages: make([]table.Average, steps*width)}
}

// of returns the averages of a step.
func (s *share) of(at int) []table.Average { return s.averages[at*s.width:][:s.width] }

// set stores the averages of a step.
func (s *share) set(at int, averages []table.Average) { copy(s.of(at), averages) }

// take adds another share to this one, and clears the other.
func (s *share) take(other *share) {
	for i, a := range other.averages {
		s.averages[i].Merge(a)
	}
	clear(other.averages)
}

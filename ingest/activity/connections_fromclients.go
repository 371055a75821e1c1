package activity

import "github.com/limpet-storage/limpet/engine/table"

// fromClients gathers the metrics of a component that others measure, cwnd_in,
// retr_in and dlv_in: every client has a share in what is known of every host.
// Clients are read side by side, a crowd at a time, and their shares are added
// up in order, so that sums do not depend on who was first.
type fromClients struct {
	columns []hostColumn // those that are chosen
	hosts   []int        // components
	total   *share
	shares  []*share // of the crowd being read
}

// crowdSize is how many clients are read at a time: enough for any number of
// cores, few enough that their shares in a thousand hosts take 32 MB a metric.
const crowdSize = 16

// newFromClients gathers columns for batches of so many steps, with room for a
// crowd of so many clients.
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

// of is the share of the n-th client, which it has to itself while its crowd
// is read; nil where nothing of it is chosen.
func (in *fromClients) of(n int) *share {
	if len(in.shares) == 0 {
		return nil
	}
	return in.shares[n%len(in.shares)]
}

// Gather adds up the shares of a crowd of so many clients.
func (in *fromClients) Gather(crowd int) {
	for i := range min(crowd, len(in.shares)) {
		in.total.take(in.shares[i])
	}
}

// Put sets the values of a batch whose clients have all been read.
func (in *fromClients) Put(rows []*table.Row) {
	if in.total == nil {
		return
	}
	for at, row := range rows {
		in.set(row, in.total.of(at))
	}
	clear(in.total.averages)
}

// PutRow sets the values of the row at a place of a batch, where all clients
// are one crowd.
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

// set puts averages into a row.
func (in *fromClients) set(row *table.Row, averages []table.Average) {
	for k, c := range in.columns {
		for host, component := range in.hosts {
			row.Values[c.Row][component] = valueOf(c.Place, averages[k*len(in.hosts)+host])
		}
	}
}

// A share is what a client, or several, measured towards each host in each
// step of a batch.
type share struct {
	width    int             // metrics of hosts
	averages []table.Average // by step, metric and host
}

func newShare(width, steps int) *share {
	return &share{width: width, averages: make([]table.Average, steps*width)}
}

// of are the averages of a step.
func (s *share) of(at int) []table.Average { return s.averages[at*s.width:][:s.width] }

// set notes the averages of a step.
func (s *share) set(at int, averages []table.Average) { copy(s.of(at), averages) }

// take adds another share to this one, and empties it.
func (s *share) take(other *share) {
	for i, a := range other.averages {
		s.averages[i].Merge(a)
	}
	clear(other.averages)
}

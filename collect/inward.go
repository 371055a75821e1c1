package collect

import "github.com/limpet-storage/limpet/table"

// inward gathers cwnd_in, the only metric of a component that others measure:
// every client has a share in the average of every host. Clients are read side
// by side, a crowd at a time, and their shares are added up in order, so that
// sums do not depend on who was first.
type inward struct {
	row    int   // of the schema, -1 where cwnd_in is not chosen
	hosts  []int // components
	total  *share
	shares []*share // of the crowd being read
}

// crowdSize is how many clients are read at a time: enough for any number of
// cores, few enough that their shares in a thousand hosts take 32 MB.
const crowdSize = 16

func newInward(c choice, b *book) *inward {
	in := &inward{row: c.in}
	if in.row < 0 {
		return in
	}
	in.hosts = b.hosts
	in.total = newShare(len(in.hosts))
	for range crowdSize {
		in.shares = append(in.shares, newShare(len(in.hosts)))
	}
	return in
}

// of is the share of the n-th client, which it has to itself while its crowd
// is read; nil where cwnd_in is not chosen.
func (in *inward) of(n int) *share {
	if in.row < 0 {
		return nil
	}
	return in.shares[n%crowdSize]
}

// gather adds up the shares of a crowd.
func (in *inward) gather(crowd []*machine) {
	for i := range min(len(crowd), len(in.shares)) {
		in.total.take(in.shares[i])
	}
}

// put sets the values of a batch whose clients have all been read.
func (in *inward) put(b *batch) {
	for at, row := range b.rows {
		for host, c := range in.hosts {
			row.Values[in.row][c] = in.total.averages[at*len(in.hosts)+host].Value()
		}
	}
	if in.total != nil {
		clear(in.total.averages)
	}
}

// A share is what a client, or several, measured towards each host in each
// step of a batch.
type share struct {
	hosts    int
	averages []table.Average // by step and host
}

func newShare(hosts int) *share {
	return &share{hosts: hosts, averages: make([]table.Average, batchSteps*hosts)}
}

// set notes the averages of a step.
func (s *share) set(at int, averages []table.Average) {
	copy(s.averages[at*s.hosts:], averages)
}

// take adds another share to this one, and empties it.
func (s *share) take(other *share) {
	for i, a := range other.averages {
		s.averages[i].Merge(a)
	}
	clear(other.averages)
}

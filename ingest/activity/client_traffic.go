package activity

import (
	"net/netip"

	"github.com/limpet-storage/limpet/engine/table"
)

// clientTraffic adds up the bytes that a server exchanged with each client in each step.
type clientTraffic struct {
	book  *addresses
	names map[netip.Addr]string
	now   map[string]float64           // by client: bytes of the step that is being read
	steps map[int64]map[string]float64 // by end of step: bytes by client
}

func newClientTraffic(book *addresses) clientTraffic {
	return clientTraffic{book: book, names: map[netip.Addr]string{}, steps: map[int64]map[string]float64{}}
}

// begin prepares clientTraffic for the connections of a record. The step of the record ends at the
// given time. If a step has several records, only the last record counts, so begin drops the bytes
// of the earlier records of the step.
func (x *clientTraffic) begin(end int64) {
	x.now = map[string]float64{}
	x.steps[end] = x.now
}

// add adds bytes that the server exchanged with a client. The caller passes the address of the
// remote host. If the remote host is another server, add does nothing.
func (x *clientTraffic) add(remote netip.Addr, bytes uint64) {
	if !x.book.owner(remote).server {
		x.now[x.nameOf(remote)] += float64(bytes)
	}
}

// nameOf returns the name of the machine that has the address. A machine without activity files has
// its address as its name.
func (x *clientTraffic) nameOf(remote netip.Addr) string {
	name, ok := x.names[remote]
	if !ok {
		if name = remote.String(); len(x.book.Claimants(remote)) > 0 {
			name = x.book.Claimants(remote)[0]
		}
		if len(x.names) >= mostNames {
			clear(x.names)
		}
		x.names[remote] = name
	}
	return name
}

// mostNames is the largest number of remote hosts whose names are kept. Remote hosts appear and
// disappear, so the memory for their names needs a limit.
const mostNames = 10_000

// Put writes the bytes per second of each client in one step into the gauges of the server. Then it
// drops this step and the steps before it. The parameter seconds is the length of the time in which
// the bytes were exchanged.
func (x *clientTraffic) Put(end int64, seconds float64, into *table.ServerGauges) {
	if bytes := x.steps[end]; len(bytes) > 0 {
		for name := range bytes {
			bytes[name] /= seconds
		}
		into.Clients = table.NewClientTraffic(bytes)
	}
	for at := range x.steps {
		if at <= end {
			delete(x.steps, at)
		}
	}
}

// Drop removes the steps that are not in a row yet. machine.endEra calls Drop if the clock was
// wrong when the records of these steps were written.
func (x *clientTraffic) Drop() { clear(x.steps) }

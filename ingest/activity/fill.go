package activity

import (
	"errors"
	"slices"

	"github.com/limpet-storage/limpet/internal/workers"
)

// UsesInterfaces reports whether a metric of interfaces is chosen.
func (a *plan) UsesInterfaces() bool { return len(a.choice.nics) > 0 }

// UsesConnections reports whether a metric of connections is chosen.
func (a *plan) UsesConnections() bool { return a.choice.connections() }

// ChooseAs copies the metrics and the step from the plan of the previous epoch. The metrics and the
// step never change.
func (a *plan) ChooseAs(o *plan) { a.choice, a.Schema = o.choice, o.Schema }

// Prepare allocates the memory for the measurements of clients (type share).
// The caller passes the number of rows of a batch, and the number of clients
// that are read at the same time.
func (a *plan) Prepare(steps, clients int) {
	a.Inward = newFromClients(a.choice.clientMetrics, a.book, steps, clients)
}

// ShareBytes returns the memory, in bytes, that the measurements of all clients
// take for one step. It also returns the number of clients.
func (a *plan) ShareBytes(list []hostFiles) (bytes, clients int) {
	for _, f := range list {
		if !a.book.Serves(serverName(f.Name, a.System)) {
			clients++
		}
	}
	const averageBytes = 16 // size of a table.Average
	return len(a.choice.clientMetrics) * a.book.Hosts() * clients * averageBytes, clients
}

// NextStep returns the number of the earliest step for which a machine has data
// ready. The result `ok` is false if no machine has a step.
func (a *plan) NextStep() (first int64, ok bool) {
	workers.Each(a.Reading, a.Machines, (*machine).Peek)
	for _, m := range a.Machines {
		if m.Step != nil && (!ok || m.Step.End < first) {
			first, ok = m.Step.End, true
		}
	}
	return first / a.Schema.StepSeconds, ok
}

// Fill fills all rows of a batch, on all cores. The files of all servers are read in parallel. The
// files of clients are read in groups of crowdSize clients, and Fill adds up the measurements of
// the clients (type share).
func (a *plan) Fill(b *batch) {
	workers.Each(a.Reading, a.servers, func(m *machine) { m.Fill(b) })
	for crowd := range slices.Chunk(a.clients, crowdSize) {
		workers.Each(a.Reading, crowd, func(m *machine) { m.Fill(b) })
		a.Inward.Gather(len(crowd))
	}
	a.Inward.Put(b.Rows)
	b.Closed = len(b.Rows)
}

// Close closes the files of all machines.
func (a *plan) Close() error {
	var errs []error
	for _, m := range a.Machines {
		errs = append(errs, m.Records.Close())
	}
	return errors.Join(errs...)
}

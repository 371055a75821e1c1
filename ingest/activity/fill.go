package activity

import (
	"errors"
	"slices"

	"github.com/limpet-storage/limpet/internal/workers"
)

// AsksInterfaces reports whether a metric of interfaces is chosen.
func (a *plan) AsksInterfaces() bool { return len(a.choice.nics) > 0 }

// AsksConnections reports whether a metric of connections is chosen.
func (a *plan) AsksConnections() bool { return a.choice.connections() }

// ChooseAs takes metrics and step from another plan.
func (a *plan) ChooseAs(o *plan) { a.choice, a.Schema = o.choice, o.Schema }

// Prepare allocates the shares of the clients that are read at the same time.
// The parameter steps is the number of rows of a batch.
func (a *plan) Prepare(steps, clients int) {
	a.Inward = newFromClients(a.choice.in, a.book, steps, clients)
}

// ShareBytes returns the memory that the shares of all clients take in one
// step.
func (a *plan) ShareBytes(list []hostFiles) (bytes, clients int) {
	for _, f := range list {
		if !a.book.Serves(serverName(f.Name, a.System)) {
			clients++
		}
	}
	const averageBytes = 16
	return len(a.choice.in) * a.book.Hosts() * clients * averageBytes, clients
}

// NextStep returns the number of the earliest step that any machine has for a
// row.
func (a *plan) NextStep() (first int64, ok bool) {
	workers.Each(a.Reading, a.Machines, (*machine).Peek)
	for _, m := range a.Machines {
		if m.Step != nil && (!ok || m.Step.End < first) {
			first, ok = m.Step.End, true
		}
	}
	return first / a.Schema.StepSeconds, ok
}

// Fill fills a batch on all cores. Each machine fills its own columns. Fill
// adds up the clients' shares afterwards.
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

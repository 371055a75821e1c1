package activity

import (
	"errors"
	"slices"

	"github.com/limpet-storage/limpet/internal/workers"
)

// AsksInterfaces and AsksConnections say whether anything of them is measured.
func (a *plan) AsksInterfaces() bool { return len(a.choice.nics) > 0 }

// AsksConnections says whether anything of connections is measured.
func (a *plan) AsksConnections() bool { return a.choice.connections() }

// ChooseAs takes metrics and step from another plan.
func (a *plan) ChooseAs(o *plan) { a.choice, a.Schema = o.choice, o.Schema }

// Prepare makes room for what so many clients say at a time, over so many steps.
func (a *plan) Prepare(steps, clients int) {
	a.Inward = newFromClients(a.choice.in, a.book, steps, clients)
}

// ShareBytes is what the shares of all clients of a step take.
func (a *plan) ShareBytes(list []hostFiles) (bytes, clients int) {
	for _, f := range list {
		if !a.book.Serves(serverName(f.Name, a.System)) {
			clients++
		}
	}
	const averageBytes = 16
	return len(a.choice.in) * a.book.Hosts() * clients * averageBytes, clients
}

// NextStep is the number of the earliest step that any machine still has.
func (a *plan) NextStep() (first int64, ok bool) {
	workers.Each(a.Reading, a.Machines, (*server).Peek)
	for _, m := range a.Machines {
		if m.Step != nil && (!ok || m.Step.End < first) {
			first, ok = m.Step.End, true
		}
	}
	return first / a.Schema.StepSeconds, ok
}

// Fill fills a batch, each machine its own columns, on all cores. What clients
// say of the hosts of the system is put together afterwards.
func (a *plan) Fill(b *batch) {
	workers.Each(a.Reading, a.servers, func(m *server) { m.Fill(b) })
	for crowd := range slices.Chunk(a.clients, crowdSize) {
		workers.Each(a.Reading, crowd, func(m *server) { m.Fill(b) })
		a.Inward.Gather(len(crowd))
	}
	a.Inward.Put(b.Rows)
	b.Closed = len(b.Rows)
}

// Close ends reading.
func (a *plan) Close() error {
	var errs []error
	for _, m := range a.Machines {
		errs = append(errs, m.Records.Close())
	}
	return errors.Join(errs...)
}

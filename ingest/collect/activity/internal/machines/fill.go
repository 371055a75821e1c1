package machines

import (
	"errors"
	"slices"

	"github.com/limpet-storage/limpet/ingest/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/ingest/collect/activity/internal/files"
	"github.com/limpet-storage/limpet/ingest/collect/internal/parallel"
)

// AsksInterfaces and AsksConnections say whether anything of them is measured.
func (a *Plan) AsksInterfaces() bool { return len(a.choice.nics) > 0 }

// AsksConnections says whether anything of connections is measured.
func (a *Plan) AsksConnections() bool { return a.choice.connections() }

// ChooseAs takes metrics and step from another plan.
func (a *Plan) ChooseAs(o *Plan) { a.choice, a.Schema = o.choice, o.Schema }

// Prepare makes room for what so many clients say at a time, over so many steps.
func (a *Plan) Prepare(steps, clients int) {
	a.Inward = connections.NewFromClients(a.choice.in, a.book, steps, clients)
}

// ShareBytes is what the shares of all clients of a step take.
func (a *Plan) ShareBytes(list []files.Host) (bytes, clients int) {
	for _, f := range list {
		if !a.book.Serves(files.ServerName(f.Name, a.System)) {
			clients++
		}
	}
	const averageBytes = 16
	return len(a.choice.in) * a.book.Hosts() * clients * averageBytes, clients
}

// NextStep is the number of the earliest step that any machine still has.
func (a *Plan) NextStep() (first int64, ok bool) {
	parallel.Each(a.Reading, a.Machines, (*Machine).Peek)
	for _, m := range a.Machines {
		if m.Step != nil && (!ok || m.Step.End < first) {
			first, ok = m.Step.End, true
		}
	}
	return first / a.Schema.StepSeconds, ok
}

// Fill fills a batch, each machine its own columns, on all cores. What clients
// say of the hosts of the system is put together afterwards.
func (a *Plan) Fill(b *Batch) {
	parallel.Each(a.Reading, a.servers, func(m *Machine) { m.Fill(b) })
	for crowd := range slices.Chunk(a.clients, connections.CrowdSize) {
		parallel.Each(a.Reading, crowd, func(m *Machine) { m.Fill(b) })
		a.Inward.Gather(len(crowd))
	}
	a.Inward.Put(b.Rows)
	b.Closed = len(b.Rows)
}

// Close ends reading.
func (a *Plan) Close() error {
	var errs []error
	for _, m := range a.Machines {
		errs = append(errs, m.Records.Close())
	}
	return errors.Join(errs...)
}

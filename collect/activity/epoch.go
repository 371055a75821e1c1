package activity

import (
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/table"
)

// An epoch is a time in which the system stays the same. Its rows wait in
// batches until they are closed: machines fill them side by side, each as far
// as its files go, so that one that is ahead waits for the others.
type epoch struct {
	plan
	steps   int    // of a batch
	filling *batch // the last of the queue

	queue []*batch // being given out, in order
	free  *batch   // given out
	made  int      // batches
	next  *epoch

	compared  int               // how much had been seen when it was held against the topology
	unmatched []collect.Warning // what that showed
}

const (
	// mostBatches are given out and filled at the same time.
	mostBatches = 2
	// mostShareBytes bounds what the shares of clients take: with many clients
	// of many hosts batches are shorter.
	mostShareBytes = 64 << 20
	leastSteps     = 16
)

// prepare makes room for rows and for what clients say of them.
func (e *epoch) prepare(files []hostFiles) {
	clients := 0
	for _, f := range files {
		if !e.book.Serves(serverName(f.host, e.system)) {
			clients++
		}
	}
	const averageBytes = 16
	width := len(e.choice.in) * e.book.Hosts() * clients * averageBytes
	e.steps = min(batchSteps, max(leastSteps, mostShareBytes/max(width, 1)))
	e.inward = connections.NewFromClients(e.choice.in, e.book, e.steps, clients)
}

// take returns the next row that is complete, and whether a batch was given
// back.
func (e *epoch) take() (row *table.Row, freed bool) {
	for len(e.queue) > 0 {
		b := e.queue[0]
		if row := b.next(); row != nil {
			return row, freed
		}
		if len(e.queue) == 1 {
			break
		}
		e.free, e.queue, freed = b, e.queue[1:], true
	}
	return nil, freed
}

// vacant is a batch to fill, nil where rows have to be taken first.
func (e *epoch) vacant() *batch {
	b := e.free
	e.free = nil
	if b == nil && e.made < mostBatches {
		e.made++
		b = newBatch(e.schema, e.steps)
	}
	return b
}

// inherit takes over room for rows that the epoch before does not need any more,
// where it fits.
func (e *epoch) inherit(last *epoch) {
	b := last.free
	last.free, last.filling = nil, nil
	if b != nil && last.steps == e.steps && last.schema.Components == e.schema.Components && last.schema.Servers == e.schema.Servers {
		e.free, e.made = b, 1
	}
}

// close ends reading.
func (e *epoch) close() error {
	var errs []error
	for _, m := range e.machines {
		errs = append(errs, m.records.Close())
	}
	return errors.Join(errs...)
}

// troubles says what is wrong with files and machines, and once all were read,
// where they contradict the topology.
func (e *epoch) troubles(renewing error) []collect.Warning {
	all := slices.Clone(e.warnings)
	if renewing != nil {
		all = append(all, collect.Warning{Text: fmt.Sprintf("what is new is not used: %v", renewing)})
	}
	isReading := false
	for _, m := range e.machines {
		all = append(all, m.warnings()...)
		isReading = isReading || !m.done && !m.grow.live
	}
	all = append(all, e.disputes()...)
	if e.system.File != "" && !isReading {
		all = append(all, e.contradictions()...)
	}
	return all
}

// contradictions says where what was seen contradicts the topology. It is asked for
// every second, and looks again only where more was seen.
func (e *epoch) contradictions() []collect.Warning {
	if seen := 1 + len(e.found) + e.sighted(); seen != e.compared {
		e.compared, e.unmatched = seen, e.system.Unmatched(slices.Concat(e.found, e.sightings()))
	}
	return e.unmatched
}

// sighted counts what machines have shown. It grows where there are further sightings.
func (e *epoch) sighted() (n int) {
	for _, m := range e.machines {
		n += m.records.Inventory().Changes() + len(m.disks.seen) + len(m.nics.seen)
	}
	return n
}

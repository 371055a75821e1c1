package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/ingest"
)

// An epoch is a period in which the system does not change. The rows of an epoch are made in
// batches. Each machine (server or client) has a reader of its files. These readers fill a batch in
// parallel: each reader writes the values of its machine into the rows. A reader that has reached
// the last row of the batch waits for the other readers.
type epoch struct {
	plan
	queue
	next *epoch // the next epoch; nil if it has not begun

	compared  int              // value of 1 + len(Found) + Sighted() at the last comparison of the files with the topology; 0 before the first comparison
	unmatched []ingest.Warning // warnings of the last comparison with the topology
}

const (
	// mostShareBytes limits the memory, in bytes, of the measurements of all clients (type share)
	// in a batch. If there are many clients and hosts, a batch has fewer rows than mostSteps, but
	// at least leastSteps.
	mostShareBytes = 64 << 20
	leastSteps     = 16
	mostSteps      = 32 // largest number of rows of a batch; enough to keep all cores busy while old records are read
)

// prepare creates the queue of batches, and allocates the memory for the
// measurements of clients.
func (e *epoch) prepare(list []hostFiles) {
	bytes, clients := e.ShareBytes(list)
	e.queue = newQueue(e.Schema, min(mostSteps, max(leastSteps, mostShareBytes/max(bytes, 1))))
	e.Prepare(e.Steps, clients)
}

// troubles returns the warnings about files and machines. The parameter `renewing` is the reason
// why limpet could not change to a new system, or nil. If all machines have read the records that
// were in the files at the start, the result also has the contradictions between the files and the
// topology.
func (e *epoch) troubles(renewing error) []ingest.Warning {
	all := slices.Clone(e.Warned)
	if renewing != nil {
		all = append(all, ingest.Warning{Text: fmt.Sprintf("limpet cannot use the newest files: %v", renewing)})
	}
	isReading := false
	for _, m := range e.Machines {
		all = append(all, m.Warnings()...)
		isReading = isReading || !m.Done && !m.Grow.Live
	}
	all = append(all, e.coarseWarnings()...)
	all = append(all, e.Disputes()...)
	if e.System.File != "" && !isReading {
		all = append(all, e.contradictions()...)
	}
	return all
}

// contradictions compares the sightings (the devices, interfaces and hosts that the files have
// shown so far) with the topology. It returns a warning for each contradiction. It is called often,
// so it repeats the comparison only after new sightings.
func (e *epoch) contradictions() []ingest.Warning {
	if seen := 1 + len(e.Found) + e.Sighted(); seen != e.compared {
		e.compared, e.unmatched = seen, e.System.Unmatched(slices.Concat(e.Found, e.Sightings()))
	}
	return e.unmatched
}

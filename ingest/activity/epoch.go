package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/ingest"
)

// An epoch is a period in which the system does not change. Its rows wait in
// batches until they are closed. Machines fill a batch in parallel, each as far
// as its files go, so a machine that is ahead waits for the others.
type epoch struct {
	plan
	queue
	next *epoch

	compared  int              // number of sightings that were compared with the topology
	unmatched []ingest.Warning // result of that comparison
}

const (
	// mostShareBytes bounds the memory of the clients' shares: with many
	// clients of many hosts a batch has fewer rows.
	mostShareBytes = 64 << 20
	leastSteps     = 16
	mostSteps      = 32 // growing files give single rows; a backlog needs batches of this many rows to keep the cores busy
)

// prepare allocates rows and clients' shares.
func (e *epoch) prepare(list []hostFiles) {
	bytes, clients := e.ShareBytes(list)
	e.queue = newQueue(e.Schema, min(mostSteps, max(leastSteps, mostShareBytes/max(bytes, 1))))
	e.Prepare(e.Steps, clients)
}

// troubles returns the warnings about files and machines. After all files were
// read it adds the contradictions between the files and the topology.
func (e *epoch) troubles(renewing error) []ingest.Warning {
	all := slices.Clone(e.Warned)
	if renewing != nil {
		all = append(all, ingest.Warning{Text: fmt.Sprintf("what is new is not used: %v", renewing)})
	}
	isReading := false
	for _, m := range e.Machines {
		all = append(all, m.Warnings()...)
		isReading = isReading || !m.Done && !m.Grow.Live
	}
	all = append(all, e.Disputes()...)
	if e.System.File != "" && !isReading {
		all = append(all, e.contradictions()...)
	}
	return all
}

// contradictions returns a warning for each contradiction between the sightings
// and the topology. It is called every second, and compares again only after
// new sightings.
func (e *epoch) contradictions() []ingest.Warning {
	if seen := 1 + len(e.Found) + e.Sighted(); seen != e.compared {
		e.compared, e.unmatched = seen, e.System.Unmatched(slices.Concat(e.Found, e.Sightings()))
	}
	return e.unmatched
}

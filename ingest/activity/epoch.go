package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/ingest"
)

// An epoch is a time in which the system stays the same. Its rows wait in
// batches until they are closed: machines fill them side by side, each as far
// as its files go, so that one that is ahead waits for the others.
type epoch struct {
	plan
	queue
	next *epoch

	compared  int              // how much had been seen when it was held against the topology
	unmatched []ingest.Warning // what that showed
}

const (
	// mostShareBytes bounds what the shares of clients take: with many clients
	// of many hosts batches are shorter.
	mostShareBytes = 64 << 20
	leastSteps     = 16
	mostSteps      = 32 // rows of files that grow come one by one; in a backlog these keep the cores busy
)

// prepare makes room for rows and for what clients say of them.
func (e *epoch) prepare(list []hostFiles) {
	bytes, clients := e.ShareBytes(list)
	e.queue = newQueue(e.Schema, min(mostSteps, max(leastSteps, mostShareBytes/max(bytes, 1))))
	e.Prepare(e.Steps, clients)
}

// troubles says what is wrong with files and machines, and once all were read,
// where they contradict the topology.
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

// contradictions says where what was seen contradicts the topology. It is asked for
// every second, and looks again only where more was seen.
func (e *epoch) contradictions() []ingest.Warning {
	if seen := 1 + len(e.Found) + e.Sighted(); seen != e.compared {
		e.compared, e.unmatched = seen, e.System.Unmatched(slices.Concat(e.Found, e.Sightings()))
	}
	return e.unmatched
}

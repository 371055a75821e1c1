package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// A queue is the batches of a system: rows are taken from the first while the last is
// filled.
type queue struct {
	Steps   int    // of a batch
	Filling *batch // the last of the queue; nil before the first

	schema table.Schema
	list   []*batch // being given out, in order
	free   *batch   // given out
	made   int      // batches
}

// mostBatches are given out and filled at the same time.
const mostBatches = 2

// newQueue returns one of batches of so many steps.
func newQueue(s table.Schema, steps int) queue { return queue{schema: s, Steps: steps} }

// Take returns the next row that is complete, and whether a batch was given back.
func (q *queue) Take() (row *table.Row, freed bool) {
	for len(q.list) > 0 {
		b := q.list[0]
		if row := b.Next(); row != nil {
			return row, freed
		}
		if len(q.list) == 1 {
			break
		}
		q.free, q.list, freed = b, q.list[1:], true
	}
	return nil, freed
}

// HasNext says whether there is a row that is complete.
func (q *queue) HasNext() bool { return slices.ContainsFunc(q.list, (*batch).hasNext) }

// Vacant is a batch to fill, nil where rows have to be taken first.
func (q *queue) Vacant() *batch {
	b := q.free
	q.free = nil
	if b == nil && q.made < mostBatches {
		q.made++
		b = newBatch(q.schema, q.Steps)
	}
	return b
}

// Append puts a batch at the end of the queue: it is filled from now on.
func (q *queue) Append(b *batch) { q.Filling, q.list = b, append(q.list, b) }

// Inherit takes over room for rows that the queue before does not need any more,
// where it fits.
func (q *queue) Inherit(last *queue) {
	b := last.free
	last.free, last.Filling = nil, nil
	if b != nil && last.Steps == q.Steps && last.schema.Components == q.schema.Components && last.schema.Servers == q.schema.Servers {
		q.free, q.made = b, 1
	}
}

package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// A queue holds the batches of an epoch (a period with one system). Following.Next takes rows from
// the first batch while the machines fill the last batch.
type queue struct {
	Steps   int    // number of rows of a batch
	Filling *batch // last batch of the queue; nil if there is no batch yet

	schema table.Schema
	list   []*batch // batches in time order
	free   *batch   // batch whose rows were all taken, for reuse; nil if there is no such batch
	made   int      // number of batches that were allocated
}

// mostBatches is the largest number of batches in use. One batch is filled
// while the rows of the other batch are taken.
const mostBatches = 2

// newQueue returns a queue. The caller passes the number of rows of a batch.
func newQueue(s table.Schema, steps int) queue { return queue{schema: s, Steps: steps} }

// Take returns the next complete row, or nil. The second result is true if a
// batch became free.
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

// HasNext reports whether Take would return a row.
func (q *queue) HasNext() bool { return slices.ContainsFunc(q.list, (*batch).hasNext) }

// Vacant returns a batch to fill, or nil if all batches are in use. A batch
// becomes free when Take has returned all its rows.
func (q *queue) Vacant() *batch {
	b := q.free
	q.free = nil
	if b == nil && q.made < mostBatches {
		q.made++
		b = newBatch(q.schema, q.Steps)
	}
	return b
}

// Append adds an empty batch at the end of the queue. This batch is filled
// next.
func (q *queue) Append(b *batch) { q.Filling, q.list = b, append(q.list, b) }

// Inherit takes over the free batch of the previous epoch's queue if the batches of both queues
// have the same size.
func (q *queue) Inherit(last *queue) {
	b := last.free
	last.free, last.Filling = nil, nil
	if b != nil && last.Steps == q.Steps && last.schema.Components == q.schema.Components && last.schema.Servers == q.schema.Servers {
		q.free, q.made = b, 1
	}
}

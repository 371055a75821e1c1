package activity

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// batchSteps is the number of rows in each batch of a source that Open returns. The number is large
// enough to keep all processor cores busy. A larger batch would take too much memory: with 9,216
// attachments, 128 rows take 9 MB for each metric.
const batchSteps = 128

// A batch is a sequence of consecutive rows. The readers of all machines fill it in parallel.
type batch struct {
	StepSeconds int64
	First       int64 // number of the first row's step: the Unix time at its end, divided by StepSeconds
	Rows        []*table.Row
	nextRow     int  // index of the first row that the next call of Next considers
	Closed      int  // number of rows that are complete
	Empty       bool // true if no machine had a step for the batch
	// LatestEnd is the latest Unix time at which a step may end. If a step of a machine ends later,
	// the clock of the machine is too far ahead, and the step is left out.
	LatestEnd int64
}

// newBatch returns a batch of empty rows. The caller passes the number of rows.
func newBatch(s table.Schema, steps int) *batch {
	b := &batch{StepSeconds: s.StepSeconds, LatestEnd: math.MaxInt64}
	for range steps {
		b.Rows = append(b.Rows, table.NewRow(s))
	}
	return b
}

// Begin clears all rows. The caller passes the number of the first row's step:
// the Unix time at its end, divided by StepSeconds.
func (b *batch) Begin(first int64) {
	b.First, b.nextRow, b.Closed = first, 0, 0
	for i, row := range b.Rows {
		row.Clear()
		row.End = (first + int64(i)) * b.StepSeconds
	}
}

// place returns the index in Rows of the row for the step that ends at the given Unix time. The
// second result is false if the step is after the last row of the batch.
func (b *batch) place(end int64) (at int, ok bool) {
	at = int(end/b.StepSeconds - b.First)
	return at, at < len(b.Rows)
}

// Next returns the next complete row that has data of at least one server. It
// returns nil if there is no such row yet.
func (b *batch) Next() *table.Row {
	for b.nextRow < b.Closed {
		row := b.Rows[b.nextRow]
		b.nextRow++
		if slices.Contains(row.Heard, true) {
			return row
		}
	}
	return nil
}

// hasNext reports whether Next would return a row.
func (b *batch) hasNext() bool {
	return slices.ContainsFunc(b.Rows[b.nextRow:max(b.nextRow, b.Closed)], func(r *table.Row) bool { return slices.Contains(r.Heard, true) })
}

// Exhaust discards the rows that Next has not returned.
func (b *batch) Exhaust() { b.nextRow = len(b.Rows) }

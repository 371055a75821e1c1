package activity

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// batchSteps is how many rows are made at a time: enough to keep the cores
// busy, few enough that a system of 9,216 attachments takes megabytes.
const batchSteps = 128

// A batch is a run of rows that machines fill side by side.
type batch struct {
	StepSeconds int64
	First       int64 // number of the first step
	Rows        []*table.Row
	at          int  // of the next row to give out
	Closed      int  // so many rows are complete and may be given out
	Empty       bool // there was nothing more to fill it with
	// Until is the end of the last step that any clock is believed.
	Until int64
}

// newBatch has room for so many steps.
func newBatch(s table.Schema, steps int) *batch {
	b := &batch{StepSeconds: s.StepSeconds, Until: math.MaxInt64}
	for range steps {
		b.Rows = append(b.Rows, table.NewRow(s))
	}
	return b
}

// Begin clears the batch for the steps from first on.
func (b *batch) Begin(first int64) {
	b.First, b.at, b.Closed = first, 0, 0
	for i, row := range b.Rows {
		row.Clear()
		row.End = (first + int64(i)) * b.StepSeconds
	}
}

// place is which row is that of a step; not ok where the step lies behind the
// batch.
func (b *batch) place(end int64) (at int, ok bool) {
	at = int(end/b.StepSeconds - b.First)
	return at, at < len(b.Rows)
}

// Next returns the next complete row that a server was heard in.
func (b *batch) Next() *table.Row {
	for b.at < b.Closed {
		row := b.Rows[b.at]
		b.at++
		if slices.Contains(row.Heard, true) {
			return row
		}
	}
	return nil
}

// hasNext says whether Next would return a row.
func (b *batch) hasNext() bool {
	return slices.ContainsFunc(b.Rows[b.at:max(b.at, b.Closed)], func(r *table.Row) bool { return slices.Contains(r.Heard, true) })
}

// Exhaust leaves the rows out that were not given out.
func (b *batch) Exhaust() { b.at = len(b.Rows) }

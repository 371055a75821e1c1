package activity

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/table"
)

// batchSteps is how many rows are made at a time: enough to keep the cores
// busy, few enough that a system of 9,216 attachments takes megabytes.
const batchSteps = 128

// batch is a run of rows that machines fill side by side.
type batch struct {
	stepSeconds int64
	first       int64 // number of the first step
	rows        []*table.Row
	at          int  // of the next row to give out
	closed      int  // so many rows are complete and may be given out
	empty       bool // there was nothing more to fill it with
	// until is the end of the last step that any clock is believed.
	until int64
}

func newBatch(s table.Schema, steps int) *batch {
	b := &batch{stepSeconds: s.StepSeconds, until: math.MaxInt64}
	for range steps {
		b.rows = append(b.rows, table.NewRow(s))
	}
	return b
}

// begin clears the batch for the steps from first on.
func (b *batch) begin(first int64) {
	b.first, b.at, b.closed = first, 0, 0
	for i, row := range b.rows {
		row.Clear()
		row.End = (first + int64(i)) * b.stepSeconds
	}
}

// place is which row is that of a step; not ok where the step lies behind the
// batch.
func (b *batch) place(end int64) (at int, ok bool) {
	at = int(end/b.stepSeconds - b.first)
	return at, at < len(b.rows)
}

// next returns the next complete row that a server was heard in.
func (b *batch) next() *table.Row {
	for b.at < b.closed {
		row := b.rows[b.at]
		b.at++
		if slices.Contains(row.Heard, true) {
			return row
		}
	}
	return nil
}

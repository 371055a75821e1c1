package collect

import "github.com/limpet-storage/limpet/table"

// batchSteps is how many rows are made at a time: enough to keep the cores
// busy, few enough that a system of 9,216 attachments takes megabytes.
const batchSteps = 64

// batch is a run of rows that servers fill side by side.
type batch struct {
	stepSeconds int64
	first       int64 // number of the first step
	rows        []*table.Row
	at          int
}

// begin clears the batch for the steps from first on.
func (b *batch) begin(first int64, s table.Schema) {
	if b.rows == nil {
		for range batchSteps {
			b.rows = append(b.rows, table.NewRow(s))
		}
	}
	b.stepSeconds, b.first, b.at = s.StepSeconds, first, 0
	for i, row := range b.rows {
		row.Clear()
		row.End = (first + int64(i)) * s.StepSeconds
	}
}

// row is that of a step, nil where the step lies behind the batch.
func (b *batch) row(end int64) *table.Row {
	i := end/b.stepSeconds - b.first
	if i >= batchSteps {
		return nil
	}
	return b.rows[i]
}

// next returns the next row that has a value.
func (b *batch) next() *table.Row {
	for b.at < len(b.rows) {
		row := b.rows[b.at]
		b.at++
		if hasValue(row) {
			return row
		}
	}
	return nil
}

func hasValue(row *table.Row) bool {
	for _, values := range row.Values {
		for _, v := range values {
			if !table.IsMissing(v) {
				return true
			}
		}
	}
	return false
}

// This file keeps values of many components over time in bounded memory, for the plots of a page.
// It does not depend on storage.

package report

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// valueHistory holds rows of values, one value for each of Width components. When it is full, it
// averages pairs of neighbouring rows and goes on with half the resolution.
type valueHistory struct {
	Width int
	Limit int       // largest number of rows
	Ends  []int64   // Unix times at which the rows end
	cells []float32 // values, row by row
	span  int64     // seconds that a row covers
}

// minRows is the smallest number of rows that a plot needs, for any number of components.
const minRows = 256

// newValueHistory returns a history for rows that are stepSeconds apart. The limit is max(minRows,
// min(rows, cells / width)) rows.
func newValueHistory(width int, stepSeconds int64, rows, cells int) *valueHistory {
	return &valueHistory{Width: width, Limit: max(minRows, min(rows, cells/max(1, width))), span: stepSeconds}
}

// Push adds a row. After a gap in time it first adds a row of missing values, so that a plot draws
// no line across the gap.
func (h *valueHistory) Push(end int64, value func(i int) float64) {
	if n := len(h.Ends); n > 0 && end-h.Ends[n-1] > 2*h.span {
		h.add(h.Ends[n-1]+h.span, func(int) float64 { return table.Missing })
	}
	h.add(end, value)
	if len(h.Ends) >= h.Limit {
		h.halve()
	}
}

func (h *valueHistory) add(end int64, value func(i int) float64) {
	h.Ends = append(h.Ends, end)
	for i := range h.Width {
		h.cells = append(h.cells, float32(value(i)))
	}
}

// halve averages pairs of rows.
func (h *valueHistory) halve() {
	pairs := len(h.Ends) / 2
	for p := range pairs {
		a, b, out := h.row(2*p), h.row(2*p+1), h.row(p)
		for i := range out {
			out[i] = meanPresent(a[i], b[i])
		}
		h.Ends[p] = h.Ends[2*p+1]
	}
	h.Ends, h.cells, h.span = h.Ends[:pairs], h.cells[:pairs*h.Width], 2*h.span
}

func meanPresent(a, b float32) float32 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return (a + b) / 2
}

func (h *valueHistory) row(i int) []float32 { return h.cells[i*h.Width:][:h.Width] }

// At returns the ends of the rows for the time axis of a plot.
func (h *valueHistory) At() []float64 {
	at := make([]float64, len(h.Ends))
	for i, end := range h.Ends {
		at[i] = float64(end)
	}
	return at
}

// Series returns the values of component i. All are missing if i is negative.
func (h *valueHistory) Series(i int) []float64 {
	values := make([]float64, len(h.Ends))
	for r := range values {
		if values[r] = table.Missing; i >= 0 {
			values[r] = float64(h.row(r)[i])
		}
	}
	return values
}

// State writes or reads a history. A component that is not in the saved state has missing values.
func (h *valueHistory) State(c *state.Codec, members *state.Axis) {
	state.Int(c, &h.span)
	state.Ints(c, &h.Ends)
	if !c.Saving() {
		h.cells = make([]float32, len(h.Ends)*h.Width)
		for i := range h.cells {
			h.cells[i] = float32(table.Missing)
		}
	}
	for r := range h.Ends {
		c.Floats32(members, h.row(r))
	}
}

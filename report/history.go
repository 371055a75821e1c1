// This file keeps values of many components over time in bounded memory,
// for the plots of a page. It knows nothing of storage.

package report

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// valueHistory holds rows of values, one value for each of Width components. When it
// is full, neighbouring rows are averaged and it goes on at half the resolution.
type valueHistory struct {
	Width int
	Limit int       // rows
	Ends  []int64   // of the rows
	cells []float32 // row by row
	span  int64     // seconds that a row covers
}

// minRows is what a plot needs at the least, however many components there are.
const minRows = 256

// newValueHistory returns a history of rows that are so many seconds apart. It keeps no more
// than rows of them, and no more than cells values.
func newValueHistory(width int, stepSeconds int64, rows, cells int) *valueHistory {
	return &valueHistory{Width: width, Limit: max(minRows, min(rows, cells/max(1, width))), span: stepSeconds}
}

// Push adds a row. After a silence it first adds a missing one, so that a line is
// not drawn across.
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

// At is the time axis.
func (h *valueHistory) At() []float64 {
	at := make([]float64, len(h.Ends))
	for i, end := range h.Ends {
		at[i] = float64(end)
	}
	return at
}

// Series are the values of one component. One that has no place, below 0, has
// none.
func (h *valueHistory) Series(i int) []float64 {
	values := make([]float64, len(h.Ends))
	for r := range values {
		if values[r] = table.Missing; i >= 0 {
			values[r] = float64(h.row(r)[i])
		}
	}
	return values
}

// State writes or reads a history. Components that the state does not know have
// no values before now.
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

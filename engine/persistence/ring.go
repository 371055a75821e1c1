package persistence

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// ring holds the values of the members of a lane (the comparison by one metric) over the last
// steps. The index of a step in rows is the step's number modulo the length of the ring.
type ring struct {
	rows [][]float64
	last int64 // number of the last step; 0 before the first step
}

func newRing(steps, members int) *ring {
	r := &ring{rows: make([][]float64, steps)}
	for at := range r.rows {
		r.rows[at] = make([]float64, members)
	}
	r.restart()
	return r
}

// restart deletes the values of all steps. The next step may have any number.
func (r *ring) restart() {
	r.last = 0
	for _, row := range r.rows {
		fillMissing(row)
	}
}

func fillMissing(row []float64) {
	for i := range row {
		row[i] = table.Missing
	}
}

// valuesOf returns the values of a step. The ring must still hold this step.
func (r *ring) valuesOf(step int64) []float64 { return r.rows[step%int64(len(r.rows))] }

// next advances to a step, and returns the row to be filled with its values.
func (r *ring) next(step int64) []float64 {
	r.advanceTo(step - 1)
	r.last = step
	return r.valuesOf(step)
}

// advanceTo advances to a step. The values of the steps in between, and of this step, become
// missing.
func (r *ring) advanceTo(step int64) {
	if r.last == 0 {
		r.last = step
	}
	for s := max(r.last+1, step-int64(len(r.rows))+1); s <= step; s++ {
		fillMissing(r.valuesOf(s))
	}
	r.last = max(r.last, step)
}

// series copies the values of the window that ends with the last step. It copies every member whose
// index i satisfies `from` ≤ i < `to`, one member after the other. The values of a member are in
// order of time. The outer loop is over rows, because rows often lie at equal distances in memory.
// A loop over all rows for one member would then use only a small part of the processor's cache.
func (r *ring) series(dst []float64, from, to int) {
	oldest := int(r.last+1) % len(r.rows)
	for t := range r.rows {
		row := r.rows[(oldest+t)%len(r.rows)][from:to]
		for i, v := range row {
			dst[i*len(r.rows)+t] = v
		}
	}
}

func (r *ring) state(c *state.Codec, members *state.Axis) {
	if state.Int(c, &r.last); r.last < 0 {
		c.Failf("the saved state is damaged: it has a time before 1970; start without the saved state")
		r.last = 0
	}
	for _, row := range r.rows {
		c.Floats(members, row)
	}
}

package persistence

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// values are the smoothed values of one metric over the last window. They contain only the
// components on which the metric is measured: drives, interfaces or hosts. Rows are added in order
// of time. If a step has no row, its values are missing.
type values struct {
	Members []int // components on which the metric is measured
	Loads   *loads
	Active  bool // the average includes only steps with load

	column      int // column of the metric in rows
	smooth      int // steps in an average
	full        int // minimum number of values in an average
	raw         []float64
	mean        *table.Smoother
	filled      presence
	ring        *ring   // averages of the last window
	lastNonzero []int64 // by member: the last step in which its average was not zero
}

// shape holds the lengths of the average and of the window.
type shape struct {
	Smooth  int // steps in an average
	WinSize int // steps in a window
	Full    int // minimum number of values in an average
}

// newValues returns empty values for one column of rows and for the given components.
func newValues(column int, members []int, s shape) *values {
	n := len(members)
	return &values{
		Members: members, column: column, smooth: s.Smooth, full: s.Full,
		raw: make([]float64, n), lastNonzero: make([]int64, n), filled: make(presence, n),
		mean: table.NewSmoother(s.Smooth, n), ring: newRing(s.WinSize, n),
	}
}

// Restart deletes the values of all rows. The next row may have any time.
func (v *values) Restart() {
	v.ring.restart()
	v.skip(v.smooth)
}

// skip adds n steps without data.
func (v *values) skip(n int) {
	v.mean.Skip(n)
	v.filled.skip(n)
}

// AdvanceTo adds missing values for all steps up to and including the given step.
func (v *values) AdvanceTo(step int64) {
	if step <= v.ring.last {
		return
	}
	v.skip(int(min(step-v.ring.last, int64(v.smooth))))
	v.ring.advanceTo(step)
	for at := range v.lastNonzero {
		v.lastNonzero[at] = step
	}
}

// Take adds the values of a row to the moving averages, and stores the new averages.
func (v *values) Take(step int64, row *table.Row) {
	v.AdvanceTo(step - 1)
	copyMembers(v.raw, row.Values[v.column], v.Members)
	var active []float64
	if v.Active {
		active = v.Loads.ring.valuesOf(step)
	}
	out := v.ring.next(step)
	means := v.mean.Push(v.raw, active)
	for from := 0; from < len(means); from += table.RestBlock {
		if v.mean.RestedFor(from) <= len(v.ring.rows) || v.full > 0 { // otherwise skip the block: its averages were zero for more steps than the ring holds, so the ring already has these zeros
			to := min(from+table.RestBlock, len(means))
			v.put(step, from, out[from:to], means[from:to])
		}
	}
	v.dropPoor(out)
}

// put stores the averages of a step for a block: table.RestBlock neighbouring members, or fewer at
// the end of the list. The first member of the block has the index `from`.
func (v *values) put(step int64, from int, out, means []float64) {
	moved := v.lastNonzero[from:][:len(means)]
	out = out[:len(means)]
	for i, mean := range means {
		if out[i] = mean; mean != 0 {
			moved[i] = step
		}
	}
}

// dropPoor replaces each average of too few values (fewer than v.full) by a missing value.
func (v *values) dropPoor(out []float64) {
	if v.full == 0 {
		return
	}
	v.filled.push(v.raw)
	for at := range out {
		if v.filled.count(at, v.smooth) < v.full {
			out[at], v.lastNonzero[at] = table.Missing, v.ring.last
		}
	}
}

// AtZero reports whether all averages of a member in the window are zero.
func (v *values) AtZero(member int) bool {
	return v.ring.last-v.lastNonzero[member] >= int64(len(v.ring.rows))
}

// Copy copies the values of the window that ends with the last step. It copies every member whose
// index i satisfies `from` ≤ i < `to`, one member after the other. The values of a member are in
// order of time.
func (v *values) Copy(dst []float64, from, to int) { v.ring.series(dst, from, to) }

// State writes or reads the values of all members. The axis has the names of the members.
func (v *values) State(c *state.Codec, members *state.Axis) {
	v.ring.state(c, members)
	v.mean.State(c, members)
	state.By(c, members, v.filled, state.Uint)
	if !c.Saving() {
		for at := range v.lastNonzero {
			v.lastNonzero[at] = v.ring.last // the state does not record when a member was last nonzero, so the last step is assumed
		}
	}
}

// This file keeps what the components of a lane measured over the last
// window: the smoothed values of one metric, and their load.
//
// It takes rows in time order. Steps that no row stands for are missing.

package persistence

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// values are the smoothed values of one metric over the last window. They are
// those of some components only: of a cluster's drives, interfaces and hosts a
// metric has a third.
type values struct {
	Members []int // components
	Loads   *loads
	Active  bool // only steps with load count for the average

	column int // of the metric in rows
	smooth int // steps that are averaged
	full   int // values that an average must have to count
	raw    []float64
	mean   *table.Smoother
	filled presence
	ring   *ring   // of averages
	moved  []int64 // by member: the last step in which its average was not zero
}

// shape says how values are averaged and kept.
type shape struct {
	Smooth  int // steps that are averaged
	WinSize int // steps that are kept
	Full    int // values that an average must have to count
}

// newValues returns the values of a column of rows for some components.
func newValues(column int, members []int, s shape) *values {
	n := len(members)
	return &values{
		Members: members, column: column, smooth: s.Smooth, full: s.Full,
		raw: make([]float64, n), moved: make([]int64, n), filled: make(presence, n),
		mean: table.NewSmoother(s.Smooth, n), ring: newRing(s.WinSize, n),
	}
}

// Restart forgets all rows; the next may be of any time.
func (v *values) Restart() {
	v.ring.restart()
	v.skip(v.smooth)
}

// skip passes over n steps without data.
func (v *values) skip(n int) {
	v.mean.Skip(n)
	v.filled.skip(n)
}

// Reach passes over the steps without data up to this one.
func (v *values) Reach(step int64) {
	if step <= v.ring.last {
		return
	}
	v.skip(int(min(step-v.ring.last, int64(v.smooth))))
	v.ring.reach(step)
	for at := range v.moved {
		v.moved[at] = step
	}
}

// Take takes the row of a step.
func (v *values) Take(step int64, row *table.Row) {
	v.Reach(step - 1)
	pick(v.raw, row.Values[v.column], v.Members)
	var active []float64
	if v.Active {
		active = v.Loads.ring.of(step)
	}
	out := v.ring.next(step)
	means := v.mean.Push(v.raw, active)
	for from := 0; from < len(means); from += table.RestBlock {
		if v.mean.RestedFor(from) <= len(v.ring.rows) || v.full > 0 { // else they are zero already
			to := min(from+table.RestBlock, len(means))
			v.put(step, from, out[from:to], means[from:to])
		}
	}
	v.dropPoor(out)
}

// put takes the averages of a step for the members from one on.
func (v *values) put(step int64, from int, out, means []float64) {
	moved := v.moved[from:][:len(means)]
	out = out[:len(means)]
	for i, mean := range means {
		if out[i] = mean; mean != 0 {
			moved[i] = step
		}
	}
}

// dropPoor makes averages of too few values missing.
func (v *values) dropPoor(out []float64) {
	if v.full == 0 {
		return
	}
	v.filled.push(v.raw)
	for at := range out {
		if v.filled.count(at, v.smooth) < v.full {
			out[at], v.moved[at] = table.Missing, v.ring.last
		}
	}
}

// AtZero says whether all averages of a member in the window are zero.
func (v *values) AtZero(member int) bool {
	return v.ring.last-v.moved[member] >= int64(len(v.ring.rows))
}

// Copy copies the window that ends with the last step, oldest first, for the
// members from one to another, one member after the other.
func (v *values) Copy(dst []float64, from, to int) { v.ring.series(dst, from, to) }

// State writes or reads the values of the members of an axis.
func (v *values) State(c *state.Codec, members *state.Axis) {
	v.ring.state(c, members)
	v.mean.State(c, members)
	state.By(c, members, v.filled, state.Uint)
	if !c.Saving() {
		for at := range v.moved {
			v.moved[at] = v.ring.last // no member is known to have been at zero
		}
	}
}

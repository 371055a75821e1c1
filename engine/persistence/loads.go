package persistence

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// loads holds the work of the components of a lane (the comparison by one metric). The work is
// measured by the load metric, which separates busy components from idle components. Lanes with the
// same load metric share one value of type loads.
type loads struct {
	Column  int // column of the metric in rows; -1 if the values of the lane are the load
	Members []int
	Sums    []float64 // by member: its work in the window of the last call of [loads.Sum]
	ring    *ring
}

// newLoads returns the loads of the members of v. If `column` is -1, the values in v are themselves
// the load.
func newLoads(column int, v *values) *loads {
	l := &loads{Column: column, Members: v.Members, ring: v.ring, Sums: make([]float64, len(v.Members))}
	if column >= 0 {
		l.ring = newRing(len(v.ring.rows), len(v.Members))
	}
	return l
}

// Restart deletes the loads of all rows.
func (l *loads) Restart() { l.ring.restart() }

// Take stores the loads of a row in the ring.
func (l *loads) Take(step int64, row *table.Row) {
	if l.Column >= 0 {
		copyMembers(l.ring.next(step), row.Values[l.Column], l.Members)
	}
}

// copyMembers copies the values of the members to dst.
func copyMembers(dst, values []float64, members []int) {
	for at, c := range members {
		dst[at] = values[c]
	}
}

// Sum computes the work of each member in the window that ends with the given step: the sum of the
// loads of its steps.
func (l *loads) Sum(step int64) {
	l.ring.advanceTo(step)
	clear(l.Sums)
	for _, row := range l.ring.rows {
		for at, v := range row {
			if !table.IsMissing(v) {
				l.Sums[at] += v
			}
		}
	}
}

// State writes or reads the loads of all members. The axis has the names of the members.
func (l *loads) State(c *state.Codec, members *state.Axis) { l.ring.state(c, members) }

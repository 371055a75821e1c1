package detect

import "github.com/limpet-storage/limpet/table"

// loads is what the members of a lane did, by the metric that tells a busy
// component from an idle one. Lanes of the same components share it.
type loads struct {
	column  int // of the metric, -1 where the lane's own values have to tell
	members []int
	ring    *ring
	sums    []float64 // by member, over the window being judged
}

// loadsOf gives the loads of a lane's windows: those of a lane before it, or
// new ones.
func (d *Detector) loadsOf(w *windows, column int) *loads {
	for _, l := range d.loads {
		if column >= 0 && l.column == column {
			return l
		}
	}
	l := &loads{column: column, members: w.members, ring: w.ring, sums: make([]float64, len(w.members))}
	if column >= 0 {
		l.ring = newRing(w.opts.WinSize, len(w.members))
	}
	d.loads = append(d.loads, l)
	return l
}

// take takes the row of a step.
func (l *loads) take(step int64, row *table.Row) {
	if l.column >= 0 {
		pick(l.ring.next(step), row.Values[l.column], l.members)
	}
}

// pick takes the values of the members.
func pick(dst, values []float64, members []int) {
	for at, c := range members {
		dst[at] = values[c]
	}
}

// sum adds up what every member did in the window that ends with a step.
func (l *loads) sum(step int64) {
	l.ring.reach(step)
	clear(l.sums)
	for _, row := range l.ring.rows {
		for at, v := range row {
			if !table.IsMissing(v) {
				l.sums[at] += v
			}
		}
	}
}

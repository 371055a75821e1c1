package detect

import (
	"math"

	"github.com/limpet-storage/limpet/table"
)

// windows turns the rows of one metric into windows: it smooths, and fills the
// steps that no row stands for with missing values. It takes those components
// alone that the lane's groups have: of a cluster's drives, interfaces and
// hosts a third.
type windows struct {
	opts    *Options
	metric  int
	members []int // components of the lane's groups, one group after the other
	loads   *loads
	active  bool // only steps with load count for the average
	values  []float64
	smooth  *table.Smoother
	filled  presence
	full    int     // values that an average must have to count
	ring    *ring   // of averages
	moved   []int64 // by member: the last step in which its average was not zero
}

func newWindows(l *lane) *windows {
	o := &l.opts
	w := &windows{opts: o, metric: l.column, full: int(math.Ceil(l.full * float64(o.Smooth)))}
	for _, g := range l.groups {
		w.members = append(w.members, g.members...)
	}
	n := len(w.members)
	w.values, w.moved = make([]float64, n), make([]int64, n)
	w.smooth, w.filled = table.NewSmoother(o.Smooth, n), make(presence, n)
	w.ring = newRing(o.WinSize, n)
	return w
}

// restart forgets all rows; the next may be of any time.
func (w *windows) restart() {
	w.ring.restart()
	w.skip(w.opts.Smooth)
}

// skip passes over n steps without data.
func (w *windows) skip(n int) {
	w.smooth.Skip(n)
	w.filled.skip(n)
}

// reach passes over the steps without data up to this one.
func (w *windows) reach(step int64) {
	if step <= w.ring.last {
		return
	}
	w.skip(int(min(step-w.ring.last, int64(w.opts.Smooth))))
	w.ring.reach(step)
	for at := range w.moved {
		w.moved[at] = step
	}
}

// take takes the row of a step.
func (w *windows) take(step int64, row *table.Row) {
	w.reach(step - 1)
	pick(w.values, row.Values[w.metric], w.members)
	var active []float64
	if w.active {
		active = w.loads.ring.of(step)
	}
	out := w.ring.next(step)
	for at, v := range w.smooth.Push(w.values, active) {
		if out[at] = v; v != 0 {
			w.moved[at] = step
		}
	}
	w.dropPoor(out)
}

// dropPoor makes averages of too few missing.
func (w *windows) dropPoor(out []float64) {
	if w.full == 0 {
		return
	}
	w.filled.push(w.values)
	for at := range out {
		if w.filled.count(at, w.opts.Smooth) < w.full {
			out[at], w.moved[at] = table.Missing, w.ring.last
		}
	}
}

// rests says whether all averages of a member in the window are zero.
func (w *windows) rests(member int) bool {
	return w.ring.last-w.moved[member] >= int64(w.opts.WinSize)
}

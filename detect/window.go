package detect

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/table"
)

// windows turns the rows of one metric into windows: it smooths, fills the
// steps that no row stands for with missing values, and stops at every
// multiple of WinShift, so that live and replayed streams agree on where
// windows end. It takes those components alone that the lane's groups have:
// of a cluster's drives, interfaces and hosts a third.
type windows struct {
	opts       *Options
	metric     int
	loadColumn int   // of the metric that is the load, -1 where it is this one
	active     bool  // only steps with load count for the average
	members    []int // components of the lane's groups, one group after the other
	values     []float64
	doing      []float64 // the load metric beside values
	smooth     *table.Smoother
	filled     presence
	full       int         // values that an average must have to count
	ring       [][]float64 // smoothed values by step modulo WinSize and member
	load       [][]float64 // the load metric beside them, or they themselves where there is none
	loads      []float64   // by member: the sum of the load over the window being judged
	heard      [][]bool    // by step and server: it sent data
	last       int64       // number of the last step taken, 0 before the first
}

func newWindows(l *lane, load, servers int) *windows {
	o := &l.opts
	w := &windows{
		opts: o, metric: l.column, loadColumn: load, active: l.metric.PerIO && !o.Literal,
		full: int(math.Ceil(l.full * float64(o.Smooth))),
	}
	for _, g := range l.groups {
		w.members = append(w.members, g.members...)
	}
	n := len(w.members)
	w.values, w.doing, w.loads = make([]float64, n), make([]float64, n), make([]float64, n)
	w.smooth, w.filled = table.NewSmoother(o.Smooth, n), make(presence, n)
	w.ring = missingRows(o.WinSize, n)
	if w.load = w.ring; load >= 0 {
		w.load = missingRows(o.WinSize, n)
	}
	for range o.WinSize {
		w.heard = append(w.heard, make([]bool, servers))
	}
	return w
}

func missingRows(steps, n int) [][]float64 {
	rows := make([][]float64, steps)
	for at := range rows {
		rows[at] = missingRow(n)
	}
	return rows
}

func missingRow(n int) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = table.Missing
	}
	return row
}

// restart forgets all rows; the next may be of any time.
func (w *windows) restart() {
	w.last = 0
	w.skip(w.opts.Smooth)
	for at := range w.ring {
		w.store(at, nil, nil, nil)
	}
}

// push takes a row and calls judge for every window that ends with it or
// with a step without data before it. A window that lies wholly in a gap is
// passed over.
func (w *windows) push(row *table.Row, heard []bool, judge func(step int64)) {
	step := row.End / w.opts.StepSeconds
	if w.last == 0 {
		w.last = step - 1
	}
	for gap := step - w.last - 1; gap > 0; gap = step - w.last - 1 {
		if gap > int64(w.opts.WinSize) && w.empty() {
			w.skip(w.opts.Smooth)
			w.last = step - 1
			break
		}
		w.skip(1)
		w.put(w.last+1, nil, nil, nil, judge)
	}
	var loads []float64
	if w.loadColumn >= 0 {
		loads = w.pick(w.doing, row.Values[w.loadColumn])
	}
	values := w.average(w.pick(w.values, row.Values[w.metric]), loads)
	w.put(step, values, loads, heard, judge)
}

// pick takes the values of the members.
func (w *windows) pick(dst, values []float64) []float64 {
	for at, c := range w.members {
		dst[at] = values[c]
	}
	return dst
}

// skip passes over n steps without data.
func (w *windows) skip(n int) {
	w.smooth.Skip(n)
	w.filled.skip(n)
}

// average smooths the values of a step. Averages of too few are missing.
func (w *windows) average(values, loads []float64) []float64 {
	if !w.active {
		loads = nil
	}
	out := w.smooth.Push(values, loads)
	if w.full == 0 {
		return out
	}
	w.filled.push(values)
	for at := range out {
		if w.filled.count(at, w.opts.Smooth) < w.full {
			out[at] = table.Missing
		}
	}
	return out
}

// put stores one step, missing where values is nil.
func (w *windows) put(step int64, values, loads []float64, heard []bool, judge func(step int64)) {
	w.store(int(step%int64(w.opts.WinSize)), values, loads, heard)
	w.last = step
	if step%int64(w.opts.WinShift) == 0 {
		judge(step)
	}
}

func (w *windows) store(at int, values, loads []float64, heard []bool) {
	fill(w.ring[at], values)
	if w.loadColumn >= 0 {
		fill(w.load[at], loads)
	}
	clear(w.heard[at])
	copy(w.heard[at], heard)
}

func fill(dst, values []float64) {
	if values != nil {
		copy(dst, values)
		return
	}
	for i := range dst {
		dst[i] = table.Missing
	}
}

// empty says whether the ring holds no value.
func (w *windows) empty() bool {
	for _, row := range w.ring {
		for _, v := range row {
			if v == v {
				return false
			}
		}
	}
	return true
}

// silent tells which servers sent nothing in the whole window. Their
// components are not missing: a server that is down takes its data with it
// (L13 §5.2.1).
func (w *windows) silent() []bool {
	silent := make([]bool, len(w.heard[0]))
	for s := range silent {
		silent[s] = !slices.ContainsFunc(w.heard, func(step []bool) bool { return step[s] })
	}
	return silent
}

// sumLoads adds up what every member did in the window.
func (w *windows) sumLoads() {
	clear(w.loads)
	for _, row := range w.load {
		for at, v := range row {
			if !table.IsMissing(v) {
				w.loads[at] += v
			}
		}
	}
}

// series copies the window that ends at step for one member, oldest first.
func (w *windows) series(dst []float64, step int64, member int) []float64 {
	oldest := int(step+1) % len(w.ring)
	for _, row := range w.ring[oldest:] {
		dst = append(dst, row[member])
	}
	for _, row := range w.ring[:oldest] {
		dst = append(dst, row[member])
	}
	return dst
}

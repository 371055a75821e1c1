package persistence

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/workers"
	"github.com/limpet-storage/limpet/topology"
)

// Detector judges the peer groups of a system by some of a stream's metrics.
type Detector struct {
	opts     Options
	system   *topology.System
	schema   table.Schema
	serverOf []int // by component; -1 where it has none
	heard    []bool
	heardAt  []int64 // by server: the last step for which it sent data
	lanes    []*lane
	loads    []*loads
	groups   []*group // of all lanes
	members  int      // of all groups
	last     int64    // number of the last step taken, 0 before the first
	workers  workers.Workers[*scratch]
}

// never is a step before all windows.
const never = math.MinInt64 / 2

// judge turns the scores of a window into verdicts. One judge has trained
// thresholds, the other a fence around the scores of the group itself.
type judge interface {
	// takesPart says whether member i is compared with the others.
	takesPart(g *group, i int) bool
	// judge sets state, reason and threshold of every member.
	judge(g *group, w *Window)
}

// New returns a detector of the given metrics of a stream. With a model its
// thresholds are used; without one the groups calibrate themselves, save where
// the options need a model.
func New(o Options, system *topology.System, schema table.Schema, metrics []string, model *Model) (*Detector, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if model == nil && o.NeedsModel() {
		return nil, fmt.Errorf("method %s needs a model: train one on runs without faults (limpet train --method %s)", o.Method, o.Method)
	}
	if model != nil {
		if err := model.fits(&o); err != nil {
			return nil, err
		}
	}
	d := &Detector{opts: o, system: system, schema: schema, workers: workers.New(func() *scratch { return newScratch(&o) })}
	d.serverOf, d.heard, d.heardAt = system.ServerOf(), make([]bool, len(system.Servers)), make([]int64, len(system.Servers))
	for _, name := range metrics {
		m := metric.Index(schema.Metrics, name)
		if m < 0 {
			return nil, fmt.Errorf("the data have no metric %q: use one of %s", name, metricNames(schema.Metrics))
		}
		if l := d.newLane(m, model); len(l.groups) > 0 {
			d.lanes, d.groups = append(d.lanes, l), append(d.groups, l.groups...)
			d.members += len(l.values.Members)
		}
	}
	d.restart()
	return d, nil
}

func metricNames(ms []metric.Metric) string {
	names := make([]string, len(ms))
	for i, m := range ms {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// Push takes the next row and hands every window that it completes to emit,
// in the order of windows, metrics and groups. A window is valid until emit
// returns.
func (d *Detector) Push(row *table.Row, emit func(*Window)) {
	d.push(row, func(_ *group, w *Window) { emit(w) })
}

func (d *Detector) push(row *table.Row, emit func(*group, *Window)) {
	step := row.End / d.opts.StepSeconds
	d.bridge(step, emit)
	for _, l := range d.loads {
		l.Take(step, row)
	}
	d.workers.Each(len(d.lanes), d.members, func(_ *scratch, at int) { d.lanes[at].values.Take(step, row) })
	d.hear(step, row)
	d.last = step
	d.finish(step, emit)
}

// bridge judges the windows that end between the last row and this one. A window
// that lies wholly in a gap is passed over.
func (d *Detector) bridge(step int64, emit func(*group, *Window)) {
	if d.last == 0 {
		return
	}
	for end := d.last + 1; end < min(step, d.last+int64(d.opts.WinSize)); end++ {
		d.finish(end, emit)
	}
}

// finish judges the windows that end with a step. Windows end at every multiple
// of WinShift, so that live and replayed streams agree.
func (d *Detector) finish(step int64, emit func(*group, *Window)) {
	if step%int64(d.opts.WinShift) != 0 {
		return
	}
	for _, l := range d.lanes {
		l.values.Reach(step)
	}
	for _, l := range d.loads {
		l.Sum(step)
	}
	d.workers.Each(len(d.groups), d.members*d.opts.WinSize, func(s *scratch, at int) { s.window(d, d.groups[at], step) })
	for _, g := range d.groups {
		if g.judged {
			emit(g, &g.window)
		}
	}
}

// hear notes who sent data for a step.
func (d *Detector) hear(step int64, row *table.Row) {
	row.HeardFrom(d.serverOf, d.heard)
	for s, heard := range d.heard {
		if heard {
			d.heardAt[s] = step
		}
	}
}

// silent tells whether the server of a component sent nothing in the whole
// window that ends at step. Its components are not missing: a server that is
// down takes its data with it (L13 §5.2.1).
func (d *Detector) silent(component int, step int64, winSize int) bool {
	s := d.serverOf[component]
	return s >= 0 && step-d.heardAt[s] >= int64(winSize)
}

// restart forgets all rows.
func (d *Detector) restart() {
	d.last = 0
	for s := range d.heardAt {
		d.heardAt[s] = never
	}
	for _, l := range d.loads {
		l.Restart()
	}
	for _, l := range d.lanes {
		l.values.Restart()
	}
	for _, g := range d.groups {
		clear(g.filters)
		clear(g.busy)
		clear(g.quiet)
	}
}

// largest is the largest score that the members of a lane can have.
func (d *Detector) largest(l *lane) float64 { return d.workers[0].measure(l).Largest() }

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

// Detector compares the members of a system's peer groups, window by window, by some metrics of a
// stream.
type Detector struct {
	opts       Options
	system     *topology.System
	schema     table.Schema
	serverOf   []int   // by component: its server; -1 if it has no server
	reports    []bool  // by server: whether it sent data for the present step
	reportedAt []int64 // by server: the last step for which it sent data
	lanes      []*lane
	loads      []*loads
	groups     []*group // groups of all lanes (a lane is the comparison by one metric): one entry for each peer group and metric
	members    int      // number of members of all groups
	last       int64    // number of the last step; 0 before the first step
	workers    workers.Workers[*scratch]
}

// beforeAllSteps is a step number that is lower than the number of any step.
const beforeAllSteps = math.MinInt64 / 2

// anomalyTest turns the scores of a window into states. It has two implementations:
// trained compares scores with trained thresholds, and fence computes the threshold from
// the scores of the group.
type anomalyTest interface {
	// takesPart reports whether member i is compared with the other members.
	takesPart(g *group, i int) bool
	// decide sets state, reason and threshold of every member.
	decide(g *group, w *Window)
}

// New returns a detector for the metrics of a stream with the given names. Thresholds come from the
// model. If the model is nil, the detector computes thresholds from the scores of each group. New
// returns an error if the options need a model and the model is nil.
func New(o Options, system *topology.System, schema table.Schema, metrics []string, model *Model) (*Detector, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if model == nil && o.NeedsModel() {
		return nil, fmt.Errorf("method %s needs a model: train a model on data without faults (limpet train --method %s)", o.Method, o.Method)
	}
	if model != nil {
		if err := model.checkSettings(&o); err != nil {
			return nil, err
		}
	}
	d := &Detector{opts: o, system: system, schema: schema, workers: workers.New(func() *scratch { return newScratch(&o) })}
	d.serverOf, d.reports, d.reportedAt = system.ServerOf(), make([]bool, len(system.Servers)), make([]int64, len(system.Servers))
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

// Push takes the next row, and calls the function `emit` for every window that the row completes,
// in the order of windows, metrics and groups. A window is valid until `emit` returns.
func (d *Detector) Push(row *table.Row, emit func(*Window)) {
	d.push(row, func(_ *group, w *Window) { emit(w) })
}

func (d *Detector) push(row *table.Row, emit func(*group, *Window)) {
	step := row.End / d.opts.StepSeconds
	d.finishBetween(step, emit)
	for _, l := range d.loads {
		l.Take(step, row)
	}
	d.workers.Each(len(d.lanes), d.members, func(_ *scratch, at int) { d.lanes[at].values.Take(step, row) })
	d.noteReports(step, row)
	d.last = step
	d.finish(step, emit)
}

// finishBetween completes the windows that end after the last row and before the new row. The
// parameter `step` is the step of the new row. finishBetween skips windows without any row.
func (d *Detector) finishBetween(step int64, emit func(*group, *Window)) {
	if d.last == 0 {
		return
	}
	for end := d.last + 1; end < min(step, d.last+int64(d.opts.WinSize)); end++ {
		d.finish(end, emit)
	}
}

// finish completes the windows that end with the given step. Windows end at every multiple of
// WinShift, so that live and replayed streams have the same windows.
func (d *Detector) finish(step int64, emit func(*group, *Window)) {
	if step%int64(d.opts.WinShift) != 0 {
		return
	}
	for _, l := range d.lanes {
		l.values.AdvanceTo(step)
	}
	for _, l := range d.loads {
		l.Sum(step)
	}
	d.workers.Each(len(d.groups), d.members*d.opts.WinSize, func(s *scratch, at int) { s.window(d, d.groups[at], step) })
	for _, g := range d.groups {
		if g.decided {
			emit(g, &g.window)
		}
	}
}

// noteReports records which servers sent data for a step.
func (d *Detector) noteReports(step int64, row *table.Row) {
	row.HeardFrom(d.serverOf, d.reports)
	for s, reports := range d.reports {
		if reports {
			d.reportedAt[s] = step
		}
	}
}

// silent reports whether the server of a component sent no data in the whole window that ends with
// the given step. The components of such a server do not count as gone, because a server that is down
// sends no data about its components (L13 §5.2.1).
func (d *Detector) silent(component int, step int64, winSize int) bool {
	s := d.serverOf[component]
	return s >= 0 && step-d.reportedAt[s] >= int64(winSize)
}

// restart deletes the values of all rows so far.
func (d *Detector) restart() {
	d.last = 0
	for s := range d.reportedAt {
		d.reportedAt[s] = beforeAllSteps
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

func (d *Detector) largest(l *lane) float64 { return d.workers[0].measure(l).Largest() }

package detect

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Detector judges the peer groups of a system by some of a stream's metrics.
type Detector struct {
	opts     Options
	system   *topology.System
	schema   table.Schema
	serverOf []int // by component; -1 where it has none
	heard    []bool
	lanes    []*lane
}

// judge turns the scores of a window into states and thresholds. Trained
// thresholds and the group's own spread are the two there are.
type judge interface {
	// takesPart says whether member i is one of those that are compared.
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
	d := &Detector{opts: o, system: system, schema: schema}
	d.serverOf, d.heard = system.ServerOf(), make([]bool, len(system.Servers))
	for _, name := range metrics {
		m := metric.Index(schema.Metrics, name)
		if m < 0 {
			return nil, fmt.Errorf("the data have no metric %q: use one of %s", name, metricNames(schema.Metrics))
		}
		if l := d.newLane(m, model); len(l.groups) > 0 {
			d.lanes = append(d.lanes, l)
		}
	}
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
// in the order of metrics, windows and groups. A window is valid until emit
// returns.
func (d *Detector) Push(row *table.Row, emit func(*Window)) {
	d.push(row, func(_ *group, w *Window) { emit(w) })
}

func (d *Detector) push(row *table.Row, emit func(*group, *Window)) {
	row.HeardFrom(d.serverOf, d.heard)
	for _, l := range d.lanes {
		l.windows.push(row, d.heard, func(step int64) {
			silent := l.windows.silent()
			l.windows.sumLoads()
			for _, g := range l.groups {
				d.window(g, step, silent, emit)
			}
		})
	}
}

// restart forgets all rows.
func (d *Detector) restart() {
	for _, l := range d.lanes {
		l.windows.restart()
		for _, g := range l.groups {
			clear(g.filters)
			clear(g.busy)
			clear(g.quiet)
		}
	}
}

// window judges one window of one group. Where the group has data for no more
// than half of the steps the window is passed over, and filter and
// accumulators stay as they were.
func (d *Detector) window(g *group, step int64, silent []bool, emit func(*group, *Window)) {
	d.gather(g, step, silent)
	o := &g.lane.opts
	if 2*g.scratch.steps <= o.WinSize {
		return
	}
	w := &g.scratch.window
	w.Group, w.Metric, w.Bins = g.index, g.lane.column, Bins{}
	w.Start, w.End = (step-int64(o.WinSize))*o.StepSeconds, step*o.StepSeconds
	for i, c := range g.members {
		w.Verdicts[i] = Verdict{Component: c, Median: g.scratch.facts[i].median, Peers: table.Missing}
	}
	g.score(w, step)
	g.judge.judge(g, w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		if v.State != Unjudged {
			v.Suspect = g.filters[i].Push(v.State == Anomalous, o.K)
		}
		g.remember(i, v)
	}
	emit(g, w)
}

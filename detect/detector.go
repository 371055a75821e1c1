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
	handful  float64
	serverOf []int // by component; -1 where it has none
	heard    []bool
	lanes    []*lane
}

// lane is one metric: its windows and the peer groups judged by it.
type lane struct {
	windows *windows
	groups  []*group
}

// group is the state of one peer group and metric.
type group struct {
	index   int
	members []int
	column  int // of the metric among the schema's
	metric  metric.Metric
	win     *windows
	measure Measure
	judge   judge
	filters []filter
	busy    []int // by member: windows in which it was busy,
	quiet   []int // and those in which it was idle and that was nothing odd
	scratch scratch
}

// scratch is what one window needs, reused from window to window.
type scratch struct {
	values  [][]float64
	facts   []facts
	sorted  []float64
	scores  []float64
	covered []int
	steps   int  // that any member has a value for
	idle    bool // no member did anything
	who     []int
	window  Window
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
// thresholds are used; without one the groups calibrate themselves.
func New(o Options, system *topology.System, schema table.Schema, metrics []string, model *Model) (*Detector, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if model != nil {
		if err := model.fits(&o); err != nil {
			return nil, err
		}
	}
	d := &Detector{opts: o, system: system, schema: schema, handful: handful(&o, &schema)}
	d.serverOf, d.heard = system.ServerOf(), make([]bool, len(system.Servers))
	for _, name := range metrics {
		m := metric.Index(schema.Metrics, name)
		if m < 0 {
			return nil, fmt.Errorf("the data have no metric %q: use one of %s", name, metricNames(schema.Metrics))
		}
		d.lanes = append(d.lanes, d.newLane(m, model))
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

// newLane sets up the groups that one metric is judged in. A group of fewer
// than three cannot be: of two that differ nobody can say which is odd.
func (d *Detector) newLane(m int, model *Model) *lane {
	s := &lane{windows: newWindows(&d.opts, m, d.schema.Components, len(d.heard), d.schema.Metrics[m].PerIO && !d.opts.Literal)}
	measure := newMeasure(&d.opts) // one for all groups: its scratch space is the largest there is
	for i := range d.system.Groups {
		members := d.system.Groups[i].Members
		if len(members) < topology.MinPeers {
			continue
		}
		g := &group{
			index: i, members: members, column: m, metric: d.schema.Metrics[m],
			win: s.windows, measure: measure,
			filters: make([]filter, len(members)), busy: make([]int, len(members)), quiet: make([]int, len(members)),
		}
		g.scratch.values = make([][]float64, len(members))
		g.scratch.facts = make([]facts, len(members))
		g.scratch.window.Verdicts = make([]Verdict, len(members))
		g.judge = newFence(d, g)
		if model != nil {
			g.judge = model.judge(d.system, g)
		}
		s.groups = append(s.groups, g)
	}
	return s
}

// Push takes the next row and hands every window that it completes to emit,
// in the order of metrics, windows and groups. A window is valid until emit
// returns.
func (d *Detector) Push(row *table.Row, emit func(*Window)) {
	d.push(row, func(_ *group, w *Window) { emit(w) })
}

func (d *Detector) push(row *table.Row, emit func(*group, *Window)) {
	row.HeardFrom(d.serverOf, d.heard)
	for _, s := range d.lanes {
		s.windows.push(row, d.schema.Load, d.heard, func(step int64) {
			silent := s.windows.silent()
			s.windows.sumLoads()
			for _, g := range s.groups {
				d.window(g, step, silent, emit)
			}
		})
	}
}

// window judges one window of one group. Where the group has data for no more
// than half of the steps the window is passed over, and filter and
// accumulators stay as they were.
func (d *Detector) window(g *group, step int64, silent []bool, emit func(*group, *Window)) {
	d.gather(g, step, silent)
	if 2*g.scratch.steps <= d.opts.WinSize {
		return
	}
	w := &g.scratch.window
	w.Group, w.Metric, w.Bins = g.index, g.column, Bins{}
	w.Start, w.End = (step-int64(d.opts.WinSize))*d.opts.StepSeconds, step*d.opts.StepSeconds
	for i, c := range g.members {
		w.Verdicts[i] = Verdict{Component: c, Median: g.scratch.facts[i].median, Peers: table.Missing}
	}
	d.score(g, w, step)
	g.judge.judge(g, w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		if v.State != Unjudged {
			v.Suspect = g.filters[i].push(v.State == Anomalous, d.opts.K)
		}
		g.remember(i, v)
	}
	emit(g, w)
}

// remember counts how often a member is busy and how often it rests.
func (g *group) remember(i int, v *Verdict) {
	switch f := &g.scratch.facts[i]; {
	case f.busy:
		g.busy[i]++
	case f.samples > 0 && v.Reason != Idle:
		g.quiet[i]++
	}
}

// score sets the scores of the members that take part.
func (d *Detector) score(g *group, w *Window, step int64) {
	s := &g.scratch
	var x Sample
	s.who = s.who[:0]
	for i := range g.members {
		if g.judge.takesPart(g, i) {
			s.who = append(s.who, i)
			x.Values = append(x.Values, s.values[i])
		}
	}
	if len(s.who) < topology.MinPeers {
		return
	}
	if d.opts.Literal || s.mostlyZero() {
		x.Noise = g.metric.Noise
	}
	x.Domains = domains(len(s.who), d.opts.Domain, d.opts.Seed, uint64(step))
	s.scores = grow(s.scores, len(s.who))
	w.Bins = g.measure.Score(&x, s.scores)
	for at, i := range s.who {
		w.Verdicts[i].Score = s.scores[at]
	}
}

// mostlyZero says whether at least half of those who take part are at zero
// most of the time, as the secondaries of Intrepid are.
func (s *scratch) mostlyZero() bool {
	zero, measured := 0, 0
	for _, i := range s.who {
		if f := &s.facts[i]; f.samples > 0 {
			measured++
			if f.median == 0 {
				zero++
			}
		}
	}
	return 2*zero >= measured
}

package detect

import (
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// lane is one metric: the approach to it, its windows, and the peer groups
// judged by it.
type lane struct {
	approach
	column  int // of the metric among the schema's
	metric  metric.Metric
	counts  bool    // the load counts requests
	handful float64 // a load below it is too little to judge by
	windows *windows
	groups  []*group
}

// group is the state of one peer group and metric.
type group struct {
	lane    *lane
	index   int
	members []int
	first   int // place of the first member in the lane's windows
	judge   judge
	filters []Filter
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

// newLane sets up the groups that one metric is judged in: those of what it is
// measured on. A group of fewer than three cannot be: of two that differ
// nobody can say which is odd.
func (d *Detector) newLane(m int, model *Model) *lane {
	l := &lane{column: m, metric: d.schema.Metrics[m]}
	l.approach = approachTo(l.metric, d.opts)
	load := loadOf(&d.schema, l.metric)
	if l.counts = load >= 0 && d.schema.Metrics[load] == metric.TPS; l.counts {
		l.handful = d.opts.MinIOs
	}
	first := 0
	for i := range d.system.Groups {
		if g := &d.system.Groups[i]; len(g.Members) >= topology.MinPeers && subject(d.system, g) == l.metric.Subject {
			l.groups = append(l.groups, d.newGroup(l, i, first, model))
			first += len(g.Members)
		}
	}
	l.windows = newWindows(l, load, len(d.heard))
	return l
}

// subject is what the members of a group are to a metric.
func subject(s *topology.System, g *topology.PeerGroup) metric.Subject {
	switch s.Components[g.Members[0]].Kind {
	case topology.Interface:
		return metric.OfInterface
	case topology.Host:
		return metric.OfHost
	}
	return metric.OfDevice
}

// loadOf gives the place of the metric that tells a busy component from an
// idle one among those that m is measured on, -1 where m itself has to.
func loadOf(s *table.Schema, m metric.Metric) int {
	if s.Load >= 0 && s.Metrics[s.Load].Subject == m.Subject {
		return s.Load
	}
	return -1
}

func (d *Detector) newGroup(l *lane, index, first int, model *Model) *group {
	members := d.system.Groups[index].Members
	g := &group{
		lane: l, index: index, members: members, first: first,
		filters: make([]Filter, len(members)), busy: make([]int, len(members)), quiet: make([]int, len(members)),
	}
	g.scratch.values = make([][]float64, len(members))
	g.scratch.facts = make([]facts, len(members))
	g.scratch.window.Verdicts = make([]Verdict, len(members))
	g.judge = newFence(d, g)
	if model != nil {
		g.judge = model.judge(d.system, g)
	}
	return g
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
func (g *group) score(w *Window, step int64) {
	s, o := &g.scratch, &g.lane.opts
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
	if o.Literal || s.mostlyZero() {
		x.Noise = g.lane.metric.Noise
	}
	x.Domains = domains(len(s.who), o.Domain, o.Seed, uint64(step))
	s.scores = grow(s.scores, len(s.who))
	w.Bins = g.lane.measure.Score(&x, s.scores)
	for at, i := range s.who {
		if s.facts[i].scored = !table.IsMissing(s.scores[at]); s.facts[i].scored {
			w.Verdicts[i].Score = s.scores[at]
		}
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

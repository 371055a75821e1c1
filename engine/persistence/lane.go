package persistence

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// lane is one metric: the approach to it, its values, and the peer groups
// judged by it.
type lane struct {
	approach
	column         int // of the metric among the schema's
	metric         metric.Metric
	countsRequests bool    // the load metric counts requests
	minLoad        float64 // a load below it is too little to judge by
	values         *values
	groups         []*group
}

// group is the state of one peer group and metric.
type group struct {
	lane    *lane
	index   int
	members []int
	first   int // place of the first member among the lane's
	judge   judge
	filters []Filter
	busy    []int // by member: windows in which it was busy
	quiet   []int // by member: windows in which it was idle, and that was not odd

	// Of the last window:
	facts  []facts
	steps  int  // that any member has a value for
	idle   bool // no member did anything
	judged bool // it was not passed over
	window Window
}

// newLane sets up the groups that one metric is judged in: those of what it is
// measured on. A group of fewer than three is not judged: of two that differ
// nobody can say which is odd.
func (d *Detector) newLane(m int, model *Model) *lane {
	l := &lane{column: m, metric: d.schema.Metrics[m]}
	l.approach = approachTo(l.metric, d.opts)
	load := loadColumn(&d.schema, l.metric)
	if l.countsRequests = load >= 0 && d.schema.Metrics[load] == metric.TPS; l.countsRequests {
		l.minLoad = d.opts.MinIOs
	}
	var members []int
	for i := range d.system.Groups {
		if g := &d.system.Groups[i]; len(g.Members) >= topology.MinPeers && subject(d.system, g) == l.metric.Subject {
			l.groups = append(l.groups, d.newGroup(l, i, len(members), model))
			members = append(members, g.Members...)
		}
	}
	l.values = newValues(m, members, l.shape())
	l.values.Loads = d.sharedLoads(l.values, load)
	l.values.Active = load >= 0 && l.metric.PerIO && !l.opts.Literal
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

// loadColumn returns the column of the metric that tells a busy component from an
// idle one, among what m is measured on. It returns -1 where m itself has to.
func loadColumn(s *table.Schema, m metric.Metric) int {
	if s.Load >= 0 && s.Metrics[s.Load].Subject == m.Subject {
		return s.Load
	}
	return -1
}

// sharedLoads returns the loads of a lane's values. Lanes with the same load metric
// share them.
func (d *Detector) sharedLoads(v *values, column int) *loads {
	for _, l := range d.loads {
		if column >= 0 && l.Column == column {
			return l
		}
	}
	l := newLoads(column, v)
	d.loads = append(d.loads, l)
	return l
}

func (d *Detector) newGroup(l *lane, index, first int, model *Model) *group {
	members := d.system.Groups[index].Members
	g := &group{
		lane: l, index: index, members: members, first: first,
		filters: make([]Filter, len(members)), busy: make([]int, len(members)), quiet: make([]int, len(members)),
	}
	g.facts, g.window.Verdicts = make([]facts, len(members)), make([]Verdict, len(members))
	g.judge = newFence(d, g)
	if model != nil {
		g.judge = model.judge(d.system, g)
	}
	return g
}

// remember counts how often a member is busy and how often it rests.
func (g *group) remember(i int, v *Verdict) {
	switch f := &g.facts[i]; {
	case f.busy:
		g.busy[i]++
	case f.samples > 0 && v.Reason != Idle:
		g.quiet[i]++
	}
}

package persistence

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// lane holds what the comparison by one metric needs: the method (approach), the values of the
// metric, and the peer groups.
type lane struct {
	approach
	column         int // index of the metric in the schema
	metric         metric.Metric
	countsRequests bool    // the load metric counts requests
	minLoad        float64 // smallest load at which a member is compared
	values         *values
	groups         []*group
}

// group holds the data of one peer group and metric from window to window.
type group struct {
	lane    *lane
	index   int // index of the peer group in the system
	members []int
	first   int // index of the first member among the lane's members
	test    anomalyTest
	filters []Filter
	busy    []int // by member: number of windows in which it had work
	quiet   []int // by member: number of windows in which it was idle, and this was normal

	// The following fields describe the last window:
	observations []observation
	steps        int  // steps in which any member has a value
	idle         bool // no member had work
	decided      bool // the group had data in enough steps, so its members were compared
	window       Window
}

// newLane returns the lane of a metric, which holds what the comparison by this metric needs. It
// has the peer groups of the components on which the metric is measured. Groups with fewer than
// three members are left out: if two members differ, it is unknown which of them is slow.
func (d *Detector) newLane(m int, model *Model) *lane {
	l := &lane{column: m, metric: d.schema.Metrics[m]}
	l.approach = approachOf(l.metric, d.opts)
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

// subject returns the subject (device, interface or host) of the metrics that are measured on the
// members of a group.
func subject(s *topology.System, g *topology.PeerGroup) metric.Subject {
	switch s.Components[g.Members[0]].Kind {
	case topology.Interface:
		return metric.SubjectInterface
	case topology.Host:
		return metric.SubjectHost
	}
	return metric.SubjectDevice
}

// loadColumn returns the column of the load metric for the kind of component on which m is
// measured. The load metric separates busy components from idle components. loadColumn returns -1
// if this kind has no load metric. The values of m then serve as the load.
func loadColumn(s *table.Schema, m metric.Metric) int {
	if s.Load >= 0 && s.Metrics[s.Load].Subject == m.Subject {
		return s.Load
	}
	return -1
}

// sharedLoads returns the loads of the members of a lane (the comparison by one metric). Lanes with
// the same load metric share one value of type loads.
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
	g.observations, g.window.Verdicts = make([]observation, len(members)), make([]Verdict, len(members))
	g.test = newFence(d, g)
	if model != nil {
		g.test = model.testOf(d.system, g)
	}
	return g
}

// remember counts the windows in which a member is busy, and the windows in which it is idle
// without an anomaly.
func (g *group) remember(i int, v *Verdict) {
	switch f := &g.observations[i]; {
	case f.busy:
		g.busy[i]++
	case f.samples > 0 && v.Reason != Idle:
		g.quiet[i]++
	}
}

package persistence

import (
	"encoding/json"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the state of the detector. A detector that continues from a saved state
// returns the same windows as the detector that wrote the state. The windows are identical to the
// last bit.
//
// The topology may have changed between writing and reading. In a saved state, components and
// servers are identified by their names. New members of a group, new groups and new metrics start
// empty. Removed members, groups and metrics are skipped.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	if !c.Saving() {
		d.restart()
	}
	d.settings(c)
	if state.Int(c, &d.last); d.last < 0 {
		c.Failf("the saved state is damaged: it has a time before 1970; start without the saved state")
		d.last = 0
	}
	state.By(c, axes.Servers, d.reportedAt, state.Int)
	state.ByName(c, d.countedLoads(), d.loadName, func(l *loads) { d.loadState(c, axes, l) })
	state.ByName(c, d.lanes, laneName, func(l *lane) { d.laneState(c, axes, l) })
}

// settings reports an error if the state was saved with other options. The windows and averages of
// such a state have other lengths or another meaning, so this detector cannot continue them.
func (d *Detector) settings(c *state.Codec) {
	now, err := json.Marshal(d.opts)
	if err != nil {
		c.Failf("the settings of the detectors cannot be saved: %v", err)
	}
	was := string(now)
	if state.Text(c, &was); was != string(now) {
		c.Failf("the saved state was written with other settings of the detectors: use the same settings, or start without the saved state")
	}
}

// countedLoads returns the loads that have a separate load metric. All other loads are the values
// of a lane (the comparison by one metric), and the lane saves these values.
func (d *Detector) countedLoads() []*loads {
	var list []*loads
	for _, l := range d.loads {
		if l.Column >= 0 {
			list = append(list, l)
		}
	}
	return list
}

func (d *Detector) loadName(l *loads) string { return d.schema.Metrics[l.Column].Name }

func (d *Detector) loadState(c *state.Codec, axes *blame.Axes, l *loads) {
	if l == nil { // the metric no longer exists
		l = newLoads(0, d.blankLane(false).values)
	}
	l.State(c, c.Sub(axes.Components, l.Members))
}

func laneName(l *lane) string { return l.metric.Name }

func (d *Detector) laneState(c *state.Codec, axes *blame.Axes, l *lane) {
	known := l != nil
	bySeries := known && l.bySeries
	if c.Bool(&bySeries); !known {
		l = d.blankLane(bySeries)
	}
	if l.bySeries != bySeries {
		c.Failf("the saved state was written with other rules for metric %s: start without the saved state", l.metric.Name)
		return
	}
	l.values.State(c, c.Sub(axes.Components, l.values.Members))
	name := func(g *group) string { return d.system.Groups[g.index].Name }
	state.ByName(c, l.groups, name, func(g *group) { g.state(c, axes) })
}

// blankLane returns a lane (the comparison by one metric) without groups. If a metric in a saved
// state is not compared any more, its part of the state is read into this lane and dropped.
func (d *Detector) blankLane(bySeries bool) *lane {
	l := &lane{approach: approach{opts: d.opts}}
	if bySeries {
		l.approach = timeSeries(d.opts)
	}
	l.values = newValues(0, nil, l.shape())
	return l
}

// state writes or reads the state of a group. If g is nil, the group does not exist any more: state
// reads its part of the saved state and drops it.
func (g *group) state(c *state.Codec, axes *blame.Axes) {
	if g == nil {
		g = &group{}
	}
	members := c.Sub(axes.Components, g.members)
	state.By(c, members, g.filters, state.Uint)
	state.By(c, members, g.busy, state.Int)
	state.By(c, members, g.quiet, state.Int)
}

// VerdictState writes or reads a Verdict, the result of comparing one component with its peers.
func VerdictState(c *state.Codec, axes *blame.Axes, v *Verdict) {
	axes.Components.Index(c, &v.Component)
	state.Uint(c, &v.State)
	state.Uint(c, &v.Reason)
	c.Float(&v.Score)
	c.Float(&v.Threshold)
	c.Float(&v.Median)
	c.Float(&v.Peers)
	c.Bool(&v.Suspect)
	if v.State > Unjudged || v.Reason >= numReasons {
		c.Failf("the saved state has a verdict that this version of limpet does not know: start without the saved state")
		v.State, v.Reason = Unjudged, NoReason
	}
}

package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Detector compares the latency of every component with the latency of its peers, step by step. The
// lead metric of the rows measures latency. The caller passes each row to Row and then calls Tick.
// After a tick the caller calls Findings. At the end of a window the caller passes the verdicts
// about the lead metric to Window, and then calls End.
type Detector struct {
	opts                             Options
	criteria                         criteria.Options
	localise                         LocalisationOptions
	facts                            *window.Facts
	paths                            *path.Detector
	monitor                          *evidence.Monitor
	step                             int64        // seconds between rows
	stallLatency                     float64      // a latency of at least this value is not compared: package stall reports it, even if only one component stalls
	comparable                       []bool       // by peer group: whether it has enough drives or paths for a comparison
	keepLoad, keepRecent, keepSteady float64      // weight of the old average when a step is added, for the load, for the slowness over minutes, and for the slowness over hours
	suspectEvidence                  float64      // evidence that makes a suspect, in nats
	incidentEvidence                 float64      // evidence that an incident needs, in nats
	lastTick                         int64        // Unix time of the last tick
	minutes                          window.Ticks // determines when a minute ends: the size of slowness is measured over whole minutes

	roles           []role                // by component: with which components it is compared
	courses         []course              // by component: its averages and sums
	idle            []bool                // by component: whether its average load is 0
	groups          []groupStep           // by peer group: its medians in this step
	ownWorkLatency  []float64             // by server: median latency of the paths that carry its own work; missing without such paths
	leadComparisons []persistence.Verdict // comparisons by the lead metric in the window that ends
	members         []memberStep          // members of the group that is being compared, in this step
	latencies       quantile.Middle       // the middle of the latencies of `members`
	sorted          []float64
}

// role determines with which components a component is compared.
type role uint8

const (
	withPeers role = iota // the component is compared with the peers of its group
	takeover              // the component has taken over its LUN: it is compared with the peers of the first path to the LUN
	leftOut               // the component is not compared
)

// New returns a detector before its first row. The parameter `step` is the number of seconds
// between rows. A latency of stallLatency or more is not compared, because package stall reports it
// even if no other component stalls.
func New(o Options, shared criteria.Options, e evidence.Options, l LocalisationOptions, f *window.Facts, p *path.Detector, step int64, stallLatency float64) *Detector {
	n := len(f.System.Components)
	d := &Detector{
		opts: o, criteria: shared, localise: l, facts: f, paths: p, monitor: evidence.New(e, shared, n, len(f.System.Groups), step), step: step, stallLatency: stallLatency,
		roles: make([]role, n), courses: make([]course, n), idle: make([]bool, n), groups: make([]groupStep, len(f.System.Groups)),
		ownWorkLatency: make([]float64, len(f.System.Servers)),
	}
	d.suspectEvidence, d.incidentEvidence = shared.Evidence(len(f.Attachments), step)
	d.keepLoad, d.keepRecent = keepWeight(float64(shared.TickSteps)), keepWeight(recentTicks*float64(shared.TickSteps))
	d.keepSteady = keepWeight(float64(shared.SameCauseSeconds) / float64(step))
	d.comparable = f.Comparable()
	d.minutes = window.NewTicks(window.MinuteSeconds, step)
	for _, c := range f.Attachments {
		if f.IsStandby(c) {
			d.roles[c] = leftOut // a standby path is not compared before the end of the first window
		}
	}
	return d
}

// recentTicks is the half-life, in ticks, of the moving average that is taken as a component's
// current slowness.
const recentTicks = 2

// keepWeight returns the weight of the old value when a step is added to a moving average. The
// parameter `steps` is the half-life of the average, in steps.
func keepWeight(steps float64) float64 { return math.Exp2(-1 / steps) }

// Window stores the verdicts of a peer group until End is called. The caller passes only windows of
// the lead metric, which measures latency.
func (d *Detector) Window(w *persistence.Window) {
	d.leadComparisons = append(d.leadComparisons, w.Verdicts...)
}

// End sets the role of each component until the next window ends. The role determines the
// components with which this component is compared. If a server's own work explains why a path
// looks different from its peers, the path is not compared. If a path took over the load of a lost
// path, it is busy and its peers are idle. So it is compared with the group of the lost path.
func (d *Detector) End() {
	d.measureOwnWork()
	for i := range d.leadComparisons {
		v := &d.leadComparisons[i]
		d.roles[v.Component] = d.role(v)
	}
	d.leadComparisons = d.leadComparisons[:0]
}

// role returns the role of a component from its verdict in the last window.
func (d *Detector) role(v *persistence.Verdict) role {
	c := v.Component
	switch {
	case d.facts.IsStandby(c) && d.facts.Conditions[c] != window.Serving && d.facts.Conditions[c] != window.Working, d.paths.Lost(c):
		return leftOut
	case d.paths.TookOverRecently(c) && d.paths.TookOver(c):
		return takeover
	case d.paths.TookOverRecently(c), d.mayHaveTakenOver(c), d.isOwnWork(v):
		return leftOut
	}
	return withPeers
}

// mayHaveTakenOver reports whether a path may have taken over its LUN: it is a standby path, and
// the first path to the LUN does not serve the LUN. Package path may not yet have decided whether
// the first path is lost.
func (d *Detector) mayHaveTakenOver(c int) bool {
	lun := d.facts.LUNOf[c]
	return d.facts.IsStandby(c) && lun >= 0 && d.facts.Moved[lun] != 0
}

// Comparable reports whether a component has enough peers for a comparison.
func (d *Detector) Comparable(c int) bool { return d.comparable[d.facts.GroupOf(c)] }

// Judged reports whether the latency of a component was compared since the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].compared }

// Forget deletes the averages and sums (course) and the evidence of a component.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c] = course{minute: d.courses[c].minute, compared: d.courses[c].compared}
}

// PlaceIfAlone returns the place to blame for a slow component if no other component is slow for
// the same reason. If a path took over the load of a lost path, its LUN is the place to blame.
func (d *Detector) PlaceIfAlone(c int) blame.Place {
	if d.paths.TookOverRecently(c) {
		return blame.Place{Tier: blame.LUN, Name: d.facts.Component(c).LUN}
	}
	return d.facts.PlaceIfAlone(c)
}

// measureOwnWork sets ownWorkLatency from the verdicts of the window.
func (d *Detector) measureOwnWork() {
	all := make([][]float64, len(d.ownWorkLatency))
	for i := range d.leadComparisons {
		v := &d.leadComparisons[i]
		if s := d.facts.ServerOf[v.Component]; d.facts.Conditions[v.Component] == window.Working && v.Median > 0 {
			all[s] = append(all[s], v.Median)
		}
	}
	for s := range d.ownWorkLatency {
		d.ownWorkLatency[s] = quantile.Median(all[s])
	}
}

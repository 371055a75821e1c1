package slow

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Detector follows the latency of every component, step by step.
type Detector struct {
	opts                             Options
	smallest                         float64 // times slower than its peers that matter
	localise                         LocalisingOptions
	facts                            *window.Facts
	paths                            *path.Detector
	monitor                          *evidence.Monitor
	step                             int64   // seconds from row to row
	still                            float64 // latency from which on a component stands still
	judges                           []bool  // by peer group: it holds drives or paths, and enough of them
	keepLoad, keepRecent, keepSteady float64 // what a step leaves of the averages
	told                             float64 // nats that make a suspect
	sure                             float64 // nats that an incident needs
	ticked                           int64   // end of the last row that was summed up

	roles   []role                // by component: how it takes part, since the last window
	courses []course              // by component
	rests   []bool                // by component: it is known to have had no load; for most it stays so
	groups  []pulse               // by peer group: what its members do in a step
	own     []float64             // by server: median latency of the paths that it works for itself through; missing where there are none
	heard   []persistence.Verdict // on the lead metric, of the window that is to end
	values  []value               // of the step, by member of the group at hand
	sorted  []float64
}

// role is how a component takes part in the comparison.
type role uint8

const (
	counted role = iota // with the peers of its group
	heir                // with those that it stands in for
	leftOut             // not at all
)

// New returns a detector that has seen nothing. Step is how many seconds the
// rows have. A latency of still or more stands still and is not slow: that is for
// another detector to tell.
func New(o Options, e evidence.Options, l LocalisingOptions, f *window.Facts, p *path.Detector, step int64, still float64) *Detector {
	n := len(f.System.Components)
	d := &Detector{
		opts: o, smallest: e.SmallestTimes, localise: l, facts: f, paths: p, monitor: evidence.New(e, n, len(f.System.Groups)), step: step, still: still,
		roles: make([]role, n), courses: make([]course, n), rests: make([]bool, n), groups: make([]pulse, len(f.System.Groups)),
		own: make([]float64, len(f.System.Servers)),
	}
	d.told, d.sure = o.nats(len(f.Watched), step)
	d.keepLoad, d.keepRecent = keep(o.LoadSteps), keep(o.RecentSteps)
	d.keepSteady = keep(o.SteadySeconds / float64(step))
	d.judges = f.Comparable()
	for _, c := range f.Watched {
		if f.Standby(c) {
			d.roles[c] = leftOut // until a window has shown what it does
		}
	}
	return d
}

// Window takes what detection says of the lead metric of a peer group, and keeps it
// until the window ends for all.
func (d *Detector) Window(w *persistence.Window) {
	d.heard = append(d.heard, w.Verdicts...)
}

// End settles how components take part until the next window ends. A path that
// is passed by in favour of a server's own work looks different and is not slow
// for that; one that took over is busy among the idle, and is compared with the
// group that it stands in for.
func (d *Detector) End() {
	d.measureOwnWork()
	for i := range d.heard {
		v := &d.heard[i]
		d.roles[v.Component] = d.role(v)
	}
	d.heard = d.heard[:0]
}

func (d *Detector) role(v *persistence.Verdict) role {
	c := v.Component
	switch {
	case d.facts.Standby(c) && d.facts.Now[c] != window.Serving && d.facts.Now[c] != window.Working, d.paths.Lost(c):
		return leftOut
	case d.paths.Excused(c) && d.paths.TookOver(c):
		return heir
	case d.paths.Excused(c), d.mayStandIn(c), d.excused(v):
		return leftOut
	}
	return counted
}

// mayStandIn says whether a standby path is busy while the first path to its LUN is
// not: it carries what another has lost, and whether that is so is not known yet.
func (d *Detector) mayStandIn(c int) bool {
	lun := d.facts.LUNOf[c]
	return d.facts.Standby(c) && lun >= 0 && d.facts.Moved[lun] != 0
}

// Judged says whether the latency of a component could be judged since the last
// tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].isJudged }

// Forget begins anew with a component.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c] = course{isJudged: d.courses[c].isJudged}
}

// Alone is the place to blame for a component that nothing else is odd with.
// What a path that took over shows is its LUN's doing.
func (d *Detector) Alone(c int) blame.Place {
	if d.paths.Excused(c) {
		return blame.Place{Tier: blame.LUN, Name: d.facts.Of(c).LUN}
	}
	return d.facts.Alone(c)
}

// measureOwnWork sets how long servers wait in work of their own.
func (d *Detector) measureOwnWork() {
	all := make([][]float64, len(d.own))
	for i := range d.heard {
		v := &d.heard[i]
		if s := d.facts.ServerOf[v.Component]; d.facts.Now[v.Component] == window.Working && v.Median > 0 {
			all[s] = append(all[s], v.Median)
		}
	}
	for s := range d.own {
		d.own[s] = quantile.Median(all[s])
	}
}

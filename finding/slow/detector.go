package slow

import (
	"math"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/finding/path"
	"github.com/limpet-storage/limpet/localise"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/quantile"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/window"
)

// Detector grades the latency of every component.
type Detector struct {
	opts     Options
	localise localise.Options
	confirm  float64 // nat-hours that make an incident
	facts    *window.Facts
	paths    *path.Detector
	k        int
	grades   []grade          // by component
	heard    []judgedWindow   // of the window that is to end
	own      []float64        // by server: median latency of the paths that it works for itself through; missing where there are none
	also     [][]int          // by component: other metrics in which it is suspect, ascending
	spare    []detect.Verdict // room for verdicts of heard
}

// judgedWindow is what detection said of a group.
type judgedWindow struct {
	group      int
	start, end int64
	verdicts   []detect.Verdict
}

// New returns a detector that has seen nothing. Confirm is how many nat-hours
// make an incident.
func New(o Options, l localise.Options, confirm float64, f *window.Facts, p *path.Detector, k int) *Detector {
	n := len(f.System.Components)
	return &Detector{
		opts: o, localise: l, confirm: confirm, facts: f, paths: p, k: k,
		grades: make([]grade, n), own: make([]float64, len(f.System.Servers)), also: make([][]int, n),
	}
}

// Window takes what detection says of a peer group and metric, and keeps it
// until the window ends for all.
func (d *Detector) Window(w *detect.Window) {
	if w.Metric != d.facts.Lead {
		d.note(w)
		return
	}
	from := len(d.spare)
	d.spare = append(d.spare, w.Verdicts...)
	d.heard = append(d.heard, judgedWindow{w.Group, w.Start, w.End, d.spare[from:]})
}

// End grades every component whose latency can be judged. A path that is passed
// by in favour of a server's own work looks different and is not slow for that;
// one that took over is busy among the idle, and is compared with the group that
// it stands in for.
func (d *Detector) End() {
	d.owns()
	for c := range d.grades {
		d.grades[c].isJudged = false
	}
	for i := range d.heard {
		w := &d.heard[i]
		for j := range w.verdicts {
			d.judge(w, &w.verdicts[j])
		}
	}
	d.heard, d.spare = d.heard[:0], d.spare[:0]
}

func (d *Detector) judge(w *judgedWindow, v *detect.Verdict) {
	c := v.Component
	switch {
	case d.facts.Standby(c) && d.facts.Now[c] == window.Resting:
		d.grades[c].rest()
	case d.paths.Lost(c):
	case d.paths.Excused(c):
		d.judgeHeir(w, c, v.Median)
	case v.State != detect.Unjudged && v.Reason != detect.Gone && v.Reason != detect.Idle:
		d.count(w, v, w.group)
	}
}

// judgeHeir compares a path that took over with the peers of the first path to
// its LUN.
func (d *Detector) judgeHeir(w *judgedWindow, c int, median float64) {
	group := d.facts.GroupOf(d.facts.First(d.facts.LUNOf[c]))
	peers := d.facts.Groups[group].Usual
	if d.facts.Now[c] != window.Serving || !d.paths.TookOver(c) || !(peers > 0) || !(median > 0) {
		return
	}
	v := detect.Verdict{Component: c, Median: median, Peers: peers}
	if median >= d.opts.HeirTimes*peers {
		v.State, v.Reason = detect.Anomalous, detect.Differs
	}
	d.count(w, &v, group)
}

// count grades a verdict, unless it is excused. Trained thresholds know of no
// peers: then the median of the group tells whether a component differs by being
// slower. Group is the one that the component is compared with.
func (d *Detector) count(w *judgedWindow, v *detect.Verdict, group int) {
	if d.excused(v) {
		return
	}
	odd, peers := v.State == detect.Anomalous, v.Peers
	if table.IsMissing(peers) && v.Reason == detect.Differs {
		peers = d.facts.Groups[group].Usual
		odd = odd && !(v.Median <= peers)
	}
	load := d.facts.Load(v.Component, group)
	times := d.times(v, peers) / d.queueTimes(group, load)
	s := sample{start: w.start, end: w.end, odd: odd, times: max(times, 1), load: load, own: v.Median, peers: peers}
	d.grades[v.Component].count(&s, d.k, d.facts.Begin)
}

// times is how many times slower than its peers a component is. Beside peers
// that are at zero, noise is what it is measured by, and with trained
// thresholds, which know of no peers, the threshold.
func (d *Detector) times(v *detect.Verdict, peers float64) float64 {
	noise, times := d.facts.LeadMetric.Noise, 1.0
	switch {
	case v.Reason != detect.Differs || table.IsMissing(v.Median):
	case peers > 0:
		times = v.Median / peers
	case !table.IsMissing(peers) && noise > 0:
		times = v.Median / noise
	case v.Threshold > 0:
		times = v.Score / v.Threshold
	}
	return min(max(times, 1), d.opts.MostTimes)
}

// queueTimes is how many times slower a component is for a little more load than
// its peers have, by the M/M/1 queue (docs/method.md, Queues). Where the peers
// take L, and L0 when there is little to do, they are busy for ρ = 1 − L0/L of
// the time, and l times their load takes (1−ρ)/(1−lρ) times as long. Far more
// load is no excuse but a reason.
func (d *Detector) queueTimes(group int, load float64) float64 {
	g := &d.facts.Groups[group]
	if !(g.Usual > 0) || !(g.Light > 0) || load <= 1 || load >= d.opts.ImbalanceTimes {
		return 1
	}
	busy := min(1-g.Light/g.Usual, d.opts.MostBusyShare)
	return (1 - busy) / max(1-load*busy, 1-d.opts.MostBusyShare)
}

// Judged says whether the latency of a component could be judged in this window.
func (d *Detector) Judged(c int) bool { return d.grades[c].isJudged }

// Forget begins anew with a component.
func (d *Detector) Forget(c int) { d.grades[c].reset() }

// Alone is the place to blame for a component that nothing else is odd with.
// What a path that took over shows is its LUN's doing.
func (d *Detector) Alone(c int) place.Place {
	if d.paths.Excused(c) {
		return place.Place{Tier: place.LUN, Name: d.facts.Of(c).LUN}
	}
	return d.facts.Alone(c)
}

// owns are what servers wait for in work of their own.
func (d *Detector) owns() {
	all := make([][]float64, len(d.own))
	for i := range d.heard {
		for j := range d.heard[i].verdicts {
			v := &d.heard[i].verdicts[j]
			if s := d.facts.ServerOf[v.Component]; d.facts.Now[v.Component] == window.Working && v.Median > 0 {
				all[s] = append(all[s], v.Median)
			}
		}
	}
	for s := range d.own {
		d.own[s] = quantile.Median(all[s])
	}
}

// natHours is how much one component amounts to.
func (d *Detector) natHours(c int, logTimes float64) float64 {
	return finding.NatHours(d.grades[c].windows, d.facts.ShiftSeconds, logTimes)
}

// hit says whether what was hardly slow is now far slower than it was.
func (d *Detector) hit(c int) bool {
	g, far := &d.grades[c], math.Log(d.opts.HitTimes)
	return g.slowness() < far && math.Log(max(g.times, 1)) >= g.slowness()+far
}

// loaded says whether a component is slow for its load.
func (d *Detector) loaded(c int) bool { return d.grades[c].load() >= d.opts.ImbalanceTimes }

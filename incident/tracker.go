package incident

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Tracker follows the incidents of a system as rows and windows come.
type Tracker struct {
	*layout
	opts    Options
	schema  table.Schema
	k       int
	lead    int // metric that tells how slow a component is
	facts   *facts
	paths   *paths
	grades  []grade   // by component
	also    []uint32  // by component: metrics in which it is suspect, as bits
	often   []float64 // by peer group: steps of the window in which a member has something to do, where it has anything
	light   []float64 // by peer group: latency when there is little to do
	typical []float64 // by peer group: median throughput of those with something to do
	wait    []float64 // by peer group: median latency of the LUNs that it serves first
	own     []float64 // by server: median latency of the paths that it works for itself through
	silence []silentServer
	stalls  stalls
	works   []work // by server
	heard   []metricWindow
	muted   map[int]bool
	open    []*Incident // not cleared, pending ones too
	done    []*Incident // cleared
	next    int         // ID of the next one that is confirmed
}

// work is a server's own, over windows.
type work struct {
	filter detect.Filter
	value  int
	onset  Onset
}

// metricWindow is a window of the leading metric that waits for its tick.
type metricWindow struct {
	group      int
	start, end int64
	usual      float64 // latency of the group, missing where it is not known
	verdicts   []detect.Verdict
}

// New returns a tracker of what detection finds in rows of a schema.
func New(o Options, d *detect.Options, system *topology.System, schema table.Schema, metrics []string) (*Tracker, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &Tracker{
		layout: newLayout(system), opts: o, schema: schema, k: d.K, lead: leading(&schema, metrics),
		grades: make([]grade, len(system.Components)), also: make([]uint32, len(system.Components)),
		typical: make([]float64, len(system.Groups)), light: make([]float64, len(system.Groups)), often: make([]float64, len(system.Groups)),
		wait: make([]float64, len(system.Groups)), own: make([]float64, len(system.Servers)), silence: make([]silentServer, len(system.Servers)),
		works: make([]work, len(system.Servers)), muted: map[int]bool{}, next: 1,
	}
	t.opts.fit(int64(d.WinShift) * d.StepSeconds)
	t.facts = newFacts(t.layout, schema, t.lead, (d.WinSize+d.WinShift-1)/d.WinShift)
	t.paths = newPaths(t.layout, t.facts, d.K)
	return t, nil
}

// Metrics are those that incidents are told by beside the ones that are judged:
// what a component has to do tells whether it is slow for that.
func Metrics(judged []string) []string {
	var more []string
	for _, m := range []metric.Metric{metric.RdSec, metric.WrSec} {
		if slices.Contains(judged, metric.Await.Name) && !slices.Contains(judged, m.Name) {
			more = append(more, m.Name)
		}
	}
	return more
}

// leading is the metric by which components are slow: await where it is
// judged, else the first that is worse when it is higher, else the first.
func leading(s *table.Schema, metrics []string) int {
	if m := metric.Index(s.Metrics, metric.Await.Name); m >= 0 {
		return m
	}
	for _, name := range metrics {
		if m := metric.Index(s.Metrics, name); m >= 0 && s.Metrics[m].Worse == metric.Higher {
			return m
		}
	}
	return max(metric.Index(s.Metrics, metrics[0]), 0)
}

// Row takes the next row, before the windows that it completes.
func (t *Tracker) Row(row *table.Row) {
	t.facts.row(t.layout, row)
	if !t.schema.Sparse {
		t.paths.row(row)
		t.listen(row)
	}
	t.stalls.row(t, row)
}

// Window takes the judgement of a peer group and metric.
func (t *Tracker) Window(w *detect.Window) {
	if w.Metric == t.lead {
		t.hear(w)
		return
	}
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.Suspect {
			t.also[v.Component] |= 1 << w.Metric
		} else if v.State != detect.Unjudged {
			t.also[v.Component] &^= 1 << w.Metric
		}
	}
}

// hear keeps a window until its tick, and what its group takes when there is
// little to do: the least so far, which is forgotten within weeks.
func (t *Tracker) hear(w *detect.Window) {
	u := usual(w.Verdicts)
	t.heard = append(t.heard, metricWindow{w.Group, w.Start, w.End, u, slices.Clone(w.Verdicts)})
	if light := &t.light[w.Group]; u > 0 && (*light == 0 || u < *light) {
		*light = u
	} else {
		*light *= 1.001
	}
}

// Tick makes incidents of what the windows that end now have shown. It comes
// after the windows of all groups and metrics.
func (t *Tracker) Tick(end int64) {
	if !t.schema.Sparse {
		t.paths.tick(end)
	}
	t.typicals()
	t.owns()
	t.judge()
	t.follow(t.findings(end), end)
	t.facts.turn()
	t.heard = t.heard[:0]
}

// typicals are what a component of each group has to do, where it has anything.
func (t *Tracker) typicals() {
	var rates, steps []float64
	for g := range t.system.Groups {
		rates, steps = rates[:0], steps[:0]
		for _, c := range t.system.Groups[g].Members {
			if r := t.facts.rate(c); r > 0 {
				rates, steps = append(rates, r), append(steps, float64(t.facts.loaded(c)))
			}
		}
		t.typical[g], t.often[g] = median(rates), median(steps)
	}
	t.waits()
}

// load is how many times more than its peers a component has to do, 1 where
// that is not known.
func (t *Tracker) load(c int) float64 {
	typical, own := t.typical[t.of(c).Group-1], t.facts.rate(c)
	if typical <= 0 || own <= 0 {
		return 1
	}
	return math.Max(own/typical, 1e-3)
}

// judge grades the latency of every component that is to be judged by it. Who
// is passed by in favour of a server's own work looks different and is not slow
// for that; who took over is busy among the idle, and is compared with the
// group that it stands in for.
func (t *Tracker) judge() {
	for c := range t.grades {
		t.grades[c].fresh = false
	}
	for i := range t.heard {
		w := &t.heard[i]
		for j := range w.verdicts {
			v := &w.verdicts[j]
			switch {
			case t.standby(v.Component) && t.paths.all[v.Component].now == resting:
				t.grades[v.Component].rest()
			case t.paths.all[v.Component].lost:
			case t.paths.all[v.Component].grace > 0:
				t.judgeHeir(w, v.Component, v.Median)
			case v.State != detect.Unjudged && v.Reason != detect.Gone && v.Reason != detect.Idle:
				t.count(w, v)
			}
		}
	}
}

// count grades a verdict, unless it is excused. Trained thresholds know of no
// peers: then the median of the group tells whether a component differs by being
// slower.
func (t *Tracker) count(w *metricWindow, v *detect.Verdict) {
	if t.excused(v) {
		return
	}
	if table.IsMissing(v.Peers) && v.Reason == detect.Differs {
		if v.Peers = t.usual(w.group); v.Median <= v.Peers {
			v.State, v.Reason = detect.Normal, detect.NoReason
		}
	}
	window := detect.Window{Start: w.start, End: w.end}
	load := t.load(v.Component)
	t.grades[v.Component].count(&window, v, load, t.queued(w.group, load), t.schema.Metrics[t.lead].Noise, t.k, t.facts.begin)
}

// queued is how many times slower a component is for a little more load than its
// peers have. Where they wait L for what takes them L0 when there is little to
// do, they are ρ = 1 − L0/L busy, and who has l times their load waits
// (1−ρ)/(1−lρ) times as long. Far more load is no excuse but a reason.
func (t *Tracker) queued(group int, load float64) float64 {
	usual, light := t.usual(group), t.light[group]
	if !(usual > 0) || !(light > 0) || load <= 1 || load >= imbalance {
		return 1
	}
	busy := min(1-light/usual, mostBusy)
	return (1 - busy) / max(1-load*busy, 1-mostBusy)
}

// mostBusy bounds what a queue may explain.
const mostBusy = 0.95

// heirRatio is how many times slower than those that it stands in for makes a
// path odd. It is more than elsewhere, since no peers of its own tell what is
// usual for it.
const heirRatio = 1.5

// judgeHeir compares a path that took over with the peers of the first path to
// its LUN.
func (t *Tracker) judgeHeir(w *metricWindow, c int, median float64) {
	x := &t.paths.all[c]
	peers := t.usual(t.of(t.layout.paths[t.lunOf[c]][0]).Group - 1)
	if x.now != serving || !t.paths.tookOver(c) || !(peers > 0) || !(median > 0) {
		return
	}
	v := detect.Verdict{Component: c, Median: median, Peers: peers}
	if median >= heirRatio*peers {
		v.State, v.Reason = detect.Anomalous, detect.Differs
	}
	t.count(w, &v)
}

// usual is the latency of a peer group in this window, missing where it is not
// known.
func (t *Tracker) usual(group int) float64 {
	for i := range t.heard {
		if w := &t.heard[i]; w.group == group {
			return w.usual
		}
	}
	return table.Missing
}

// usual is what the verdicts of a window say of its group: the median that they
// were compared with, or of their own.
func usual(verdicts []detect.Verdict) float64 {
	var medians []float64
	for i := range verdicts {
		v := &verdicts[i]
		if !table.IsMissing(v.Peers) {
			return v.Peers
		}
		if v.State != detect.Unjudged && v.Median > 0 {
			medians = append(medians, v.Median)
		}
	}
	if len(medians) == 0 {
		return table.Missing
	}
	return median(medians)
}

// alone is how a component is blamed that nothing else is odd with. What a path
// that took over shows is its LUN's doing.
func (t *Tracker) alone(c int) place {
	if t.paths.all[c].grace > 0 {
		return place{LUN, t.of(c).LUN}
	}
	return t.layout.alone(c)
}

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
	typical []float64 // by peer group: median throughput of those with something to do
	silence []silentServer
	stalls  stalls
	works   []work // by server
	heard   []metricWindow
	muted   map[int]bool
	open    []*Incident // not cleared, pending ones too
	done    []*Incident // cleared
	next    int         // ID of the next one that is confirmed
	now     int64
}

// work is a server's own, over windows.
type work struct {
	filter detect.Filter
	odd    bool
	value  int
	onset  Onset
}

// metricWindow is a window of the leading metric that waits for its tick.
type metricWindow struct {
	group      int
	start, end int64
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
		typical: make([]float64, len(system.Groups)), silence: make([]silentServer, len(system.Servers)),
		works: make([]work, len(system.Servers)), muted: map[int]bool{}, next: 1,
	}
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
	t.now = row.End
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
		t.heard = append(t.heard, metricWindow{w.Group, w.Start, w.End, append([]detect.Verdict(nil), w.Verdicts...)})
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

// Tick makes incidents of what the windows that end now have shown. It comes
// after the windows of all groups and metrics.
func (t *Tracker) Tick(end int64) {
	t.now = end
	if !t.schema.Sparse {
		t.paths.tick(end)
	}
	t.typicals()
	t.judge()
	t.follow(t.findings(end), end)
	t.facts.turn()
	t.heard = t.heard[:0]
}

// typicals are what a component of each group has to do, where it has anything.
func (t *Tracker) typicals() {
	var rates []float64
	for g := range t.system.Groups {
		rates = rates[:0]
		for _, c := range t.system.Groups[g].Members {
			if r := t.facts.rate(c); r > 0 {
				rates = append(rates, r)
			}
		}
		t.typical[g] = median(rates)
	}
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
			case t.paths.all[v.Component].grace > 0:
				t.judgeHeir(w, v.Component, v.Median)
			case v.State != detect.Unjudged && v.Reason != detect.Gone && v.Reason != detect.Idle && !t.excused(v.Component):
				t.count(w, v)
			}
		}
	}
}

func (t *Tracker) count(w *metricWindow, v *detect.Verdict) {
	window := detect.Window{Start: w.start, End: w.end}
	t.grades[v.Component].count(&window, v, t.load(v.Component), t.schema.Metrics[t.lead].Noise, t.k, t.facts.begin)
}

func (t *Tracker) excused(c int) bool { return t.paths.all[c].now == working || t.paths.skews(c) }

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
	v.Suspect = x.slower.Push(v.State == detect.Anomalous, t.k)
	t.count(w, &v)
}

// usual is the latency of a peer group in this window, missing where it is not
// known.
func (t *Tracker) usual(group int) float64 {
	for i := range t.heard {
		if w := &t.heard[i]; w.group == group {
			for j := range w.verdicts {
				if peers := w.verdicts[j].Peers; !table.IsMissing(peers) {
					return peers
				}
			}
		}
	}
	return table.Missing
}

// alone is how a component is blamed that nothing else is odd with. What a path
// that took over shows is its LUN's doing.
func (t *Tracker) alone(c int) place {
	if t.paths.all[c].grace > 0 {
		return place{LUN, t.of(c).LUN}
	}
	return t.layout.alone(c)
}

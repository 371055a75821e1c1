package persistence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// fence finds anomalies without training. A component is anomalous under two conditions. First, its
// score lies above the fence: a threshold that is computed from the scores of its peers
// (statistical significance). Second, the median of its values is at least MinRatio times worse
// than the median of its peers (effect size). Two kinds of components are compared:
//
//   - Busy components. An idle component has no latency.
//   - Standby paths, even if they are idle. They should be idle: load on a standby path shows that
//     a path with higher priority was lost.
//
// A component that should be busy is anomalous without a comparison in two cases: the component is
// gone, or it is idle while most of its peers are busy.
type fence struct {
	opts           *Options
	worse          metric.Direction
	noise          float64
	goneIfMissing  bool      // a component without values counts as gone; false if the source may have lost the values
	countsRequests bool      // the load metric counts requests
	primary        []bool    // by member: whether it should be busy
	standby        []bool    // by member: whether it should be idle
	peers          []int     // members that the comparison in this window uses as peers
	pool           []float64 // buffer for medians
}

// deviationPerMAD is the ratio of the standard deviation to the median absolute deviation, for
// scores with a normal distribution.
const deviationPerMAD = 1.4826

func newFence(d *Detector, g *group) *fence {
	f := &fence{
		opts: &g.lane.opts, worse: g.lane.metric.Worse, noise: g.lane.metric.Noise,
		goneIfMissing: !d.schema.Sparse, countsRequests: g.lane.countsRequests,
	}
	for _, c := range g.members {
		priority := d.system.Components[c].Priority
		f.primary = append(f.primary, priority == 1)
		f.standby = append(f.standby, priority > 1)
	}
	return f
}

// takesPart reports whether member i is compared. Members without data are left out. Members
// without work are also left out, except standby paths. If the option Literal is set, all members
// are compared.
func (f *fence) takesPart(g *group, i int) bool {
	return f.opts.Literal || f.isPeer(g, i)
}

func (f *fence) isPeer(g *group, i int) bool {
	return f.hasData(g, i) && (g.observations[i].busy || f.standby[i])
}

// hasData reports whether a member has data for enough of its group's steps.
func (f *fence) hasData(g *group, i int) bool {
	m := &g.observations[i]
	return !m.silent && float64(m.samples) >= f.opts.MinSamplesShare*float64(g.steps)
}

func (f *fence) decide(g *group, w *Window) {
	if g.idle {
		setAll(w, Unjudged, GroupIdle)
		return
	}
	f.peers = f.peers[:0]
	present, busy := 0, 0
	for i := range w.Verdicts {
		if f.isPeer(g, i) {
			f.peers = append(f.peers, i)
		}
		if f.hasData(g, i) {
			present++
		}
		if g.observations[i].busy {
			busy++
		}
	}
	busyPeers := float64(busy) > f.opts.BusyPeersShare*float64(present)
	threshold, typical := f.threshold(w), f.typical(g)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		if v.State, v.Reason = f.absentState(g, i, busyPeers); v.State != Normal {
			continue
		}
		v.Threshold, v.Peers = threshold, typical
		if v.Score > threshold && f.effect(g, i, typical) {
			v.State, v.Reason = Anomalous, Differs
		}
	}
}

func setAll(w *Window, state State, reason Reason) {
	for i := range w.Verdicts {
		w.Verdicts[i].State, w.Verdicts[i].Reason = state, reason
	}
}

// typical returns the median of the peers' medians, or a missing value if there are too
// few peers.
func (f *fence) typical(g *group) float64 {
	if len(f.peers) < topology.MinPeers {
		return table.Missing
	}
	f.pool = f.pool[:0]
	for _, i := range f.peers {
		f.pool = append(f.pool, g.observations[i].median)
	}
	return distance.Median(f.pool)
}

// threshold returns the fence: the median of the peers' scores plus MinZ standard deviations. The
// standard deviation is estimated only from the scores up to the median. Scores above the median
// may come from slow members. They would raise the fence, and the slow members would then stay
// below it. If more than half of the peers have the same histogram, their scores are 0. Then the
// fence is the score of a member that has one value of the window in the next bin. A threshold of 0
// means that there is no threshold.
func (f *fence) threshold(w *Window) float64 {
	if len(f.peers) < topology.MinPeers {
		return 0
	}
	f.pool = f.pool[:0]
	for _, i := range f.peers {
		f.pool = append(f.pool, w.Verdicts[i].Score)
	}
	centre := distance.Median(f.pool)
	f.pool = f.pool[:0]
	for _, i := range f.peers {
		if s := w.Verdicts[i].Score; s <= centre {
			f.pool = append(f.pool, centre-s)
		}
	}
	if fence := centre + f.opts.MinZ*deviationPerMAD*distance.Median(f.pool); fence > 0 {
		return fence
	}
	return 1 / float64(f.opts.WinSize)
}

// absentState decides the state of a member without data or without work. It returns [Normal] for a
// member that has to be compared with its peers.
func (f *fence) absentState(g *group, i int, busyPeers bool) (State, Reason) {
	m := &g.observations[i]
	expected := f.goneIfMissing && (f.primary[i] || f.wasBusy(g, i))
	switch {
	case m.silent:
		return Unjudged, ServerSilent
	case !f.hasData(g, i) && expected:
		return Anomalous, Gone
	case !f.hasData(g, i):
		return Unjudged, TooFewData
	case m.load == 0 && busyPeers && expected:
		return Anomalous, Idle
	case !m.busy:
		return Unjudged, TooFewIOs
	case len(f.peers) < topology.MinPeers:
		return Unjudged, TooFewBusy
	}
	return Normal, NoReason
}

// wasBusy reports whether a member was busy in at least 2K−1 windows, and in more than half of all
// windows. So a spare drive that had work only once is not anomalous when it is idle.
func (f *fence) wasBusy(g *group, i int) bool {
	return g.busy[i] >= 2*f.opts.K-1 && g.busy[i] > g.quiet[i]
}

// effect reports whether a member's median is far enough from the typical value of its peers, in
// the direction that is worse. If the typical value is zero, there is no ratio. Then only the
// median of a standby path can be too high: it must be at least the metric's noise.
func (f *fence) effect(g *group, i int, typical float64) bool {
	own, bound := g.observations[i].median, f.minRatio(g.observations[i].load)
	higher := typical > 0 && own >= bound*typical || typical == 0 && f.standby[i] && own >= f.noise && own > 0
	lower := own < typical && own*bound <= typical
	switch f.worse {
	case metric.Higher:
		return higher
	case metric.Lower:
		return lower
	}
	return higher || lower
}

// minRatio returns MinRatio, or a greater ratio if there are few requests, because the mean latency
// of few requests varies by chance. If latencies have an exponential distribution, the mean latency
// of n requests has a relative error of 1/√n.
func (f *fence) minRatio(load float64) float64 {
	if !f.countsRequests {
		return f.opts.MinRatio
	}
	return f.opts.MinRatio * (1 + 1/math.Sqrt(load))
}

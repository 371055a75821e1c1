package detect

import (
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/topology"
)

// fence judges without training (method §5.2). A component is anomalous where
// its score lies beyond the fence of its peers' scores (statistical
// significance: the median plus MinZ robust deviations) and its median is
// worse than the group's by MinRatio (effect size).
//
// Absence needs neither: a component that is gone, or idle while most peers
// are busy, is anomalous, if it is a primary or has been busy before.
type fence struct {
	opts      *Options
	worse     metric.Direction
	noise     float64
	tells     bool   // a missing value means that the component is gone
	expected  []bool // by member: it is a primary, and ought to be busy
	deviation []float64
}

// consistent makes a median deviation estimate a standard deviation where the
// scores are normal.
const consistent = 1.4826

func newFence(d *Detector, g *group) *fence {
	f := &fence{opts: &d.opts, worse: g.of.Worse, noise: g.of.Noise, tells: !d.schema.Sparse}
	for _, c := range g.members {
		f.expected = append(f.expected, d.system.Components[c].Priority == 1)
	}
	return f
}

// takesPart leaves out those without enough data: their distance would be
// that of their absence.
func (f *fence) takesPart(g *group, i int) bool {
	return f.opts.Literal || f.hasData(g, i)
}

// hasData says whether a member has data for at least half of the steps that
// its group has data for.
func (f *fence) hasData(g *group, i int) bool {
	m := &g.scratch.facts[i]
	return !m.silent && 2*m.samples >= g.scratch.steps
}

func (f *fence) judge(g *group, w *Window) {
	s := &g.scratch
	if len(s.who) < topology.MinPeers {
		setAll(w, Unjudged, TooFewData)
		return
	}
	if s.idle {
		setAll(w, Unjudged, GroupIdle)
		return
	}
	group, busy := f.group(s), 0
	for _, i := range s.who {
		if s.facts[i].busy {
			busy++
		}
	}
	threshold := f.threshold(s.scores)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		v.Threshold = threshold
		v.State, v.Reason = f.member(g, i, 2*busy > len(s.who), group, v)
	}
}

func setAll(w *Window, state State, reason Reason) {
	for i := range w.Verdicts {
		w.Verdicts[i].State, w.Verdicts[i].Reason = state, reason
	}
}

// group is the median of the medians of those who take part.
func (f *fence) group(s *scratch) float64 {
	s.sorted = s.sorted[:0]
	for _, i := range s.who {
		s.sorted = append(s.sorted, s.facts[i].median)
	}
	return median(s.sorted)
}

// threshold is the fence around the scores of a group. Its width comes from
// the scores below the median alone: those above it may be slow ones, of
// which there may be several, and must not widen what hides them.
func (f *fence) threshold(scores []float64) float64 {
	f.deviation = append(f.deviation[:0], scores...)
	centre := median(f.deviation)
	f.deviation = f.deviation[:0]
	for _, s := range scores {
		if s <= centre {
			f.deviation = append(f.deviation, centre-s)
		}
	}
	return centre + f.opts.MinZ*consistent*median(f.deviation)
}

func (f *fence) member(g *group, i int, busyPeers bool, group float64, v *Verdict) (State, Reason) {
	m := &g.scratch.facts[i]
	counts := f.tells && (f.expected[i] || g.wasBusy[i])
	switch {
	case m.silent:
		return Unjudged, ServerSilent
	case !f.hasData(g, i) && counts:
		return Anomalous, Gone
	case !f.hasData(g, i):
		return Unjudged, TooFewData
	case m.load == 0 && busyPeers && counts:
		return Anomalous, Idle
	case !m.busy:
		return Unjudged, TooFewIOs
	}
	v.Ratio = v.Median / group
	if v.Score > v.Threshold && f.effect(v.Median, group) {
		return Anomalous, Differs
	}
	return Normal, NoReason
}

// effect says whether a median is far enough from the group's in a direction
// that is worse. Beside an idle group it must exceed the metric's noise,
// because no ratio to zero means anything.
func (f *fence) effect(own, group float64) bool {
	higher := own >= f.opts.MinRatio*group && (group > 0 || own >= f.noise) && own > group
	lower := own*f.opts.MinRatio <= group && own < group
	switch f.worse {
	case metric.Higher:
		return higher
	case metric.Lower:
		return lower
	}
	return higher || lower
}

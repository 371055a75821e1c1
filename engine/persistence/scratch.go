package persistence

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// scratch is what one worker needs for one window, reused from window to
// window.
type scratch struct {
	histograms distance.Measure // that the options name
	lag        distance.Lag
	series     []float64   // the values of the members, one after the other
	values     [][]float64 // by member: its part of them, or the zeros
	zeros      []float64   // the values of every member that is at zero
	sorted     []float64
	covered    []bool // by step: some member has a value
	compared   []int  // members that take part
	sample     distance.Sample
	all        []int // the numbers from 0 on
	scores     []float64
}

func newScratch(o *Options) *scratch {
	return &scratch{histograms: distance.New(o.Measure, o.WinSize, o.MaxBins), zeros: make([]float64, o.WinSize)}
}

// measure returns the measure of a lane.
func (s *scratch) measure(l *lane) distance.Measure {
	if l.bySeries {
		return &s.lag
	}
	return s.histograms
}

// window judges the window of a group that ends with a step. Where the group has
// data for too few steps the window is passed over, and filter and accumulators
// stay as they were.
func (s *scratch) window(d *Detector, g *group, step int64) {
	s.collect(g)
	s.gather(d, g, step)
	o := &g.lane.opts
	if g.judged = float64(g.steps) > o.MinStepsShare*float64(o.WinSize); !g.judged {
		return
	}
	w := &g.window
	w.Group, w.Metric, w.Bins = g.index, g.lane.column, distance.Bins{}
	w.Start, w.End = (step-int64(o.WinSize))*o.StepSeconds, step*o.StepSeconds
	for i, c := range g.members {
		w.Verdicts[i] = Verdict{Component: c, Median: g.facts[i].median, Peers: table.Missing}
	}
	s.score(g, step)
	g.judge.judge(g, w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		if v.State != Unjudged {
			v.Suspect = g.filters[i].Push(v.State == Anomalous, o.K)
		}
		g.remember(i, v)
	}
}

// seriesBlock is how many members are copied together. Their values of one step
// fill a line of the cache.
const seriesBlock = 8

// collect sets the values of every member in the window.
func (s *scratch) collect(g *group) {
	values, n, steps := g.lane.values, len(g.members), g.lane.opts.WinSize
	s.series, s.values = resize(s.series, n*steps), resize(s.values, n)
	for from := 0; from < n; from += seriesBlock {
		to, moves := min(from+seriesBlock, n), false
		for i := from; i < to; i++ {
			s.values[i] = s.zeros[:steps]
			if !values.AtZero(g.first + i) {
				s.values[i], moves = s.series[i*steps:][:steps], true
			}
		}
		if moves {
			values.Copy(s.series[from*steps:], g.first+from, g.first+to)
		}
	}
}

// score sets the scores of the members that take part.
func (s *scratch) score(g *group, step int64) {
	o, x := &g.lane.opts, &s.sample
	s.compared, x.Values = s.compared[:0], x.Values[:0]
	for i := range g.members {
		if g.judge.takesPart(g, i) {
			s.compared, x.Values = append(s.compared, i), append(x.Values, s.values[i])
		}
	}
	if len(s.compared) < topology.MinPeers {
		return
	}
	x.Noise, x.Zeros = 0, s.zeros[:o.WinSize]
	if o.Literal || s.mostlyZero(g) {
		x.Noise = g.lane.metric.Noise
	}
	x.Domains = s.domains(len(s.compared), o, step)
	s.scores = resize(s.scores, len(s.compared))
	g.window.Bins = s.measure(g.lane).Score(x, s.scores)
	for at, i := range s.compared {
		if g.facts[i].scored = !table.IsMissing(s.scores[at]); g.facts[i].scored {
			g.window.Verdicts[i].Score = s.scores[at]
		}
	}
}

// domains returns the domains of a window.
func (s *scratch) domains(n int, o *Options, step int64) [][]int {
	if o.Domain > 0 {
		return distance.Domains(n, o.Domain, o.Seed, uint64(step))
	}
	for len(s.all) < n {
		s.all = append(s.all, len(s.all))
	}
	return append(s.sample.Domains[:0], s.all[:n])
}

// mostlyZero says whether so many of those who take part are at zero most of the
// time that the group is idle, as the secondaries of Intrepid are.
func (s *scratch) mostlyZero(g *group) bool {
	zero, measured := 0, 0
	for _, i := range s.compared {
		if f := &g.facts[i]; f.samples > 0 {
			measured++
			if f.median == 0 {
				zero++
			}
		}
	}
	return float64(zero) >= g.lane.opts.ZeroPeersShare*float64(measured)
}

// resize returns a slice of n elements, whatever they are, reusing s where it
// can.
func resize[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

package persistence

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// scratch holds the buffers of one worker: a goroutine that compares groups. The worker reuses the
// buffers for every window.
type scratch struct {
	histograms distance.Measure // the measure named by the options
	lag        distance.Lag
	series     []float64   // values of the members, one member after the other
	values     [][]float64 // by member: its part of scratch.series; if all values of the member are zero, the shared slice scratch.zeros
	zeros      []float64   // shared values of all members whose values are zero
	sorted     []float64
	covered    []bool // by step: true if at least one member has a value
	compared   []int  // members that take part in the comparison
	sample     distance.Sample
	all        []int // the numbers 0, 1, 2, …
	scores     []float64
}

func newScratch(o *Options) *scratch {
	return &scratch{histograms: distance.New(o.Measure, o.WinSize, o.MaxBins), zeros: make([]float64, o.WinSize)}
}

// measure returns the distance measure of a lane (the comparison by one metric). The measure
// compares either time series or histograms.
func (s *scratch) measure(l *lane) distance.Measure {
	if l.bySeries {
		return &s.lag
	}
	return s.histograms
}

// window compares the members of a group in the window that ends with the given step. If the group
// has data for too few steps, the window is skipped: the filters of its members (Filter) do not
// change, and the accumulators get no verdicts.
func (s *scratch) window(d *Detector, g *group, step int64) {
	s.collect(g)
	s.gather(d, g, step)
	o := &g.lane.opts
	if g.decided = float64(g.steps) > o.MinStepsShare*float64(o.WinSize); !g.decided {
		return
	}
	w := &g.window
	w.Group, w.Metric, w.Bins = g.index, g.lane.column, distance.Bins{}
	w.Start, w.End = (step-int64(o.WinSize))*o.StepSeconds, step*o.StepSeconds
	for i, c := range g.members {
		w.Verdicts[i] = Verdict{Component: c, Median: g.observations[i].median, Peers: table.Missing}
	}
	s.score(g, step)
	g.test.decide(g, w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		if v.State != Unjudged {
			v.Suspect = g.filters[i].Push(v.State == Anomalous, o.K)
		}
		g.remember(i, v)
	}
}

// seriesBlock is the number of members that are copied together: their values of one
// step fill a cache line.
const seriesBlock = 8

// collect sets scratch.values: the values of every member in the window.
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

// score compares the members of a group that take part in the comparison, and stores their scores
// in the verdicts of the window.
func (s *scratch) score(g *group, step int64) {
	o, x := &g.lane.opts, &s.sample
	s.compared, x.Values = s.compared[:0], x.Values[:0]
	for i := range g.members {
		if g.test.takesPart(g, i) {
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
		if g.observations[i].scored = !table.IsMissing(s.scores[at]); g.observations[i].scored {
			g.window.Verdicts[i].Score = s.scores[at]
		}
	}
}

// domains divides the n compared members of a window into domains. Only members of the same domain
// are compared with each other. If Options.Domain is 0, all members are in one domain.
func (s *scratch) domains(n int, o *Options, step int64) [][]int {
	if o.Domain > 0 {
		return distance.Domains(n, o.Domain, o.Seed, uint64(step))
	}
	for len(s.all) < n {
		s.all = append(s.all, len(s.all))
	}
	return append(s.sample.Domains[:0], s.all[:n])
}

// mostlyZero reports whether a group is mostly idle, for example a group of standby paths. A group
// is mostly idle if at least the share ZeroPeersShare of its members has a median of zero.
func (s *scratch) mostlyZero(g *group) bool {
	zero, measured := 0, 0
	for _, i := range s.compared {
		if f := &g.observations[i]; f.samples > 0 {
			measured++
			if f.median == 0 {
				zero++
			}
		}
	}
	return float64(zero) >= g.lane.opts.ZeroPeersShare*float64(measured)
}

// resize returns a slice of n elements whose contents are undefined. It reuses s if s is large
// enough.
func resize[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

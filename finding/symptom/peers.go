package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/quantile"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// group is a peer group with what one window says of it.
type group struct {
	members []int
	medians [numColumns]float64 // of the members' means
	await   float64             // the median of the members'
	spread  float64             // of the logarithms of their await
	losses  [numWays]float64    // the medians of the percentages of segments that they lose
	judged  bool                // at least three have something to do
}

// measure takes the medians of a window.
func (x *examiner) measure(g *group) {
	present := 0
	for _, c := range g.members {
		if x.works[c] = x.hasWork(c); x.works[c] {
			present++
		}
	}
	if g.judged = present >= topology.MinPeers; !g.judged {
		return
	}
	for c := range numColumns {
		g.medians[c] = x.median(g, func(s *sums) float64 { return s.mean(c) })
	}
	for i := range ways {
		g.losses[i] = x.median(g, ways[i].percent)
	}
	g.await = x.median(g, x.await)
	g.spread = deviation * x.median(g, func(s *sums) float64 {
		if below := math.Log(g.await / x.await(s)); below >= 0 {
			return below
		}
		return table.Missing
	})
}

// deviation makes a median of deviations estimate a standard deviation where
// they are normal. Only what lies below the median is asked for it: what lies
// above may be slow, and must not widen what hides it.
const deviation = 1.4826

// median of a value of the members that have it, missing where fewer than three
// do. The members that are at fault are among them, but a minority.
func (x *examiner) median(g *group, of func(*sums) float64) float64 {
	x.scratch = x.scratch[:0]
	for _, c := range g.members {
		if !x.works[c] {
			continue
		}
		if v := of(&x.blocks.window[c]); !table.IsMissing(v) {
			x.scratch = append(x.scratch, v)
		}
	}
	if len(x.scratch) < topology.MinPeers {
		return table.Missing
	}
	return quantile.Median(x.scratch)
}

// hasWork says whether a component has data and something to do: idle ones are
// no peers of busy ones. Of what is not measured nobody can say that it is idle.
func (x *examiner) hasWork(c int) bool {
	s, most := &x.blocks.window[c], int32(0)
	for _, n := range s.steps {
		most = max(most, n)
	}
	idleDrive := s.steps[tps] > 0 && s.value[tps] == 0
	idleInterface := s.steps[rxByt] > 0 && s.mean(rxByt) < metric.RxByt.Noise && s.mean(txByt) < metric.TxByt.Noise
	return x.present(int(most)) && !idleDrive && !idleInterface
}

// present says whether so many steps of a window are enough.
func (x *examiner) present(steps int) bool {
	return float64(steps) > x.opts.PresentRatio*float64(x.steps)
}

// excess is by how much a component's mean lies above its peers', negative
// below; 0 where either is not known.
func (x *examiner) excess(g *group, c int, of column) float64 {
	d := x.blocks.window[c].mean(of) - g.medians[of]
	if table.IsMissing(d) {
		return 0
	}
	return d
}

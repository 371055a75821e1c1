package symptom

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// group is a peer group with what one window says of it.
type group struct {
	members []int
	medians [numColumns]float64 // of the members' means
	await   float64             // the median of the members'
	spread  float64             // of the logarithms of their await
	losses  map[Kind]float64    // the medians of the shares of segments that they lose
	judged  bool                // at least three have something to do
}

// measure takes the medians of a window.
func (x *Examiner) measure(g *group) {
	present := 0
	for _, c := range g.members {
		if x.works(c) {
			present++
		}
	}
	if g.judged = present >= topology.MinPeers; !g.judged {
		return
	}
	for c := range numColumns {
		g.medians[c] = x.median(g, func(s *sums) float64 { return s.mean(c) })
	}
	g.losses = x.commonLosses(g)
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

// median of a value of the members that have it, missing where fewer than
// three do. The members that are at fault are among them, but a minority.
func (x *Examiner) median(g *group, of func(*sums) float64) float64 {
	x.scratch = x.scratch[:0]
	for _, c := range g.members {
		if v := of(&x.blocks.window[c]); x.works(c) && !table.IsMissing(v) {
			x.scratch = append(x.scratch, v)
		}
	}
	n := len(x.scratch)
	if n < topology.MinPeers {
		return table.Missing
	}
	slices.Sort(x.scratch)
	return (x.scratch[(n-1)/2] + x.scratch[n/2]) / 2
}

// hasData says whether a component was measured for more than half of the
// window.
func (x *Examiner) hasData(c int) bool {
	most := int32(0)
	for _, n := range x.blocks.window[c].steps {
		most = max(most, n)
	}
	return 2*int64(most) > x.steps
}

// works says whether a component has data and something to do: idle ones are
// no peers of busy ones. Of what is not measured nobody can say that it is idle.
func (x *Examiner) works(c int) bool {
	s := &x.blocks.window[c]
	idleDrive := s.steps[tps] > 0 && s.value[tps] == 0
	idleInterface := s.steps[rxByt] > 0 && s.mean(rxByt) < metric.RxByt.Noise && s.mean(txByt) < metric.TxByt.Noise
	return x.hasData(c) && !idleDrive && !idleInterface
}

// excess is by how much a component's mean lies above its peers', negative
// below; 0 where either is not known.
func (x *Examiner) excess(g *group, c int, of column) float64 {
	d := x.blocks.window[c].mean(of) - g.medians[of]
	if table.IsMissing(d) {
		return 0
	}
	return d
}

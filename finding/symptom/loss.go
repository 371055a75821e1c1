package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/table"
)

// way is one direction of a server's connections.
type way struct {
	kind                   Kind
	again, delivered, cwnd column
}

const numWays = 2

var ways = [numWays]way{{LosesIn, retrIn, dlvIn, cwndIn}, {LosesOut, retrOut, dlvOut, cwndOut}}

// losses judges the connections of one server, each way.
func (x *examiner) losses(g *group, c int) {
	for i := range ways {
		x.loss(g, c, i)
	}
}

// loss: a larger share of the segments has to be sent again than at the peers,
// they are lost one by one, and congestion windows are smaller.
func (x *examiner) loss(g *group, c, i int) {
	s, w := &x.blocks.window[c], &ways[i]
	own, peers := w.percent(s), g.losses[i]
	if table.IsMissing(own) || table.IsMissing(peers) {
		return
	}
	x.sign(w.kind, w.again, x.doubtLoss(g, s, i, own), finding.Evidence{
		Component: c, Own: own, Peers: peers, Unit: "% of segments",
		Score: own - peers, Threshold: x.opts.LossPercent, Scale: "% of segments beyond its peers'",
	})
}

// percent is how many of the segments had to be sent again.
func (w *way) percent(s *sums) float64 {
	lost, sent := w.sent(s)
	if s.steps[w.again] == 0 || s.steps[w.delivered] == 0 || sent == 0 {
		return table.Missing
	}
	return 100 * lost / sent
}

// sent counts segments, and those of them that were lost.
func (w *way) sent(s *sums) (lost, sent float64) {
	return s.value[w.again], s.value[w.again] + s.value[w.delivered]
}

// doubtLoss says what speaks against a loss, nothing where nothing does. A switch
// whose buffer overflows makes connections lose, too, and one with little memory
// for a port keeps them losing. But it drops what comes in bursts together, so
// that the losses of one second and the next differ by far more than by chance.
func (x *examiner) doubtLoss(g *group, s *sums, i int, own float64) string {
	o, w, peers, step := &x.opts, &ways[i], g.losses[i], float64(x.step)
	lost, sent := w.sent(s)
	expected := sent * max(peers, o.CommonLossPercent) / 100 * step
	switch {
	case own < o.LossRatio*peers:
		return "its peers lose nearly as much"
	case o.inBursts(&s.segments[i], s.steps[w.again], step):
		return "segments are lost in bursts, as where a switch overflows"
	case lost*step < o.FewestLostSegments:
		return "too few segments were lost to tell that from chance"
	case lost*step-expected < o.LossDeviations*math.Sqrt(max(expected, 1)):
		return "too few segments were sent to tell that from chance"
	}
	return o.doubtWindows(s.mean(w.cwnd), g.medians[w.cwnd], own-peers)
}

// doubtWindows says in what way congestion windows fail to confirm a loss,
// nothing where they do. Half of a small window cannot be told from the two or
// three segments that remain however much is lost. So the loss has to be larger
// where not even the peers' windows open, because requests fit into the first
// few segments.
func (o *Options) doubtWindows(own, peers, lossPercent float64) string {
	untold := table.IsMissing(own) || table.IsMissing(peers) || peers < o.OpenWindowSegments
	switch {
	case untold && lossPercent < o.LossAlonePercent:
		return "it is too little where congestion windows say nothing"
	case !untold && own > o.ShrunkRatio*peers:
		return "its congestion windows are too large for that"
	}
	return ""
}

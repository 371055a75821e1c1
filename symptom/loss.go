package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/table"
)

// losses judges the connections of one server, each way.
func (x *Examiner) losses(g *group, c int) {
	x.loss(g, c, LosesIn, retrIn, dlvIn, cwndIn)
	x.loss(g, c, LosesOut, retrOut, dlvOut, cwndOut)
}

// commonLosses are the medians of the shares that members lose.
func (x *Examiner) commonLosses(g *group) map[Kind]float64 {
	share := func(again, delivered column) float64 {
		return x.median(g, func(s *sums) float64 {
			lost, _, _ := s.lossShare(again, delivered)
			return lost
		})
	}
	return map[Kind]float64{LosesIn: share(retrIn, dlvIn), LosesOut: share(retrOut, dlvOut)}
}

// loss: a larger share of the segments has to be sent again than at the peers,
// they are lost one by one, and congestion windows are smaller. A switch whose
// buffer overflows makes connections lose, too, and one with little memory for
// a port keeps them losing; but it drops what comes in bursts together, so that
// the losses of one second and the next differ by far more than by chance.
func (x *Examiner) loss(g *group, c int, kind Kind, again, delivered, cwnd column) {
	s := &x.blocks.window[c]
	own, lost, sent := s.lossShare(again, delivered)
	peers := g.losses[kind]
	if table.IsMissing(own) || table.IsMissing(peers) {
		return
	}
	doubt := x.notShrunk(g, s, cwnd, own, peers)
	expected := sent * max(peers, commonLoss) / 100 * float64(x.step)
	switch o := &x.opts; {
	case own < o.LossRatio*peers:
		doubt = "its peers lose nearly as much"
	case s.counts(kind).inBursts(o.Bursts, s.steps[again], float64(x.step)):
		doubt = "segments are lost in bursts, as where a switch overflows"
	case lost*float64(x.step) < fewestLost:
		doubt = "too few segments were lost to tell that from chance"
	case lost*float64(x.step)-expected < o.LossZ*math.Sqrt(max(expected, 1)):
		doubt = "too few segments were sent to tell that from chance"
	}
	x.sign(Sign{
		Component: c, Kind: kind, Metric: columns[again].Name, Own: own, Peers: peers, Unit: "% of segments",
		Score: own - peers, Threshold: x.opts.Loss, Scale: "% of segments beyond its peers'",
	}, doubt == "", doubt)
}

// counts are those of a symptom's direction.
func (s *sums) counts(kind Kind) *counts {
	if kind == LosesIn {
		return &s.in
	}
	return &s.out
}

// fewestLost in a window are no accident of a second or two.
const fewestLost = 16

// commonLoss is the percentage that any network loses, so that the first
// segment ever lost is no surprise.
const commonLoss = 0.1

// lossShare is the percentage of segments that had to be sent again, with the
// sums over the window that it comes from.
func (s *sums) lossShare(again, delivered column) (share, lost, sent float64) {
	lost, sent = s.value[again], s.value[again]+s.value[delivered]
	if s.steps[again] == 0 || s.steps[delivered] == 0 || sent == 0 {
		return table.Missing, lost, sent
	}
	return 100 * lost / sent, lost, sent
}

// notShrunk says in what way the congestion window fails to confirm a loss,
// nothing where it does. Where not even the peers' ever opens, because requests
// fit into the first few segments, the loss has to be larger.
func (x *Examiner) notShrunk(g *group, s *sums, cwnd column, loss, common float64) string {
	own, peers := s.mean(cwnd), g.medians[cwnd]
	untold := table.IsMissing(own) || table.IsMissing(peers) || peers < openWindow
	switch {
	case untold && loss-common < x.opts.LossAlone:
		return "it is too little where congestion windows say nothing"
	case !untold && own > x.opts.Shrunk*peers:
		return "its congestion windows are too large for that"
	}
	return ""
}

// openWindow is the window, in segments, from which half of it can be told from
// the two or three that remain however much is lost.
const openWindow = 6

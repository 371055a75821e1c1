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

// loss: a larger share of the segments has to be sent again than at the peers,
// and congestion windows are as small as that share makes them. A switch whose
// buffer overflows makes connections lose, too, and one with little memory for
// a port keeps them losing; but it drops segments of one burst together, which
// TCP answers by halving its window once. Where each is lost by itself, each
// halves it.
func (x *Examiner) loss(g *group, c int, kind Kind, again, delivered, cwnd column) {
	s := &x.blocks.window[c]
	own, lost, sent := s.lossShare(again, delivered)
	peers := x.median(g, func(s *sums) float64 {
		share, _, _ := s.lossShare(again, delivered)
		return share
	})
	if table.IsMissing(own) || table.IsMissing(peers) {
		return
	}
	o := &x.opts
	lost, sent = lost*float64(x.step), sent*float64(x.step)
	expected := sent * max(peers, commonLoss) / 100
	certain := lost-expected >= o.LossZ*math.Sqrt(max(expected, 1)) && own >= o.LossRatio*peers
	doubt := "its peers lose nearly as much"
	if certain {
		doubt = "its congestion windows are too large for that"
	}
	x.sign(Sign{
		Component: c, Kind: kind, Metric: columns[again].Name, Own: own, Peers: peers, Unit: "% of segments",
		Score: own - peers, Threshold: o.Loss, Scale: "% of segments beyond its peers'",
	}, certain && x.shrunk(g, s, cwnd, own, peers), doubt)
}

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

// shrunk says whether the congestion window confirms a loss. Where not even
// the peers' ever opens, because requests fit into the first few segments, it
// says nothing; then the loss has to be larger.
func (x *Examiner) shrunk(g *group, s *sums, cwnd column, loss, common float64) bool {
	own, peers := s.mean(cwnd), g.medians[cwnd]
	if table.IsMissing(own) || table.IsMissing(peers) || peers < openWindow {
		return loss-common >= x.opts.LossAlone
	}
	return own <= x.opts.Shrunk*peers && own <= mathis/math.Sqrt(loss/100)
}

// mathis divided by the root of the share that is lost is the mean window of a
// connection that loses segments one by one (Mathis, Semke, Mahdavi, Ott, "The
// Macroscopic Behavior of the TCP Congestion Avoidance Algorithm", 1997).
const mathis = 1.22

// openWindow is the window, in segments, from which it is in use: connections
// begin with three or, today, with ten.
const openWindow = 4

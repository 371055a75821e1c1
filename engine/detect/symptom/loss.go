package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// This file compares hosts by the share of their TCP segments that TCP sent again. A segment that
// TCP sent again counts as lost.
//
// Segments are lost for two reasons. A full network drops segments in bursts, and no server is at
// fault. A broken cable, port or interface loses segments one by one, and then the losses per step
// vary only by chance. So the variance of the losses per step shows the reason. Small congestion
// windows can confirm that a host loses segments. Wide congestion windows do not prove that a host
// is healthy. An idle connection keeps its initial window, however many segments the host loses on
// other connections. Some congestion-control algorithms never shrink their windows.
//
// The usual share of lost segments is the median of the peers' shares, because peers with the same
// congestion lose the same share. The share of a host is divided by this usual share. If the ratio
// is at least DoubleTimes and congestion windows confirm the loss, the host is unusual. If the
// ratio is at least the square of DoubleTimes, the host is unusual without a confirmation.

// openWindowSegments is the smallest size of the peers' congestion windows, in segments, at which
// congestion windows can confirm a loss. A congestion window never shrinks below two or three
// segments, however many segments are lost. So half of a smaller window hardly differs from this
// minimum.
const openWindowSegments = 6

// shrunkShare is a ratio of a host's congestion windows to its peers' congestion windows. A ratio
// of shrunkShare or less confirms a loss, because TCP halves its window after a loss.
const shrunkShare = 0.5

// minShrinkingShare is the smallest share of a host's connections that must shrink their windows
// after a loss. If the share is smaller, congestion windows do not confirm a loss.
const minShrinkingShare = 0.5

// minOutageSteps is the minimum number of outage steps in a window that counts as a symptom. In an
// outage step, segments are sent again and no segment arrives. One or two outage steps may be an
// accident.
const minOutageSteps = 3

// minLost returns the minimum number of lost segments in a window that counts as a symptom. If
// segments are lost independently, the standard deviation of their number n is √n. The minimum is
// SureDeviations², because this number is SureDeviations standard deviations above 0.
func (o *limits) minLost() float64 { return o.criteria.SureDeviations * o.criteria.SureDeviations }

// lossSymptoms has the symptom for each direction in which segments are lost.
var lossSymptoms = [window.NumDirections]finding.Symptom{window.FromClients: finding.LosesIn, window.ToClients: finding.LosesOut}

// usualLoss holds medians over a peer group, for one direction: the percentage of lost segments,
// the dispersion of the losses (Loss.Dispersion), and the number of outage steps.
type usualLoss struct{ percent, dispersion, outages float64 }

// examineLoss notes the signs of hosts in a window, for each direction of the segments. A sign is
// one symptom of one host.
func (o *limits) examineLoss(w *Window) {
	w.Groups(topology.Host, func(g *Group) {
		u := [window.NumDirections]usualLoss{window.FromClients: usualLossOf(w, g, window.FromClients), window.ToClients: usualLossOf(w, g, window.ToClients)}
		w.EachMember(g, func(c int) {
			o.examineHost(w, g, c, window.FromClients, u)
			o.examineHost(w, g, c, window.ToClients, u)
			o.examineExchange(w, g, c)
		})
	})
}

func usualLossOf(w *Window, g *Group, way int) usualLoss {
	u := usualLoss{percent: w.Median(g, func(c int) float64 { return w.Losses[c][way].Percent() })}
	u.outages = w.Median(g, func(c int) float64 { return w.Losses[c][way].Outages })
	u.dispersion = w.Median(g, func(c int) float64 {
		if d := w.Losses[c][way].Dispersion(); d > 0 {
			return d
		}
		return table.Missing
	})
	return u
}

// examineHost compares the losses of a host with the losses of its peers, in one direction (way).
// It notes the symptom if the host loses a larger share of its segments than its peers, and if the
// segments are lost one by one.
//
// If the opposite direction loses a similar share of segments in bursts, the sign has the doubt
// finding.InBursts. Perhaps acknowledgements are then lost instead of segments. TCP then sends
// segments again that have already arrived.
//
// examineHost also notes a host with outage steps. A link that goes down and up again causes outage
// steps. Few segments are lost in an outage step, because TCP sends no new segments until a segment
// arrives.
func (o *limits) examineHost(w *Window, g *Group, c, way int, all [window.NumDirections]usualLoss) {
	l, u := &w.Losses[c][way], all[way]
	own := l.Percent()
	if table.IsMissing(own) || table.IsMissing(u.percent) {
		return
	}
	e := finding.Evidence{
		Component: c, Own: own, Peers: u.percent, Unit: "% of segments",
		Score: own / max(u.percent, o.CommonLossPercent), Threshold: o.criteria.DoubleTimes, Scale: finding.TimesPeersLosses,
	}
	doubt := o.doubtLoss(l, u)
	if back := &w.Losses[c][1-way]; doubt == finding.NoDoubt && o.criteria.DoubleTimes*back.Percent() >= own && o.inBursts(back, all[1-way]) {
		doubt = finding.InBursts
	}
	if doubt == finding.NoDoubt && e.Score < o.criteria.DoubleTimes*o.criteria.DoubleTimes && !o.windowsShrunk(w, g, c, &window.Directions[way]) {
		doubt = finding.WideWindows
	}
	if u.outages == 0 && l.Outages >= minOutageSteps && (doubt != finding.NoDoubt || e.Score < e.Threshold) {
		doubt, e.Score, e.Threshold, e.Scale = finding.NoDoubt, l.Outages, minOutageSteps, finding.OutageSteps
	}
	w.Note(lossSymptoms[way], window.Directions[way].Resent, doubt, e)
}

// doubtLoss returns the reason why the numbers of lost segments do not show a fault. It returns
// NoDoubt if there is no such reason.
func (o *limits) doubtLoss(l *window.Loss, u usualLoss) finding.Doubt {
	expected := l.Sent * max(u.percent, o.CommonLossPercent) / percent
	switch {
	case o.inBursts(l, u):
		return finding.InBursts
	case l.Lost < o.minLost():
		return finding.FewLost
	case l.Lost-expected < o.criteria.SureDeviations*math.Sqrt(max(expected, 1)):
		return finding.FewSent
	}
	return finding.NoDoubt
}

// percent converts a percentage to a share: a share is the percentage divided by percent.
const percent = 100

// inBursts reports whether losses come in bursts: the number of lost segments varies from step to
// step more than chance explains. A host loses some segments for the same reason as its peers. The
// number of these segments may vary as much as the losses of the peers. The number of its other
// lost segments may vary by chance: their variance, divided by their mean, may be up to LargeTimes.
//
// If very many segments are lost in each step, even a small variation is larger than chance
// explains. So there is a second condition: losses are a burst only if σ > 2 · FewShare · m. Here m
// is the mean of the losses per step, and σ is their standard deviation.
func (o *limits) inBursts(l *window.Loss, u usualLoss) bool {
	by, own := l.Dispersion(), l.Percent()
	common := min(u.percent, own)
	allowed := o.criteria.LargeTimes
	if u.dispersion > allowed {
		allowed = (common*u.dispersion + (own-common)*o.criteria.LargeTimes) / own
	}
	perStep, steady := l.Lost/max(1, l.Steps), 2*o.criteria.FewShare
	return by > allowed && by-1 > steady*steady*perStep
}

// windowsShrunk reports whether congestion windows confirm a loss. They confirm a loss if the mean
// window of the host is at most shrunkShare times the mean window of its peers. The mean over
// segments is used if it is known, because idle connections send no segments and so do not count.
// Otherwise the mean over connections is used. There is no confirmation in two cases: too few
// connections shrink their windows after a loss (minShrinkingShare), or the windows of the peers
// are too small (openWindowSegments).
func (o *limits) windowsShrunk(w *Window, g *Group, c int, way *window.Direction) bool {
	cwnd := way.Weighted
	if table.IsMissing(g.Medians[cwnd]) {
		cwnd = way.Cwnd
	}
	minds := !(w.ByComponent[c].Mean(way.Shrinks) < minShrinkingShare)
	return minds && g.Medians[cwnd] >= openWindowSegments && w.ByComponent[c].Mean(cwnd) <= shrunkShare*g.Medians[cwnd]
}

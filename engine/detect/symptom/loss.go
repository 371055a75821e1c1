package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// LossOptions are the bounds that decide whether lost TCP segments are a symptom. The method
// Examine compares hosts by the share of their segments that TCP sent again.
//
// Segments are lost for two reasons. A full network drops segments in bursts, and no server is at
// fault. A broken cable, port or interface loses segments one by one, and then the losses per step
// vary only by chance. So the variance of the losses per step shows the reason. The losses of the
// peers show which share of losses is usual. Congestion windows can confirm a loss, but they cannot
// rule it out. An idle connection keeps its initial window, however many segments the host loses on
// other connections. Some congestion-control algorithms never shrink their windows.
type LossOptions struct {
	// PeersRatio is the least ratio of the share of segments that a host loses to the
	// share that its peers lose, if congestion windows confirm the loss.
	PeersRatio float64 `json:"peers_ratio" least:"1"`
	// AloneRatio is the same ratio if congestion windows do not confirm the loss.
	AloneRatio float64 `json:"alone_ratio" least:"1"`
	// CommonPercent is a lower bound for the share that the peers lose, in percent of
	// the segments. A host is compared with CommonPercent if its peers lose less.
	CommonPercent float64 `json:"common_percent"`
	// FewestLostSegments is the least number of lost segments in a window that is a
	// symptom.
	FewestLostSegments float64 `json:"fewest_lost_segments"`
	// Deviations is the least excess of lost segments that is a symptom, in standard deviations.
	// The share of segments that the peers lose predicts a number of lost segments. The number of
	// lost segments must exceed the predicted number by at least this number of standard
	// deviations.
	Deviations float64 `json:"deviations"`
	// BurstRatio is the largest ratio of the variance of losses to the variance that
	// chance alone would give. Losses with a larger ratio come in bursts.
	BurstRatio float64 `json:"burst_ratio" least:"1"`
	// UnsteadyRatio is a lower bound for bursts. If the variation of the losses from step to step
	// is below this share of the losses, the losses never count as a burst.
	UnsteadyRatio float64 `json:"unsteady_ratio"`
	// ShrunkRatio is the largest ratio of a host's congestion windows to its peers'
	// congestion windows that confirms a loss.
	ShrunkRatio float64 `json:"shrunk_ratio"`
	// OpenWindowSegments is the least size of the peers' congestion windows, in
	// segments. If the windows of the peers are smaller, congestion windows do not
	// confirm a loss.
	OpenWindowSegments float64 `json:"open_window_segments"`
	// FewestOutageSteps is the least number of outage steps in a window that is a
	// symptom. In an outage step, segments are sent again and no segment arrives.
	FewestOutageSteps float64 `json:"fewest_outage_steps" least:"1"`
	// MindfulRatio is a share of a host's connections. Congestion windows confirm a loss
	// only if at least this share of the connections shrinks its windows when a segment
	// is lost.
	MindfulRatio float64 `json:"mindful_ratio"`
}

// defaultLossOptions returns the default bounds. A loss of one in a thousand segments is
// normal in any network. Peers with the same congestion lose the same share of segments.
// A host that loses twice this share is unusual if congestion windows confirm the loss.
// A host that loses four times this share is unusual without a confirmation.
func defaultLossOptions() LossOptions {
	return LossOptions{
		PeersRatio: 2, AloneRatio: 4, CommonPercent: 0.1, FewestLostSegments: 16, Deviations: 4,
		BurstRatio: 3, UnsteadyRatio: 0.1, ShrunkRatio: 0.5, OpenWindowSegments: 6, MindfulRatio: 0.5, FewestOutageSteps: 3,
	}
}

// Validate returns an error that names every invalid setting.
func (o *LossOptions) Validate() error { return bounds.Check(*o) }

// lossSymptoms are the symptoms by direction of the segments.
var lossSymptoms = [window.NumWays]finding.Symptom{window.In: finding.LosesIn, window.Out: finding.LosesOut}

// usualLoss holds the medians of the peers' losses in one direction.
type usualLoss struct{ percent, dispersion, outages float64 }

// Examine notes the signs of hosts, for each direction of the segments.
func (o *LossOptions) Examine(w *Window) {
	w.Groups(topology.Host, func(g *Group) {
		u := [window.NumWays]usualLoss{window.In: usualLossOf(w, g, window.In), window.Out: usualLossOf(w, g, window.Out)}
		w.Each(g, func(c int) {
			o.examine(w, g, c, window.In, u)
			o.examine(w, g, c, window.Out, u)
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

// examine notes a host in one direction if a larger share of its segments is sent again than at its
// peers, and if these segments are lost one by one. The sign has the doubt finding.InBursts if the
// opposite direction loses about as large a share in bursts. In this case acknowledgements are
// lost, and TCP sends segments again although they have already arrived. examine also notes a host
// with outage steps. A link that goes down and up again causes outage steps. Few segments are lost
// in an outage step, because TCP sends no new segments until a segment arrives.
func (o *LossOptions) examine(w *Window, g *Group, c, way int, all [window.NumWays]usualLoss) {
	l, u := &w.Losses[c][way], all[way]
	own := l.Percent()
	if table.IsMissing(own) || table.IsMissing(u.percent) {
		return
	}
	e := finding.Evidence{
		Component: c, Own: own, Peers: u.percent, Unit: "% of segments",
		Score: own / max(u.percent, o.CommonPercent), Threshold: o.PeersRatio, Scale: finding.TimesPeersLosses,
	}
	doubt := o.doubt(l, u)
	if back := &w.Losses[c][1-way]; doubt == finding.NoDoubt && o.PeersRatio*back.Percent() >= own && o.inBursts(back, all[1-way]) {
		doubt = finding.InBursts
	}
	if doubt == finding.NoDoubt && e.Score < o.AloneRatio && !o.windowsShrunk(w, g, c, &window.Ways[way]) {
		doubt = finding.WideWindows
	}
	if u.outages == 0 && l.Outages >= o.FewestOutageSteps && (doubt != finding.NoDoubt || e.Score < e.Threshold) {
		doubt, e.Score, e.Threshold, e.Scale = finding.NoDoubt, l.Outages, o.FewestOutageSteps, finding.OutageSteps
	}
	w.Note(lossSymptoms[way], window.Ways[way].Again, doubt, e)
}

// doubt returns the reason why the numbers of segments do not show a fault. It returns
// NoDoubt if there is no such reason.
func (o *LossOptions) doubt(l *window.Loss, u usualLoss) finding.Doubt {
	expected := l.Sent * max(u.percent, o.CommonPercent) / percent
	switch {
	case o.inBursts(l, u):
		return finding.InBursts
	case l.Lost < o.FewestLostSegments:
		return finding.FewLost
	case l.Lost-expected < o.Deviations*math.Sqrt(max(expected, 1)):
		return finding.FewSent
	}
	return finding.NoDoubt
}

// percent is the divisor that turns a percentage into a share.
const percent = 100

// inBursts reports whether losses come in bursts: the number of lost segments varies from step to
// step more than chance explains. A host loses some segments for the same reason as its peers. The
// number of these losses may vary as much as at the peers. The number of its other losses may vary
// only by chance (BurstRatio). If very many segments are lost in each step, even a small variation
// is larger than chance explains. So losses never count as a burst if their variation is below the
// share UnsteadyRatio of the losses.
func (o *LossOptions) inBursts(l *window.Loss, u usualLoss) bool {
	by, own := l.Dispersion(), l.Percent()
	common := min(u.percent, own)
	allowed := o.BurstRatio
	if u.dispersion > allowed {
		allowed = (common*u.dispersion + (own-common)*o.BurstRatio) / own
	}
	perStep := l.Lost / max(1, l.Steps)
	return by > allowed && by-1 > o.UnsteadyRatio*o.UnsteadyRatio*perStep
}

// windowsShrunk reports whether congestion windows confirm a loss: the windows of the host are at
// most ShrunkRatio times as large as the windows of its peers. If windows weighted by segments are
// known, shrunk uses them, so that idle connections do not count. There is no confirmation if too
// few connections shrink their windows after a loss. There is also no confirmation if the windows
// of the peers are smaller than OpenWindowSegments: a window never shrinks below two or three
// segments, which may be half of a small window.
func (o *LossOptions) windowsShrunk(w *Window, g *Group, c int, way *window.Way) bool {
	cwnd := way.Weighted
	if table.IsMissing(g.Medians[cwnd]) {
		cwnd = way.Cwnd
	}
	minds := !(w.Of[c].Mean(way.Shrinks) < o.MindfulRatio)
	return minds && g.Medians[cwnd] >= o.OpenWindowSegments && w.Of[c].Mean(cwnd) <= o.ShrunkRatio*g.Medians[cwnd]
}

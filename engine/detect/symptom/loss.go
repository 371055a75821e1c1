package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// LossOptions are the bounds at which lost segments are a symptom. Examine compares
// connections by the segments that had to be sent again.
//
// Segments are lost for two reasons. A full network drops segments in bursts, and no
// server is at fault. A broken cable, port or interface loses segments one by one, and
// then the losses per step vary only by chance. So the variance separates the two
// reasons, and the peers' losses give the usual share. Congestion windows only confirm a
// loss: an idle connection keeps its first window however many segments are lost, and
// some congestion controls never shrink their windows.
type LossOptions struct {
	// PeersRatio is the least ratio of the lost share to the share that the peers lose,
	// if congestion windows confirm the loss.
	PeersRatio float64 `json:"peers_ratio" least:"1"`
	// AloneRatio is the same ratio if congestion windows do not confirm the loss.
	AloneRatio float64 `json:"alone_ratio" least:"1"`
	// CommonPercent is the least share that the peers are assumed to lose, in percent of
	// the segments.
	CommonPercent float64 `json:"common_percent"`
	// FewestLostSegments is the least number of lost segments in a window.
	FewestLostSegments float64 `json:"fewest_lost_segments"`
	// Deviations is how many standard deviations the losses must lie above the losses
	// that the peers' share predicts.
	Deviations float64 `json:"deviations"`
	// BurstRatio is the largest ratio of the variance of losses to the variance that
	// chance gives. Losses with a larger ratio come in bursts.
	BurstRatio float64 `json:"burst_ratio" least:"1"`
	// UnsteadyRatio is the variation of the losses, as a share of the losses, that is
	// never a burst.
	UnsteadyRatio float64 `json:"unsteady_ratio"`
	// ShrunkRatio is the largest ratio of congestion windows to the peers' that confirms
	// a loss.
	ShrunkRatio float64 `json:"shrunk_ratio"`
	// OpenWindowSegments is the least size of the peers' windows in such a confirmation,
	// in segments.
	OpenWindowSegments float64 `json:"open_window_segments"`
	// FewestOutageSteps is the number of steps without any delivered segment in a window
	// that is a symptom.
	FewestOutageSteps float64 `json:"fewest_outage_steps" least:"1"`
	// MindfulRatio is the least share of a server's remote hosts whose congestion
	// windows shrink when a segment is lost.
	MindfulRatio float64 `json:"mindful_ratio"`
}

// defaultLossOptions returns the default bounds. A loss of one in a thousand segments is
// normal in any network. Twice the share of peers with the same congestion is unusual if
// it is confirmed; four times that share is unusual without confirmation.
func defaultLossOptions() LossOptions {
	return LossOptions{
		PeersRatio: 2, AloneRatio: 4, CommonPercent: 0.1, FewestLostSegments: 16, Deviations: 4,
		BurstRatio: 3, UnsteadyRatio: 0.1, ShrunkRatio: 0.5, OpenWindowSegments: 6, MindfulRatio: 0.5, FewestOutageSteps: 3,
	}
}

// Validate reports every setting that cannot work.
func (o *LossOptions) Validate() error { return bounds.Check(*o) }

// lossSymptoms are the symptoms by direction.
var lossSymptoms = [window.NumWays]finding.Symptom{window.In: finding.LosesIn, window.Out: finding.LosesOut}

// usualLoss holds the medians of the peers' losses.
type usualLoss struct{ percent, dispersion, outages float64 }

// Examine notes the signs of connections, for each direction.
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

// examine notes a host if a larger share of its segments is sent again than of its
// peers' segments, and if they are lost one by one. If about as many segments are lost
// in bursts in the other direction, then acknowledgements are lost, and segments are
// sent again although they arrived. It also notes a host for which no segment arrived in
// several steps, as with a link that goes down and up. Few segments are lost in such
// steps, because TCP sends no new ones until one arrives.
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
	if doubt == finding.NoDoubt && e.Score < o.AloneRatio && !o.shrunk(w, g, c, &window.Ways[way]) {
		doubt = finding.WideWindows
	}
	if u.outages == 0 && l.Outages >= o.FewestOutageSteps && (doubt != finding.NoDoubt || e.Score < e.Threshold) {
		doubt, e.Score, e.Threshold, e.Scale = finding.NoDoubt, l.Outages, o.FewestOutageSteps, finding.OutageSteps
	}
	w.Note(lossSymptoms[way], window.Ways[way].Again, doubt, e)
}

// doubt returns the doubt about a loss from the counts of segments.
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

// percent turns a percentage into a share.
const percent = 100

// inBursts reports whether losses vary more than by chance, and enough to matter. The
// share that the peers lose too may vary as much as the peers' losses vary; the rest
// must be lost one by one. Ten thousand losses per second hardly vary by chance, but a
// change of a tenth is no burst.
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

// shrunk reports whether congestion windows confirm a loss. Windows of idle connections
// do not count, if it is known which are idle. Windows of congestion controls that
// ignore losses do not count either. Half of a small window cannot be separated from the
// two or three segments that remain after any loss.
func (o *LossOptions) shrunk(w *Window, g *Group, c int, way *window.Way) bool {
	cwnd := way.Weighted
	if table.IsMissing(g.Medians[cwnd]) {
		cwnd = way.Cwnd
	}
	minds := !(w.Of[c].Mean(way.Shrinks) < o.MindfulRatio)
	return minds && g.Medians[cwnd] >= o.OpenWindowSegments && w.Of[c].Mean(cwnd) <= o.ShrunkRatio*g.Medians[cwnd]
}

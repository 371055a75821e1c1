// This file judges the connections of servers by the segments that had to be
// sent again.
//
// Two things lose segments. A network that is full drops what comes together,
// and is nobody's fault. A cable, a port or an interface that is broken loses
// one by one, and then the losses of a step vary from one to the next as chance
// does. So the variance tells the two apart, and the share that peers lose says
// how much is unusual. Congestion windows only support: an idle connection keeps
// its first window however much is lost, and some congestion controls do not
// shrink theirs at all.
//
// It reads the window of package peers and notes signs in it. It remembers
// nothing.

package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// LossOptions are the bounds from which lost segments are a symptom.
type LossOptions struct {
	PeersRatio         float64 `json:"peers_ratio" least:"1"`         // times the share that the peers lose, where windows confirm it,
	AloneRatio         float64 `json:"alone_ratio" least:"1"`         // and where they do not;
	CommonPercent      float64 `json:"common_percent"`                // of the segments, which the peers lose at the least;
	FewestLostSegments float64 `json:"fewest_lost_segments"`          // and at least so many in a window,
	Deviations         float64 `json:"deviations"`                    // by so many deviations more than at the peers' share;
	BurstRatio         float64 `json:"burst_ratio" least:"1"`         // which vary no more than so many times as by chance,
	UnsteadyRatio      float64 `json:"unsteady_ratio"`                // or by this part of themselves;
	ShrunkRatio        float64 `json:"shrunk_ratio"`                  // windows of at most this part of the peers' confirm it,
	OpenWindowSegments float64 `json:"open_window_segments"`          // where the peers' are at least so large
	FewestOutageSteps  float64 `json:"fewest_outage_steps" least:"1"` // steps of a window in which nothing comes through
	MindfulRatio       float64 `json:"mindful_ratio"`                 // and at least this part of the hosts shrinks windows at all
}

// defaultLossOptions allow a thousandth, as in any network. Twice the share of peers
// with the same congestion is unusual, and four times is so without the windows.
func defaultLossOptions() LossOptions {
	return LossOptions{
		PeersRatio: 2, AloneRatio: 4, CommonPercent: 0.1, FewestLostSegments: 16, Deviations: 4,
		BurstRatio: 3, UnsteadyRatio: 0.1, ShrunkRatio: 0.5, OpenWindowSegments: 6, MindfulRatio: 0.5, FewestOutageSteps: 3,
	}
}

// Validate reports every setting that cannot work.
func (o *LossOptions) Validate() error { return bounds.Check(*o) }

var symptoms = [window.NumWays]finding.Symptom{window.In: finding.LosesIn, window.Out: finding.LosesOut}

// usual is what the peers lose.
type usual struct{ percent, dispersion, outages float64 }

// Judge notes what connections show, each way.
func (o *LossOptions) Judge(w *Window) {
	w.Groups(topology.Host, func(g *Group) {
		u := [window.NumWays]usual{window.In: usualOf(w, g, window.In), window.Out: usualOf(w, g, window.Out)}
		w.Each(g, func(c int) {
			o.judge(w, g, c, window.In, u)
			o.judge(w, g, c, window.Out, u)
		})
	})
}

func usualOf(w *Window, g *Group, way int) usual {
	u := usual{percent: w.Median(g, func(c int) float64 { return w.Losses[c][way].Percent() })}
	u.outages = w.Median(g, func(c int) float64 { return w.Losses[c][way].Outages })
	u.dispersion = w.Median(g, func(c int) float64 {
		if d := w.Losses[c][way].Dispersion(); d > 0 {
			return d
		}
		return table.Missing
	})
	return u
}

// judge: a larger share of the segments has to be sent again than at the peers,
// and they are lost one by one. Where about as much is lost in bursts on the way back,
// acknowledgements are lost with it, and what they were for is sent again. Or else nothing comes through for a step, again
// and again, as where a link goes down and up: few segments are lost then, since
// nobody sends more until they arrive.
func (o *LossOptions) judge(w *Window, g *Group, c, way int, all [window.NumWays]usual) {
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
	w.Note(symptoms[way], window.Ways[way].Again, doubt, e)
}

// doubt says what the counts of segments say against a loss.
func (o *LossOptions) doubt(l *window.Loss, u usual) finding.Doubt {
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

const percent = 100

// inBursts says whether losses vary more than by chance, and enough to matter. As
// much as the peers lose may vary as theirs does; only what is lost beyond that
// has to be lost one by one. Of ten thousand losses a second chance lets hardly
// any be more or fewer, and a share that goes up and down by a tenth is no burst.
func (o *LossOptions) inBursts(l *window.Loss, u usual) bool {
	by, own := l.Dispersion(), l.Percent()
	common := min(u.percent, own)
	allowed := o.BurstRatio
	if u.dispersion > allowed {
		allowed = (common*u.dispersion + (own-common)*o.BurstRatio) / own
	}
	perStep := l.Lost / max(1, l.Steps)
	return by > allowed && by-1 > o.UnsteadyRatio*o.UnsteadyRatio*perStep
}

// shrunk says whether congestion windows confirm a loss. Those of idle
// connections say nothing, where they are told apart; nor do those of congestion
// controls that do not mind losses. Half of a small window cannot be told from
// the two or three segments that remain however much is lost.
func (o *LossOptions) shrunk(w *Window, g *Group, c int, way *window.Way) bool {
	cwnd := way.Weighted
	if table.IsMissing(g.Medians[cwnd]) {
		cwnd = way.Cwnd
	}
	minds := !(w.Of[c].Mean(way.Shrinks) < o.MindfulRatio)
	return minds && g.Medians[cwnd] >= o.OpenWindowSegments && w.Of[c].Mean(cwnd) <= o.ShrunkRatio*g.Medians[cwnd]
}

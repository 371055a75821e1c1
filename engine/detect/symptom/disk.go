// This file judges the drives of servers by what their work should cost.
//
// A drive is not judged by how busy it is, but by how busy it is for what it
// does: its own work has a price, and its peers set it. A drive that costs more
// is slow, or has work that its server does not see. A drive that does what
// nobody called for has a hog. A drive that is only asked for more than its
// peers is healthy, however long its requests wait.
//
// It reads the window of package peers and notes signs in it. Between windows it
// remembers what each drive has served and how busy it was for that.

package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// detector judges drives.
type detector struct {
	opts  DiskOptions
	past  []past // by component
	price price  // of the group that is being judged
}

// newDisk returns a detector for so many components.
func newDisk(o DiskOptions, components int) *detector {
	return &detector{opts: o, past: make([]past, components)}
}

// Window judges the drives of a window.
func (d *detector) Window(w *Window) {
	w.Groups(topology.Attachment, func(g *Group) {
		d.price = d.priceOf(w, g)
		w.Each(g, func(c int) { d.judge(w, g, c) })
		w.Each(g, func(c int) { d.past[c].close(w.End) })
	})
}

// judge notes what one drive shows.
func (d *detector) judge(w *Window, g *Group, c int) {
	called := d.loaded(w, g, c)
	own := d.await(w, c)
	if table.IsMissing(own) || !(d.price.await > 0) {
		return
	}
	does, ratio := workOf(&w.Of[c]), own/d.price.await
	doubt := d.doubtWaits(w, g, c, does, ratio, called)
	slow := w.Note(finding.Waits, window.Await, doubt, finding.Evidence{
		Component: c, Own: own, Peers: d.price.await, Score: ratio, Threshold: d.opts.WaitRatio, Scale: finding.TimesPeers,
	})
	d.asked(w, g, c, does, ratio >= d.opts.WaitRatio, slow, called)
	d.past[c].take(does, slow, does.util-d.price.cost(does) >= d.opts.margin(d.price.cost(does)))
}

// await is how long a request waited, missing where there were too few.
func (d *detector) await(w *Window, c int) float64 {
	t := &w.Of[c]
	if t.Requests*float64(w.StepSeconds) < d.opts.FewestRequests {
		return table.Missing
	}
	return t.Waited / t.Requests
}

// doubtWaits says what speaks against a drive that is slow where requests wait
// longer than at the peers.
//
// Where all drives are saturated, those that happen to be last in line wait
// several times as long as others, and nothing is wrong. So the drive has to be
// busier than its own work would make its peers, or its requests wait far longer
// than what peers differ by for no more work. What a byte costs depends on how
// many there are. So a drive that is as busy as a peer once was for no more, and
// one that serves more than any peer ever did, are not known to be slow.
func (d *detector) doubtWaits(w *Window, g *Group, c int, does work, ratio float64, called bool) finding.Doubt {
	cost := d.price.cost(does)
	more := cost-d.price.util >= d.opts.margin(d.price.util)
	far := ratio >= d.opts.FarRatio && math.Log(ratio) >= d.opts.FarDeviations*max(d.price.spread, d.opts.LeastSpreadNats)
	switch {
	case far && !more:
		return finding.NoDoubt
	case !(does.util-cost >= d.opts.margin(cost)):
		return finding.NoBusier
	case ratio < d.opts.WaitRatio: // no need to ask the past
		return finding.NoDoubt
	case called && does.bytes >= d.opts.MostRatio*d.mostServed(w, g, c):
		return finding.MoreThanAny
	}
	if cost = max(cost, d.precedent(g, c, does, w.End)); does.util-cost < d.opts.margin(cost) {
		return finding.BusyAsPeer
	}
	return finding.NoDoubt
}

// margin is by how much a drive has to be busier than a cost.
func (o *DiskOptions) margin(percent float64) float64 {
	return min(o.BusierPercent, o.BusierRatio*percent)
}

// asked: the drive has more work than its peers, clients called for it, it costs
// what it would cost the peers, and requests wait for it. Nothing is wrong with
// the drive.
func (d *detector) asked(w *Window, g *Group, c int, does work, waits, slow, called bool) {
	if !(d.price.util > 0) || table.IsMissing(d.price.cost(does)) {
		return
	}
	doubt := finding.NoDoubt
	switch {
	case !called:
		doubt = finding.NotAsked
	case !waits:
		doubt = finding.NoLonger
	case slow:
		doubt = finding.TooDear
	}
	of := window.Read
	if w.Excess(g, c, window.Written) > w.Excess(g, c, window.Read) {
		of = window.Written
	}
	w.Note(finding.Asked, of, doubt, finding.Evidence{
		Component: c, Own: w.Of[c].Mean(of), Peers: g.Medians[of], Score: d.price.cost(does) / d.price.util,
		Threshold: 1 + d.opts.margin(d.price.util)/d.price.util, Scale: finding.TimesPeersWork,
	})
}

// loaded: the drive reads or writes more than its peers, and the network did not
// bring it. The score is the part of a drive's time that this takes, so that it
// does not matter how fast drives are and how large their requests. It is a part
// of a peer's time, because a drive that is slow as well takes longer for
// anything. It returns whether the work of the drive was called for.
func (d *detector) loaded(w *Window, g *Group, c int) (called bool) {
	t := &w.Of[c]
	for _, m := range [...]window.Column{window.Read, window.Written, window.Util} {
		if table.IsMissing(t.Mean(m)) || table.IsMissing(g.Medians[m]) {
			return false
		}
	}
	l := w.LoadOf(c)
	read := sectorBytes*w.Excess(g, c, window.Read) - w.Options.CalledFor(&l, l.Sent)
	written := sectorBytes*w.Excess(g, c, window.Written) - w.Options.CalledFor(&l, l.Received)
	of, uncalled := window.Read, read
	if written > read {
		of, uncalled = window.Written, written
	}
	score := min(t.Mean(window.Util), uncalled*costOfByte(g, t))
	doubt := finding.NoDoubt
	if uncalled < d.opts.HogShare*sectorBytes*(g.Medians[window.Read]+g.Medians[window.Written]) {
		doubt = finding.LittleMore
	}
	return !w.Note(finding.Loaded, of, doubt, finding.Evidence{
		Component: c, Own: t.Mean(of), Peers: g.Medians[of], Score: score, Threshold: d.opts.HogPercent, Scale: finding.PercentOfDrive,
	})
}

// costOfByte is the percentage of its time that a drive of the group needs for a
// byte a second; the drive's own where its peers move no data.
func costOfByte(g *Group, t *window.Total) float64 {
	if theirs := sectorBytes * (g.Medians[window.Read] + g.Medians[window.Written]); theirs > 0 {
		return g.Medians[window.Util] / theirs
	}
	if own := sectorBytes * (t.Mean(window.Read) + t.Mean(window.Written)); own > 0 {
		return t.Mean(window.Util) / own
	}
	return 0
}

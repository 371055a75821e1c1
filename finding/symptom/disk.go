package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/table"
)

// disk judges one drive.
func (x *examiner) disk(g *group, c int) {
	x.slow(g, c)
	x.loaded(g, c)
}

// await is how long a request waited, missing where there were too few.
func (x *examiner) await(s *sums) float64 {
	if s.requests*float64(x.step) < x.opts.FewestRequests {
		return table.Missing
	}
	return s.waited / s.requests
}

// slow: requests wait longer than at the peers. Where all disks are saturated
// those that happen to be last in line wait several times as long as others, and
// nothing is wrong. So the disk has also to be busier than its peers, or to be
// far beyond what they differ by.
func (x *examiner) slow(g *group, c int) {
	s := &x.blocks.window[c]
	own := x.await(s)
	if table.IsMissing(own) || !(g.await > 0) {
		return
	}
	o, ratio := &x.opts, own/g.await
	busier := s.mean(util)-g.medians[util] >= min(o.BusierPercent, o.BusierRatio*g.medians[util])
	far := ratio >= o.FarRatio && math.Log(ratio) >= o.FarDeviations*max(g.spread, o.LeastSpreadNats)
	doubt := ""
	if !busier && !far {
		doubt = "the drive is no busier than its peers'"
	}
	x.sign(Slow, wait, doubt, finding.Evidence{
		Component: c, Own: own, Peers: g.await, Score: ratio, Threshold: o.SlowRatio, Scale: "times its peers'",
	})
}

// loaded: the drive reads or writes more than its peers, and the network did not
// bring it. The score is the part of a drive's time that this takes, so that it
// does not matter how fast drives are and how large their requests. It is a part
// of a peer's time, because a drive that is slow as well takes longer for
// anything.
func (x *examiner) loaded(g *group, c int) {
	s := &x.blocks.window[c]
	busy := s.mean(util)
	for _, m := range [...]column{rd, wr, util} {
		if table.IsMissing(s.mean(m)) || table.IsMissing(g.medians[m]) {
			return
		}
	}
	read, written := sector*x.excess(g, c, rd), sector*x.excess(g, c, wr)
	if l := x.loadOf(c); l != nil {
		read -= x.opts.calledFor(l, l.sent)
		written -= x.opts.calledFor(l, l.received)
	}
	of, uncalled := rd, read
	if written > read {
		of, uncalled = wr, written
	}
	x.sign(Loaded, of, "", finding.Evidence{
		Component: c, Own: s.mean(of), Peers: g.medians[of],
		Score: min(busy, uncalled*g.cost(s)), Threshold: x.opts.DiskPercent, Scale: "% of a drive's time",
	})
}

// cost is the percentage of its time that a drive of the group needs for a byte
// a second; the drive's own where its peers move no data.
func (g *group) cost(s *sums) float64 {
	if peers := sector * (g.medians[rd] + g.medians[wr]); peers > 0 {
		return g.medians[util] / peers
	}
	if own := sector * (s.mean(rd) + s.mean(wr)); own > 0 {
		return s.mean(util) / own
	}
	return 0
}

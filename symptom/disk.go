package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/table"
)

// disk judges one drive.
func (x *Examiner) disk(g *group, c int) {
	x.slow(g, c)
	x.loaded(g, c)
}

func (x *Examiner) await(s *sums) float64 { return s.await(float64(x.step)) }

// slow: requests wait longer than at the peers. Where all disks are saturated
// those that happen to be last in line wait several times as long as others,
// and nothing is wrong; so the disk has also to be busier than its peers, or
// to be far beyond what they differ by.
func (x *Examiner) slow(g *group, c int) {
	s := &x.blocks.window[c]
	own := x.await(s)
	if table.IsMissing(own) || !(g.await > 0) {
		return
	}
	o, ratio := &x.opts, own/g.await
	busier := s.mean(util)-g.medians[util] >= min(o.Busier, o.BusierBy*g.medians[util])
	far := ratio >= o.FarRatio && math.Log(ratio) >= o.FarZ*max(g.spread, leastSpread)
	x.sign(Sign{
		Component: c, Kind: Slow, Metric: columns[wait].Name, Own: own, Peers: g.await, Unit: columns[wait].Unit,
		Score: ratio, Threshold: o.SlowRatio, Scale: "times its peers'",
	}, busier || far, "the drive is no busier than its peers'")
}

// leastSpread is by how much equal drives differ at any rate, as a logarithm.
const leastSpread = 0.1

// loaded: the drive reads or writes more than its peers, and the network did
// not bring it. The score is the part of a drive's time that this takes, so
// that it does not matter how fast drives are and how large their requests;
// of a peer's time, because one that is slow as well takes longer for anything.
func (x *Examiner) loaded(g *group, c int) {
	s := &x.blocks.window[c]
	busy := s.mean(util)
	for _, m := range []column{rd, wr, util} {
		if table.IsMissing(s.mean(m)) || table.IsMissing(g.medians[m]) {
			return
		}
	}
	read, written := sector*x.excess(g, c, rd), sector*x.excess(g, c, wr)
	if l := x.loadOf(c); l != nil {
		read -= l.called(l.sent)
		written -= l.called(l.received)
	}
	of, uncalled := rd, read
	if written > read {
		of, uncalled = wr, written
	}
	share := min(busy, uncalled*x.cost(g, s))
	x.sign(Sign{
		Component: c, Kind: Loaded, Metric: columns[of].Name, Own: s.mean(of), Peers: g.medians[of], Unit: columns[of].Unit,
		Score: share, Threshold: x.opts.DiskShare, Scale: "% of a drive's time",
	}, true, "")
}

// cost is the percentage of its time that a drive of the group needs for a
// byte a second; the drive's own where its peers move no data.
func (x *Examiner) cost(g *group, s *sums) float64 {
	if peers := sector * (g.medians[rd] + g.medians[wr]); peers > 0 {
		return g.medians[util] / peers
	}
	if own := sector * (s.mean(rd) + s.mean(wr)); own > 0 {
		return s.mean(util) / own
	}
	return 0
}

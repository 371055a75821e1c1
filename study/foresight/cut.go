package foresight

import (
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/history"
	"github.com/limpet-storage/limpet/study/tally"
)

// cut asks what a RAID would gain that can do without its slowest drive, or
// its slowest two, by reading parity in their place (T16 Finding 3).
type cut struct {
	*tally.Sheet
	threshold float64
	left      int // counts of tail hours that are left when 0, 1, 2 tails are cut
	own       int // count of those left when each group cuts as many as it has parity drives
	stretch   int // sums of T1, T2, T3, in study.TailUnits
}

func newCut(s *tally.Sheet, threshold float64) *cut {
	return &cut{s, threshold, s.Sums.Block(study.Narrowest), s.Sums.Block(1), s.Sums.Block(study.Narrowest)}
}

func (c *cut) Group(g *history.Group) {
	for i, sum := range g.TailSum {
		c.Sums.Add(c.stretch+i, sum)
	}
	for _, t := range g.Tails {
		for n := range study.Narrowest {
			c.Sums.Add(c.left+n, tally.One(t.Reaches(1+n, c.threshold)))
		}
		c.Sums.Add(c.own, tally.One(t.Reaches(1+int(g.Parity), c.threshold)))
	}
}

func (c *cut) Report() {
	at := tally.Short(c.threshold)
	t := finding.Table{
		Name: "cut-" + at, Title: "Tail hours at " + tally.Times(c.threshold) + " if the longest tails are cut", Source: "T16 Finding 3",
		Columns: []string{"cut", "tail hours", "share of group hours", "saved", "full-stripe slowdown, mean"},
		Note:    "As if the parity drives were not slow at the same time; they are not studied (T16 §3.3).",
	}
	for n, label := range []string{"none", "the longest tail", "the longest two"} {
		t.Add(label, c.Total(c.left+n), c.Ratio(c.left+n, c.Hours), c.saved(c.left+n), c.mean(n))
	}
	t.Add("as many as the group has parity drives",
		c.Total(c.own), c.Ratio(c.own, c.Hours), c.saved(c.own), finding.Value{Unit: finding.Times, None: true})
	c.Table(t)
	c.Figure(finding.Figure{Name: "saved-by-one-" + at, Value: c.saved(c.left + 1)}, "of the tail hours of %s at "+tally.Times(c.threshold)+" would be saved by cutting the longest tail")
	c.Figure(finding.Figure{Name: "saved-by-two-" + at, Value: c.saved(c.left + 2)}, "of the tail hours of %s at "+tally.Times(c.threshold)+" would be saved by cutting the longest two")
	c.Figure(finding.Figure{Name: "saved-by-own-" + at, Value: c.saved(c.own)}, "of the tail hours of %s at "+tally.Times(c.threshold)+" would be saved by the parity drives that the groups have")
}

// saved is the share of tail hours that are no longer.
func (c *cut) saved(left int) finding.Value {
	return c.Value(finding.Share, c.left, func(sum boot.Sum) float64 { return 1 - sum(left)/sum(c.left) })
}

// mean is the mean of a tail over all group hours: how much longer than on a
// stable drive a full stripe takes.
func (c *cut) mean(tail int) finding.Value {
	return c.Value(finding.Times, c.Hours, func(sum boot.Sum) float64 { return sum(c.stretch+tail) / study.TailUnits / sum(c.Hours) })
}

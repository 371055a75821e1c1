package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// parityCut asks how many tail hours a RAID would avoid if it read parity instead of its slowest
// drive, or of its slowest two (T16 Finding 3).
type parityCut struct {
	*sheet
	threshold float64
	parity    parityOnFile
	left      int // counts of tail hours that remain without the 0, 1, 2 slowest drives
	own       int // the same, without as many drives as the group has parity drives
	drives    int // count of parity drives
	stretch   int // sums of T1, T2, T3, in study.TailUnits
}

func newCut(s *sheet, threshold float64, parity parityOnFile) *parityCut {
	return &parityCut{s, threshold, parity, s.Sums.Block(study.Narrowest), s.Sums.Block(1), s.Sums.Block(1), s.Sums.Block(study.Narrowest)}
}

// parityOnFile has the number of parity drives in the inventory, by group. It is used for groups
// whose parity drives have no records.
type parityOnFile map[string]int

func newParityOnFile(f *study.Fleet) parityOnFile {
	all := parityOnFile{}
	for i := range f.Drives {
		if d := &f.Drives[i]; d.Role == study.Parity && d.Group != "" {
			all[d.Group]++
		}
	}
	return all
}

func (c *parityCut) Group(g *study.Group) {
	for i, sum := range g.TailSum {
		c.Sums.Add(c.stretch+i, sum)
	}
	drives := c.parityDrives(g)
	c.Sums.Add(c.drives, int64(drives))
	for _, t := range g.Tails {
		for n := range study.Narrowest {
			c.Sums.Add(c.left+n, oneIf(t.Reaches(1+n, c.threshold)))
		}
		c.Sums.Add(c.own, oneIf(t.Reaches(1+drives, c.threshold)))
	}
}

// parityDrives returns the number of the group's parity drives with records; if there are none,
// the number of its parity drives in the inventory.
func (c *parityCut) parityDrives(g *study.Group) int {
	if g.Parity > 0 {
		return int(g.Parity)
	}
	return c.parity[c.Fleet.Groups[g.Group]]
}

func (c *parityCut) Report() {
	t := study.Table{
		Name: "cut-" + short(c.threshold), Title: "Hours with a slow drive if the slowest drives were left out, at " + times(c.threshold), Source: "T16 Finding 3",
		Columns: []string{"drives left out", "hours with a slow drive", "share of group hours", "avoided", "mean slowdown of full-stripe reads"},
		Note:    "This assumes that parity drives are not slow at the same time. Parity drives are not studied (T16 §3.3). Slowdowns above 65,536× count as 65,536×.",
	}
	for n, label := range []string{"none", "the slowest drive", "the two slowest drives"} {
		t.Add(label, c.Total(c.left+n), c.Ratio(c.left+n, c.Hours), c.saved(c.left+n), c.mean(n))
	}
	known := c.Sums.Total(c.drives) > 0
	if known {
		t.Add("as many of the slowest drives as the group has parity drives",
			c.Total(c.own), c.Ratio(c.own, c.Hours), c.saved(c.own), study.Value{Unit: study.Times, None: true})
	}
	c.Table(t)
	at := short(c.threshold)
	c.Figure(study.Figure{Name: "saved-by-one-" + at, Value: c.saved(c.left + 1)}, "of the group hours of %s with a slow drive ("+times(c.threshold)+" or more) would be hours without a slow drive if the slowest drive were left out")
	c.Figure(study.Figure{Name: "saved-by-two-" + at, Value: c.saved(c.left + 2)}, "of the group hours of %s with a slow drive ("+times(c.threshold)+" or more) would be hours without a slow drive if the two slowest drives were left out")
	if known {
		c.Figure(study.Figure{Name: "saved-by-own-" + at, Value: c.saved(c.own)}, "of the group hours of %s with a slow drive ("+times(c.threshold)+" or more) would be hours without a slow drive if the slowest drives were left out, one for each parity drive of the group")
	}
}

// saved returns the share of tail hours that would be avoided; left is the count of tail hours
// that remain.
func (c *parityCut) saved(left int) study.Value {
	return c.Value(study.Share, func(sum study.Sum) float64 { return 1 - sum(left)/sum(c.left) }, c.left)
}

// mean returns the mean of a tail over all group hours. It is the time of a full-stripe read,
// divided by the time of the median drive.
func (c *parityCut) mean(tail int) study.Value {
	return c.Value(study.Times, func(sum study.Sum) float64 { return sum(c.stretch+tail) / study.TailUnits / sum(c.Hours) }, c.Hours)
}

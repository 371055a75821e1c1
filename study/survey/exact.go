package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// exactRatios are ratios that occur often if latencies are recorded in coarse steps (T16 §4.1.2).
var exactRatios = [...]float64{1.5, 2, 3}

// exact asks how many slowdowns are exactly 1.5, 2 or 3.
type exact struct {
	*sheet
	at, tail int // counts by ratio: S = ratio, T1 = ratio
	all      int // count: S is one of the ratios
}

func newExact(s *sheet) *exact {
	return &exact{s, s.Sums.Block(len(exactRatios)), s.Sums.Block(len(exactRatios)), s.Sums.Block(1)}
}

func (e *exact) Group(g *study.Group) {
	for _, t := range g.Tails {
		for i, h := range t.Slow {
			e.hour(h, i == 0)
		}
	}
}

func (e *exact) hour(h study.SlowHour, longest bool) {
	for i, x := range exactRatios {
		if h.S == x {
			e.Sums.Add(e.at+i, 1)
			e.Sums.Add(e.all, 1)
			e.Sums.Add(e.tail+i, oneIf(longest))
		}
	}
}

func (e *exact) Report() {
	e.Share("exact-ratios", e.all, e.DriveHours, "of the drive hours of %s have a slowdown of exactly 1.5, 2 or 3 (a sign of latencies that are rounded coarsely)")
	e.Share("exact-tail", e.tail+1, e.Hours, "of the group hours of %s are hours in which the slowest drive has a slowdown of exactly 2×")
	t := study.Table{Name: "exact", Title: "Slowdowns of exactly 1.5, 2 and 3", Source: "T16 §4.1.2", Columns: []string{"exactly", "drive hours", "share", "hours in which the slowest drive has this slowdown"}}
	for i, x := range exactRatios {
		t.Add(times(x), e.Total(e.at+i), e.Ratio(e.at+i, e.DriveHours), e.Ratio(e.tail+i, e.Hours))
	}
	e.Table(t)
}

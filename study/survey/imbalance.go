package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// imbalance asks whether slow drives have more or larger I/Os than their peers, and whether
// drives with more or larger I/Os are slow (T16 §4.2, Figure 7).
type imbalance struct {
	*sheet
	threshold   float64
	binner      *study.Binner
	rate, size  load
	busy, large int // counts of drive hours with twice the median's I/Os, and of twice the size
}

// A load holds the ratios of slow hours' I/O counts, or sizes, to the median of the group.
type load struct {
	known int             // count of slow hours with a known ratio
	twice int             // count of slow hours with a ratio of at least study.Imbalanced
	all   study.Histogram // ratios
}

func newImbalance(s *sheet, threshold float64) *imbalance {
	i := &imbalance{sheet: s, threshold: threshold, binner: study.NewBinner(), busy: s.Sums.Block(1), large: s.Sums.Block(1)}
	i.rate.known, i.rate.twice = s.Sums.Block(1), s.Sums.Block(1)
	i.size.known, i.size.twice = s.Sums.Block(1), s.Sums.Block(1)
	return i
}

func (i *imbalance) Group(g *study.Group) {
	i.Sums.Add(i.busy, g.Busy)
	i.Sums.Add(i.large, g.Large)
	for _, t := range g.Tails {
		for _, h := range t.Slow {
			if h.S >= i.threshold {
				i.count(&i.rate, h.Rate)
				i.count(&i.size, h.Size)
			}
		}
	}
}

func (i *imbalance) count(l *load, times float32) {
	if times != times {
		return
	}
	i.Sums.Add(l.known, 1)
	i.Sums.Add(l.twice, oneIf(times >= study.Imbalanced))
	l.all[i.binner.Bin(float64(times))]++
}

func (i *imbalance) Report() {
	at, slow := short(i.threshold), times(i.threshold)
	i.Share("busy-in-slow-"+at, i.rate.twice, i.rate.known, "of the slow hours of %s ("+slow+" or more) have at least twice as many I/Os as the median of the peers")
	i.Share("slow-in-busy-"+at, i.rate.twice, i.busy, "of the hours in which %s have at least twice as many I/Os as the median of the peers are slow ("+slow+" or more)")
	i.Share("large-in-slow-"+at, i.size.twice, i.size.known, "of the slow hours of %s ("+slow+" or more) have I/Os at least twice as large as the median of the peers")
	i.Share("slow-in-large-"+at, i.size.twice, i.large, "of the hours in which %s have I/Os at least twice as large as the median of the peers are slow ("+slow+" or more)")
	i.Chart(study.Chart{
		Name: "imbalance-in-slow-" + at, Title: "I/Os of slow drives compared with their peers", Source: "T16 Figure 7a, 7c",
		X: study.Axis{Title: "I/Os, or their size, divided by the median of the peers", To: 4}, Y: study.Axis{Title: "share of slow hours with a smaller value", To: 1},
		Curves: []study.Curve{{Name: "I/O count", Points: cdf(&i.rate.all, 0)}, {Name: "I/O size", Points: cdf(&i.size.all, 0)}},
	})
	if i.threshold == i.Main() {
		i.Chart(study.Chart{
			Name: "slow-in-imbalance", Title: "Slowdown of drives with twice the load of their peers", Source: "T16 Figure 7b, 7d",
			X: study.Axis{Title: "slowdown", To: 4}, Y: study.Axis{Title: "share of hours with a smaller value", To: 1},
			Curves: []study.Curve{{Name: "twice the I/Os", Points: cdf(&i.Spread.Busy, 0)}, {Name: "twice the size", Points: cdf(&i.Spread.Large, 0)}},
		})
	}
}

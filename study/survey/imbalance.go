package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// imbalance asks whether drives are slow because they do more or larger I/Os,
// both ways (T16 §4.2, Figure 7).
type imbalance struct {
	*sheet
	threshold   float64
	binner      *study.Binner
	rate, size  load
	busy, large int // counts of drive hours with twice the I/Os, or larger ones
}

// A load of slow hours: I/Os or their size, against the peers'.
type load struct {
	known int // count of slow hours with a known ratio
	twice int // count of those with twice the peers'
	all   study.Histogram
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
	i.Sums.Add(l.twice, onePoint(times >= study.Imbalanced))
	l.all[i.binner.Bin(float64(times))]++
}

func (i *imbalance) Report() {
	at, slow := short(i.threshold), times(i.threshold)
	i.Share("busy-in-slow-"+at, i.rate.twice, i.rate.known, "of the slow hours of %s ("+slow+" or more) have at least twice the I/Os of the peers")
	i.Share("slow-in-busy-"+at, i.rate.twice, i.busy, "of the hours in which %s have at least twice the I/Os of the peers are slow ("+slow+" or more)")
	i.Share("large-in-slow-"+at, i.size.twice, i.size.known, "of the slow hours of %s ("+slow+" or more) have I/Os of at least twice the size of the peers' I/Os")
	i.Share("slow-in-large-"+at, i.size.twice, i.large, "of the hours in which %s have I/Os of at least twice the size of the peers' I/Os are slow ("+slow+" or more)")
	i.Chart(study.Chart{
		Name: "imbalance-in-slow-" + at, Title: "I/Os of slow drives compared with their peers", Source: "T16 Figure 7a, 7c",
		X: study.Axis{Title: "I/Os, or their size, divided by the median of the peers", To: 4}, Y: study.Axis{Title: "share of slow hours with a lower value", To: 1},
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

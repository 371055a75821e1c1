package survey

import (
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// extent asks how often slow drives are slow (T16 §4.1.4, Figure 6b).
type extent struct {
	*sheet
	threshold float64
	slow      int // count of drives that were ever slow
	times     int // counts of drives with at least repetitions[i] slow hours
	seldom    int // count of slow drives with fewer than seldomHours slow hours
}

// repetitions are the numbers of slow hours by which drives are counted.
var repetitions = [...]int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

// Limits of T16 Finding 7, in slow hours.
const (
	seldomHours = 5
	oftenHours  = 100
)

func newExtent(s *sheet, threshold float64) *extent {
	return &extent{s, threshold, s.Sums.Block(1), s.Sums.Block(len(repetitions)), s.Sums.Block(1)}
}

func (e *extent) Group(g *study.Group) {
	for i := range g.Members {
		n := len(study.SlowFrom(g.Members[i].Slow, e.threshold))
		if n == 0 {
			continue
		}
		e.Sums.Add(e.slow, 1)
		e.Sums.Add(e.seldom, oneIf(n < seldomHours))
		for k, least := range repetitions {
			e.Sums.Add(e.times+k, oneIf(n >= least))
		}
	}
}

func (e *extent) Report() {
	at := short(e.threshold)
	often := e.times + slices.Index(repetitions[:], oftenHours)
	e.Share("often-"+at, often, e.slow, "of the %s that were ever slow ("+times(e.threshold)+" or more) were slow for 100 hours or more")
	e.Share("seldom-"+at, e.seldom, e.slow, "of the %s that were ever slow ("+times(e.threshold)+" or more) were slow for fewer than 5 hours")
	t := study.Table{
		Name: "repetitions-" + at, Title: "Drives that were ever slow, by number of slow hours, at " + times(e.threshold), Source: "T16 Figure 6b",
		Columns: []string{"slow hours", "drives", "share of slow drives"},
	}
	curve := study.Curve{Name: times(e.threshold)}
	for k, least := range repetitions {
		v := e.Ratio(e.times+k, e.slow)
		t.Add(short(float64(least))+" and more", e.Total(e.times+k), v)
		if !v.None {
			curve.Add(float64(least), v.Number)
		}
	}
	e.Table(t)
	e.Chart(study.Chart{
		Name: "repetitions-" + at, Title: "Slow drives by number of slow hours", Source: "T16 Figure 6b",
		X: study.Axis{Title: "number of slow hours, at least", From: 1, To: 1000, Log: true}, Y: study.Axis{Title: "share of slow drives", To: 1}, Curves: []study.Curve{curve},
	})
}

// ever asks how many drives ever reached a slowdown (T16 §4.1.4, Figure 6a).
type ever struct {
	*sheet
	grid []float64
	at   int // index of the first sum: one number of drives for each slowdown of the grid
}

func newEver(s *sheet) *ever {
	grid := gridOf(s)
	return &ever{s, grid, s.Sums.Block(len(grid))}
}

func (e *ever) Group(g *study.Group) {
	for i := range g.Members {
		if slow := g.Members[i].Slow; len(slow) > 0 {
			s := study.Worst(slow)
			for k, x := range e.grid {
				e.Sums.Add(e.at+k, oneIf(s >= x))
			}
		}
	}
}

func (e *ever) Report() {
	t := study.Table{Name: "ever", Title: "Drives that ever had at least this slowdown", Source: "T16 Figure 6a", Columns: []string{"at least", "drives", "share of drives"}}
	curve := study.Curve{Name: "drives"}
	for k, x := range e.grid {
		v := e.Ratio(e.at+k, e.Drives)
		t.Add(times(x), e.Total(e.at+k), v)
		curve.Add(x, v.Number)
		if x == 16 || slices.Contains(e.Thresholds, x) {
			e.Share("ever-"+short(x), e.at+k, e.Drives, "of the %s were slow ("+times(x)+" or more) in at least one hour")
		}
	}
	e.Table(t)
	e.Chart(study.Chart{
		Name: "ever", Title: "Drives that ever had at least this slowdown", Source: "T16 Figure 6a",
		X: study.Axis{Title: "slowdown, at least", From: 1, To: 32, Log: true}, Y: study.Axis{Title: "share of drives", To: 0.5}, Curves: []study.Curve{curve},
	})
}

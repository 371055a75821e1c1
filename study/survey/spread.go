package survey

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// The rows of T16 Table 3: slowdowns at which hours are counted, and shares of hours for which
// the slowdown is given.
var (
	gridSlowdowns = [...]float64{1.5, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100, 1000}
	gridShares    = [...]float64{0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999}
)

// gridOf returns the slowdowns of the grid and the thresholds of the study, ascending.
func gridOf(s *sheet) []float64 {
	all := append(slices.Clone(gridSlowdowns[:]), s.Thresholds...)
	slices.Sort(all)
	return slices.Compact(all)
}

// spreads asks how slow drives and groups are (T16 §4.1.1, §4.1.2): S, and the
// tails T1 to T3.
type spreads struct {
	*sheet
	binner *study.Binner
	grid   []float64
	at     [1 + study.Narrowest]int // counts by slowdown of the grid: of S, T1, T2, T3
	bins   [1 + study.Narrowest]int // counts by bin, from lowest on: of S, T1, T2, T3
	lowest int                      // bin of Options.Kept
}

// spreadNames has the names of the curves.
var spreadNames = [1 + study.Narrowest]string{"S", "T1", "T2", "T3"}

func newSpreads(v *sheet) *spreads {
	s := &spreads{sheet: v, binner: study.NewBinner()}
	s.grid = gridOf(v)
	s.lowest = s.binner.Bin(v.Kept())
	for i := range s.at {
		s.at[i] = v.Sums.Block(len(s.grid))
		s.bins[i] = v.Sums.Block(study.Bins - s.lowest)
	}
	return s
}

func (s *spreads) Group(g *study.Group) {
	for _, t := range g.Tails {
		for i, h := range t.Slow {
			s.add(0, h.S)
			if i < study.Narrowest {
				s.add(1+i, h.S)
			}
		}
	}
}

func (s *spreads) add(of int, slowdown float64) {
	s.Sums.Add(s.bins[of]+s.binner.Bin(slowdown)-s.lowest, 1)
	for i, x := range s.grid {
		if slowdown < x {
			break
		}
		s.Sums.Add(s.at[of]+i, 1)
	}
}

// whole returns the index of the count of all hours: drive hours for S (of = 0), group hours for
// the tails.
func (s *spreads) whole(of int) int {
	if of == 0 {
		return s.DriveHours
	}
	return s.Hours
}

func (s *spreads) Report() {
	for i, x := range s.grid {
		if slices.Contains(s.Thresholds, x) {
			s.Share("slow-hours-"+short(x), s.at[0]+i, s.DriveHours, "of the drive hours of %s are slow ("+times(x)+" or more)")
			s.Share("tail-hours-"+short(x), s.at[1]+i, s.Hours, "of the group hours of %s have at least one slow drive ("+times(x)+" or more)")
			s.Share("second-tail-"+short(x), s.at[2]+i, s.Hours, "of the group hours of %s have at least two slow drives ("+times(x)+" or more)")
			s.Share("third-tail-"+short(x), s.at[3]+i, s.Hours, "of the group hours of %s have at least three slow drives ("+times(x)+" or more)")
		}
	}
	s.worst()
	s.tables()
	s.cdf()
}

// worst adds the figures of the slowest hours.
func (s *spreads) worst() {
	s.nines("four", 0.9999)
	s.nines("five", 0.99999)
	digits := func(low, high float64) study.Value {
		a, b := s.at[0]+slices.Index(s.grid, low), s.at[0]+slices.Index(s.grid, high)
		if high == 0 {
			return s.Ratio(a, s.DriveHours)
		}
		return s.Value(study.Share, func(sum study.Sum) float64 { return (sum(a) - sum(b)) / sum(s.DriveHours) }, a)
	}
	s.Figure(study.Figure{Name: "three-digits", Value: digits(100, 1000)}, "of the drive hours of %s have a slowdown of 100× to 999×")
	s.Figure(study.Figure{Name: "four-digits", Value: digits(1000, 0)}, "of the drive hours of %s have a slowdown of 1,000× or more")
}

// nines adds the figure of the slowdown that the share p of the hours do not exceed. If the
// slowdown is in the last bin, the true value may be larger. If there are too few hours for the share,
// nines adds nothing.
func (s *spreads) nines(name string, p float64) {
	v, is := s.quantile(0, p), ":"
	if v.Number >= study.BinLower(study.Bins-1) {
		is = "or more:"
	}
	s.Figure(study.Figure{Name: name + "-nines", Value: v}, is+" slowdown that "+short(math.Round(1e5*p)/1e3)+" % of the drive hours of %s do not exceed")
}

// quantile returns the p-quantile of S or a tail, exact to a bin. It has an interval only if it
// is above Options.Kept and enough groups have slower hours. These groups are counted at the next
// larger slowdown of the grid.
func (s *spreads) quantile(of int, p float64) study.Value {
	histogram := &s.Spread.Slowdown
	if of > 0 {
		histogram = &s.Spread.Tails[of-1]
	}
	if hasTooFew(histogram.Total(), p) {
		return study.Value{Unit: study.Times, None: true}
	}
	q := study.Value{Number: histogram.Quantile(p), Unit: study.Times}
	beyond, _ := slices.BinarySearch(s.grid, q.Number)
	switch {
	case q.Number <= study.BinLower(s.lowest):
		q.Unsure = "slowdowns below " + times(s.Kept()) + " are not kept"
		return q
	case beyond == len(s.grid):
		q.Unsure = "too few hours have a larger slowdown"
		return q
	}
	e := s.Sums.Estimate(func(sum study.Sum) float64 { return s.reached(of, sum, (1-p)*sum(s.whole(of))) }, s.at[of]+beyond)
	if q.Interval = e.Interval; q.Interval == nil {
		q.Unsure = unsure(q, e)
	}
	return q
}

// hasTooFew reports whether less than one of the given number of hours is above the p-quantile. The
// quantile would then be the largest slowdown.
func hasTooFew(hours int64, p float64) bool {
	const rounding = 1e-6 // 1−p is not exact
	return float64(hours)*(1-p) < 1-rounding
}

// reached returns the largest slowdown that at least rest hours reach, exact to a bin. It is not
// below the bin lowest, even if fewer hours reach that bin.
func (s *spreads) reached(of int, sum study.Sum, rest float64) float64 {
	rest = math.Max(1, rest)
	for bin := study.Bins - 1; bin > s.lowest; bin-- {
		if rest -= sum(s.bins[of] + bin - s.lowest); rest <= 0 {
			return study.BinLower(bin)
		}
	}
	return study.BinLower(s.lowest)
}

func (s *spreads) tables() {
	shares := study.Table{Name: "slowdowns", Title: "Share of hours at each slowdown", Source: "T16 Table 3b", Columns: append([]string{"at least"}, spreadNames[:]...)}
	for i, x := range s.grid {
		var row []study.Value
		for of := range s.at {
			row = append(row, s.Ratio(s.at[of]+i, s.whole(of)))
		}
		shares.Add(times(x), row...)
	}
	s.Table(shares)
	nines := study.Table{
		Name: "nines", Title: "Percentiles of the slowdown", Source: "T16 Table 3a", Columns: append([]string{"percentile"}, spreadNames[:]...),
		Note: "The slowdowns in this table are up to 0.54 % too small, because slowdowns are counted in bins of this width. The last bin, " + outermost() + ", also has all larger slowdowns.",
	}
	for _, p := range gridShares {
		var row []study.Value
		for of := range s.at {
			row = append(row, s.quantile(of, p))
		}
		nines.Add(short(math.Round(1e5*p)/1e3)+" %", row...)
	}
	s.Table(nines)
}

func (s *spreads) cdf() {
	c := study.Chart{
		Name: "slowdown-cdf", Title: "Slowdown of all drives, and of the three slowest drives of a group", Source: "T16 Figure 4",
		X: study.Axis{Title: "slowdown", From: 1, To: 5}, Y: study.Axis{Title: "share of hours with a smaller value", From: 0.95, To: 1},
		Note: "The slowdowns are counted in bins that are 0.54 % wide.",
	}
	c.Curves = append(c.Curves, study.Curve{Name: spreadNames[0], Points: cdf(&s.Spread.Slowdown, 1)})
	for i := range s.Spread.Tails {
		c.Curves = append(c.Curves, study.Curve{Name: spreadNames[1+i], Points: cdf(&s.Spread.Tails[i], 1)})
	}
	s.Chart(c)
}

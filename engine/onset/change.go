package onset

import (
	"math"
	"slices"
)

// change is the place in a series from which on its mean is another.
type change struct {
	at          int
	early, late int // first and last place that are about as likely
}

// split is what a series comes to where it is cut at each of its places.
type split struct {
	squares float64   // sum over the series
	whole   float64   // sum of squares around the mean of the series
	residue []float64 // by place: sum of squares around the means of both sides
	before  []float64 // by place: mean before it against mean after it
}

// find returns the change of a series up to the last place: the cut that leaves
// the smallest sum of squares, each weighed. The series is farther from zero
// after it. The change is certain where no change is far less likely, and where
// the series was not far from zero before.
func (o *Options) find(x, weights []float64, last int) (c change, certain bool) {
	s := o.cut(x, weights, last)
	for i := range s.residue {
		if s.residue[i] < s.residue[c.at] {
			c.at = i
		}
	}
	least := max(s.residue[c.at], rounding*max(s.squares, rounding))
	deviance := func(residue float64) float64 { return float64(len(x)) * math.Log(max(residue, least)/least) }
	for c.early = c.at; c.early > 0 && deviance(s.residue[c.early-1]) <= o.LikelyDeviance; c.early-- {
	}
	for c.late = c.at; c.late < len(x)-1 && deviance(s.residue[c.late+1]) <= o.LikelyDeviance; c.late++ {
	}
	return c, deviance(s.whole) > o.CertainDeviance && s.before[c.at] <= o.BeforeRatio
}

// throughout says whether a series was as far from zero in its first steps as it
// is altogether, or nearly so.
func (o *Options) throughout(x []float64) bool {
	first := x[:min(len(x), o.FewestSteps)]
	before, all := mean(first), mean(x)
	return len(x) == 0 || math.Abs(before) > o.BeforeRatio*math.Abs(all) && before*all > 0
}

func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total / float64(max(1, len(x)))
}

// rounding keeps the logarithm of nothing out of a series that fits exactly.
const rounding = 1e-9

// cut tries every place up to the last. Where the series would be nearer to zero
// afterwards, the place counts as no change.
func (o *Options) cut(x, weights []float64, last int) split {
	n, weight, total, squares := len(x), 0.0, 0.0, 0.0
	for i, v := range x {
		weight += weights[i]
		total += weights[i] * v
		squares += weights[i] * v * v
	}
	s := split{squares: squares, whole: squares - total*total/weight, before: make([]float64, n)}
	s.residue = slices.Repeat([]float64{s.whole}, n)
	left, leftWeight := 0.0, 0.0
	for i := range n {
		if i >= o.FewestSteps && i <= min(last, n-o.FewestSteps) {
			before, after := left/leftWeight, (total-left)/(weight-leftWeight)
			s.before[i] = math.Abs(before / after)
			if s.before[i] < 1 {
				s.residue[i] = squares - left*before - (total-left)*after
			}
		}
		left += weights[i] * x[i]
		leftWeight += weights[i]
	}
	return s
}

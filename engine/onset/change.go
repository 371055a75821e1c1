package onset

import (
	"math"
	"slices"
)

// change is the step of a series at which its mean changes.
type change struct {
	step        int
	early, late int // first and last step at which a change is about as likely as at this step
}

// split holds the statistics of a cut at each step of a series. The cut divides the series into the
// steps before it and the other steps.
type split struct {
	squares float64   // sum of the squared values of the series
	whole   float64   // sum of the squared differences between the values and the mean of the series
	residue []float64 // by step: sum of the squared differences between the values and the mean of their side of the cut
	before  []float64 // by step: |mean before the cut / mean after the cut|
}

// find returns the change of a series. It considers a cut at each step up to `last`. The mean after
// the cut must be farther from zero than the mean before the cut. For each cut it adds up the
// weighted squared differences between the values and the mean of their side of the cut. The change
// is the cut with the smallest sum. The change is certain under two conditions: "no change" is far
// less likely than this change, and the mean before the cut is small compared with the mean after
// the cut.
func (o *Options) find(x, weights []float64, last int) (c change, certain bool) {
	s := o.cut(x, weights, last)
	for i := range s.residue {
		if s.residue[i] < s.residue[c.step] {
			c.step = i
		}
	}
	least := max(s.residue[c.step], rounding*max(s.squares, rounding))
	deviance := func(residue float64) float64 { return float64(len(x)) * math.Log(max(residue, least)/least) }
	for c.early = c.step; c.early > 0 && deviance(s.residue[c.early-1]) <= likelyDeviance; c.early-- {
	}
	for c.late = c.step; c.late < len(x)-1 && deviance(s.residue[c.late+1]) <= likelyDeviance; c.late++ {
	}
	return c, deviance(s.whole) > o.CertainDeviance && s.before[c.step] <= beforeShare
}

// differsThroughout reports whether the component differed from its peers from the start. The
// parameter `x` has its distances from its peers. The mean of the first FewestSteps steps must have
// the same sign as the mean of all steps, and be more than beforeShare times as large. If there are
// no steps, differsThroughout returns true.
func (o *Options) differsThroughout(x []float64) bool {
	first := x[:min(len(x), o.FewestSteps)]
	before, all := mean(first), mean(x)
	return len(x) == 0 || math.Abs(before) > beforeShare*math.Abs(all) && before*all > 0
}

func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total / float64(max(1, len(x)))
}

// rounding is a lower bound for sums of squares. It avoids the logarithm of zero if all values on
// each side of the cut are equal.
const rounding = 1e-9

// cut computes the statistics of a cut at every step. A cut after the step `last` is not allowed.
// If the mean after a step is nearer to zero than the mean before it, a cut at this step cannot be
// the change.
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

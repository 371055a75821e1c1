package study

import (
	"math"
	"slices"
)

// Level of confidence.
const Level = 0.95

// parts are what the fleet is cut into, to see how much single groups matter.
const parts = 256

// FewestGroups is how many groups an interval is made of at least. Of two, three or
// four it has the true value about half of the time only, from here on nine
// times of ten.
const FewestGroups = 10

// Estimate computes a value of the sums, and again of those of every
// replicate. Where that has no value it is NaN, and does not count. The counts
// are those that it hangs on, a part and its whole say: enough groups must have
// some of each.
//
// The ends of the interval are quantiles of the replicates' values, corrected
// for bias and skewness (Efron's BCa): a few groups with most of the slow hours
// make the plain quantiles too low.
func (s *Sums) Estimate(value func(Sum) float64, counts ...int) Estimate {
	e := Estimate{Value: value(s.whole), Groups: s.groups}
	for _, c := range counts {
		e.Groups = min(e.Groups, s.having[c])
	}
	if e.Groups < FewestGroups {
		return e
	}
	var again []float64
	for i := range s.replicates {
		if v := value(s.replicate(i)); !math.IsNaN(v) {
			again = append(again, v)
		}
	}
	if 2*len(again) < s.replicates || math.IsNaN(e.Value) {
		return e
	}
	slices.Sort(again)
	e.Alike = again[0] == again[len(again)-1]
	bias, skew := bias(again, e.Value), s.skew(value)
	low, high := corrected(normal(tail), bias, skew), corrected(normal(1-tail), bias, skew)
	i := Interval{Low: quantile(again, low), High: quantile(again, high)}
	if i.Low < i.High {
		e.Interval = &i
	}
	return e
}

// tail is the share of fleets that are allowed to be beyond either end.
const tail = (1 - Level) / 2

func (s *Sums) whole(count int) float64 { return float64(s.totals[count]) }

func (s *Sums) replicate(i int) Sum {
	return func(count int) float64 {
		if s.drawn[count] == nil {
			return 0
		}
		return float64(s.drawn[count][i])
	}
}

// without is the fleet less one of its parts.
func (s *Sums) without(part int) Sum {
	return func(count int) float64 {
		if s.parts[count] == nil {
			return 0
		}
		return float64(s.totals[count] - s.parts[count][part])
	}
}

// bias is how far the replicates' median is from the value, in standard
// deviations.
func bias(sorted []float64, value float64) float64 {
	below, _ := slices.BinarySearch(sorted, value)
	upTo := below
	for upTo < len(sorted) && sorted[upTo] == value {
		upTo++
	}
	share := (float64(below+upTo)/2 + 0.5) / float64(len(sorted)+1)
	return normal(share)
}

// skew is the acceleration of BCa, by leaving out one part after the other.
func (s *Sums) skew(value func(Sum) float64) float64 {
	var left []float64
	mean := 0.0
	for part := range parts {
		if v := value(s.without(part)); !math.IsNaN(v) && !math.IsInf(v, 0) {
			left = append(left, v)
			mean += v
		}
	}
	mean /= float64(len(left))
	var squares, cubes float64
	for _, v := range left {
		d := mean - v
		squares += d * d
		cubes += d * d * d
	}
	if squares == 0 {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

// corrected is the share of replicates that stands for a normal deviate.
func corrected(z, bias, skew float64) float64 {
	t := bias + z
	d := 1 - skew*t
	if d <= 0 {
		return 1
	}
	return 0.5 * math.Erfc(-(bias+t/d)/math.Sqrt2)
}

// normal is the quantile of the normal distribution.
func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// quantile of values in order, between the two that are nearest.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

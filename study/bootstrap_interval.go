package study

import (
	"math"
	"slices"
)

// Level is the confidence level of all intervals.
const Level = 0.95

// parts is the number of parts of the fleet that skew leaves out one after the other.
const parts = 256

// FewestGroups is the smallest number of groups for an interval. An interval from two to four
// groups contains the true value only in about half of all cases; from ten groups on, in nine
// of ten.
const FewestGroups = 10

// Estimate computes a value from the sums of the fleet, and from the sums of every replicate.
// The function value returns NaN if the sums give no value; such a replicate is left out. The
// value depends on counts, for example on a part and its whole. There is an interval only if
// each of these counts is not 0 in at least FewestGroups groups.
//
// The ends of the interval are quantiles of the values of the replicates, corrected for bias
// and skewness (Efron's BCa). Without the correction they are too low if a few groups have
// most of the slow hours.
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

// tail is the probability that the true value is below the interval, and the same above it.
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

// without returns the sums of the fleet without one of its parts.
func (s *Sums) without(part int) Sum {
	return func(count int) float64 {
		if s.parts[count] == nil {
			return 0
		}
		return float64(s.totals[count] - s.parts[count][part])
	}
}

// bias returns the bias correction z0 of BCa: the normal deviate of the share of replicates
// below the value. It is 0 if the value is the median of the replicates.
func bias(sorted []float64, value float64) float64 {
	below, _ := slices.BinarySearch(sorted, value)
	upTo := below
	for upTo < len(sorted) && sorted[upTo] == value {
		upTo++
	}
	share := (float64(below+upTo)/2 + 0.5) / float64(len(sorted)+1)
	return normal(share)
}

// skew returns the acceleration a of BCa. It leaves out one part of the fleet at a time, and uses the
// values of the remaining parts (jackknife).
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

// corrected returns the quantile level of BCa for a normal deviate z.
func corrected(z, bias, skew float64) float64 {
	t := bias + z
	d := 1 - skew*t
	if d <= 0 {
		return 1
	}
	return 0.5 * math.Erfc(-(bias+t/d)/math.Sqrt2)
}

// normal returns the p-quantile of the normal distribution.
func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// quantile returns the p-quantile of sorted values, by linear interpolation.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

package quantile

import (
	"math"
	"slices"
)

// Median is the middle of some values, or the mean of the two in the middle. It
// is missing, a NaN, where there are none. It reorders the values, none of which
// may be missing.
func Median(x []float64) float64 { return MiddleOf(x).Median() }

// Middle is what lies around the middle of some values: enough to tell their median,
// and the median of all but any one of them.
type Middle struct {
	n                  int
	before, at, behind float64 // the value of rank (n−1)/2 with its neighbours, where it has them
}

// MiddleOf finds the middle of some values. It reorders them; none of them may be
// missing.
func MiddleOf(x []float64) Middle {
	m := Middle{n: len(x)}
	if m.n == 0 {
		return m
	}
	k := (m.n - 1) / 2
	m.at = Nth(x, k)
	if k > 0 {
		m.before = slices.Max(x[:k])
	}
	if k+1 < m.n {
		m.behind = slices.Min(x[k+1:])
	}
	return m
}

// Median of all values; missing, a NaN, where there are none.
func (m Middle) Median() float64 {
	switch {
	case m.n == 0:
		return math.NaN()
	case m.n%2 == 0:
		return (m.at + m.behind) / 2
	}
	return m.at
}

// Without is the median of all values but this one of them; missing, a NaN, where
// there are no others.
func (m Middle) Without(one float64) float64 {
	switch {
	case m.n <= 1:
		return math.NaN()
	case m.n%2 == 0 && m.at < one:
		return m.at
	case m.n%2 == 0:
		return m.behind
	case m.at < one:
		return (m.before + m.at) / 2
	case m.before < one:
		return (m.before + m.behind) / 2
	}
	return (m.at + m.behind) / 2
}

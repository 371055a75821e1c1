package quantile

import (
	"math"
	"slices"
)

// Median returns the middle value, or the mean of the two middle values; NaN if there are no
// values. It reorders the values. No value may be NaN.
func Median(x []float64) float64 { return MiddleOf(x).Median() }

// Middle holds the values around the middle. They are enough for the median of all values, and for
// the median without any one value.
type Middle struct {
	n                  int
	before, at, behind float64 // the value of rank (n−1)/2 and its neighbours, if they exist
}

// MiddleOf returns the middle of some values. It reorders the values. No value may be NaN.
func MiddleOf(x []float64) Middle {
	m := Middle{n: len(x)}
	if m.n == 0 {
		return m
	}
	k := (m.n - 1) / 2
	m.at = Nth(x, k)
	if m.n <= few { // Nth has sorted the values
		m.before, m.behind = x[max(k-1, 0)], x[min(k+1, m.n-1)]
		return m
	}
	if k > 0 {
		m.before = slices.Max(x[:k])
	}
	if k+1 < m.n {
		m.behind = slices.Min(x[k+1:])
	}
	return m
}

// Median returns the median of all values; NaN if there are no values.
func (m Middle) Median() float64 {
	switch {
	case m.n == 0:
		return math.NaN()
	case m.n%2 == 0:
		return (m.at + m.behind) / 2
	}
	return m.at
}

// Without returns the median of all values except one, which must be one of them; NaN if there are
// no other values.
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

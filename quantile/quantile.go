// Package quantile has the order statistics that the analysis shares: one median
// with one convention for "none", which is a missing value.
//
// It is arithmetic: it knows neither storage nor time.
package quantile

import (
	"math"
	"slices"
)

// Median is the middle of some values, or the mean of the two in the middle. It
// is missing, a NaN, where there are none. It sorts the values, none of which
// may be missing.
func Median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Others is the median of some values without one of them. The values ascend. It is
// missing, a NaN, where there are no others.
func Others(ascending []float64, one float64) float64 {
	n := len(ascending) - 1
	if n <= 0 {
		return math.NaN()
	}
	at := func(i int) float64 {
		if ascending[i] < one {
			return ascending[i]
		}
		return ascending[i+1]
	}
	return (at((n-1)/2) + at(n/2)) / 2
}

package distance

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// at returns the value at rank h among x and a number of zeros. It interpolates linearly
// between order statistics, as type 7 of R's quantile does. If there are zeros, no value
// may be negative. It reorders x. It does not sort, because every window calls it and
// sorting takes longer.
func at(x []float64, zeros int, h float64) float64 {
	k := int(math.Floor(h)) - zeros
	low := 0.0
	switch {
	case k < -1:
		return 0
	case k >= 0:
		low = quantile.Nth(x, k)
	}
	if k+1 == len(x) {
		return low
	}
	return low + (h-math.Floor(h))*(least(x[k+1:])-low)
}

// interquartile returns the distance between the quartiles of the values x and a number
// of zeros. If there are zeros, no value may be negative. It searches the lower quartile
// only among the values up to the upper quartile. It reorders x.
func interquartile(x []float64, zeros int) float64 {
	last := float64(zeros + len(x) - 1)
	upper := at(x, zeros, last*0.75)
	if last >= 7 {
		x = x[:max(int(last*0.75)+1-zeros, 0)]
	}
	return upper - at(x, zeros, last*0.25)
}

// least returns the smallest value. No value may be missing.
func least(x []float64) float64 {
	low := x[0]
	for _, v := range x {
		if v < low {
			low = v
		}
	}
	return low
}

// bounds returns the smallest and the largest value. No value may be missing.
func bounds(x []float64) (low, high float64) {
	low, high = x[0], x[0]
	for _, v := range x {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

// Median returns the middle value, or the mean of the two in the middle. It reorders x,
// which must not be empty.
//
// It rounds in another way than the median of package quantile.
func Median(x []float64) float64 { return at(x, 0, float64(len(x)-1)*0.5) }

// Present appends the values of x that are not missing to dst. It writes every value,
// and overwrites a missing value with the next value, so that the loop has no branch.
func Present(dst, x []float64) []float64 {
	n := len(dst)
	dst = slices.Grow(dst, len(x))[:n+len(x)]
	for _, v := range x {
		dst[n] = v
		n += one(v == v)
	}
	return dst[:n]
}

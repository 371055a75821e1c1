package distance

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// valueAtRank returns the value at rank h among the values x and the given number of zeros. Rank 0
// is the smallest value. If h is not an integer, valueAtRank interpolates linearly between the two
// neighbouring ranks, like quantile(type = 7) in the language R. If there are zeros, no value may
// be negative. The function reorders x. It does not sort x, because sorting takes longer and the
// function runs in every window.
func valueAtRank(x []float64, zeros int, h float64) float64 {
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
	return low + (h-math.Floor(h))*(smallest(x[k+1:])-low)
}

// interquartile returns the difference between the upper and the lower quartile of the values x and
// the given number of zeros. If there are zeros, no value may be negative. To save time, the
// function looks for the lower quartile only among the values up to the upper quartile. It reorders
// x.
func interquartile(x []float64, zeros int) float64 {
	last := float64(zeros + len(x) - 1)
	upper := valueAtRank(x, zeros, last*0.75)
	if last >= 7 {
		x = x[:max(int(last*0.75)+1-zeros, 0)]
	}
	return upper - valueAtRank(x, zeros, last*0.25)
}

// smallest returns the smallest value. No value may be missing.
func smallest(x []float64) float64 {
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

// Median returns the middle value, or the mean of the two middle values. It reorders x, which must
// not be empty. The result may differ from the result of quantile.Median by a rounding error.
func Median(x []float64) float64 { return valueAtRank(x, 0, float64(len(x)-1)*0.5) }

// AppendPresent appends to dst the values of x that are not missing. To avoid a branch, the loop
// writes every value, and overwrites a missing value with the next value.
func AppendPresent(dst, x []float64) []float64 {
	n := len(dst)
	dst = slices.Grow(dst, len(x))[:n+len(x)]
	for _, v := range x {
		dst[n] = v
		n += toInt(v == v)
	}
	return dst[:n]
}

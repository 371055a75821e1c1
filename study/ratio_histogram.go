// This file counts ratios by size, in bins of known width: the study of a fleet does it
// for every group and hour, a hundred million times. Medians are exact (median.go).

package study

import "math"

// The bins are 128 to each doubling, so that a value and the lower end of its
// bin differ by less than Precision, from 2^-16 to 2^16: ratios of latencies
// of 10 µs and of 10 minutes. What is beyond is counted in the outermost.
const (
	PerDoubling = 128
	doublings   = 16
	Bins        = 2 * doublings * PerDoubling
)

// precision is how much of its lower end a bin is wide at most: 2^(1/128) - 1.
const precision = 0.00543

// MostRatio is where bins end: what is more is counted as if it were that.
const MostRatio = 1 << doublings

// BinLower is the lower end of a bin.
func BinLower(bin int) float64 { return math.Exp2(float64(bin)/PerDoubling - doublings) }

// cells are what a doubling is looked up by: powers of two, and narrower than
// any bin, so that in each there is at most one limit between two bins.
const cells = 256

// A Binner finds the bin of a ratio in a few instructions, where the logarithm
// takes many.
type Binner struct {
	limit [cells]uint64 // fraction bits, from which on it is the next bin
	first [cells]uint8  // bin at the cell's begin, within the doubling
}

const (
	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	exponentBias = 1023
	cellShift    = fractionBits - 8
)

// NewBinner makes the table.
func NewBinner() *Binner {
	b := &Binner{}
	for c := range cells {
		begin := uint64(c) << cellShift
		bin := 0
		for bin+1 < PerDoubling && limit(bin+1) <= begin {
			bin++
		}
		b.first[c], b.limit[c] = uint8(bin), limit(bin+1)
	}
	return b
}

// limit is where a bin of the doubling from 1 to 2 begins, as fraction bits.
func limit(bin int) uint64 {
	if bin == PerDoubling {
		return 1 << fractionBits
	}
	return math.Float64bits(math.Exp2(float64(bin)/PerDoubling)) & fractionMask
}

// Bin is the bin of a ratio, which is not negative.
func (b *Binner) Bin(r float64) int {
	bits := math.Float64bits(r)
	fraction := bits & fractionMask
	cell := fraction >> cellShift
	bin := (int(bits>>fractionBits)-exponentBias+doublings)*PerDoubling + int(b.first[cell])
	if fraction >= b.limit[cell] {
		bin++
	}
	return min(max(bin, 0), Bins-1)
}

// A Histogram counts ratios by bin.
type Histogram [Bins]int64

// Merge adds the counts of another.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// Total is how many were counted.
func (h *Histogram) Total() int64 {
	var sum int64
	for _, n := range h {
		sum += n
	}
	return sum
}

// Quantile is the lower end of the bin that the share p of all is below, at
// most; 0 of an empty histogram.
func (h *Histogram) Quantile(p float64) float64 {
	total := h.Total()
	rest := max(1, total-int64(p*float64(total)))
	for i := Bins - 1; i >= 0; i-- {
		if rest -= h[i]; rest <= 0 && total > 0 {
			return BinLower(i)
		}
	}
	return 0
}

// This file counts ratios in the bins of a histogram. It must be fast: the study of a fleet
// counts ratios for every group and hour, a hundred million times. Medians are exact
// (median.go).

package study

import "math"

// Bins of the ratios from 2^-16 to 2^16, 128 for each doubling. A ratio and the lower end of its
// bin differ by less than the relative precision. The range is enough for 10 minutes divided by
// 10 ms. Ratios beyond the range are counted in the outermost bins.
const (
	PerDoubling = 128
	doublings   = 16
	Bins        = 2 * doublings * PerDoubling
)

// precision is the relative width of a bin, (upper end - lower end) / lower end: 2^(1/128) - 1.
const precision = 0.00543

// MostRatio is the upper end of the last bin. Larger ratios count as MostRatio.
const MostRatio = 1 << doublings

// BinLower returns the lower end of a bin.
func BinLower(bin int) float64 { return math.Exp2(float64(bin)/PerDoubling - doublings) }

// cells is the number of entries in the tables of a Binner for one doubling. It is a power of
// two, so that the first bits of the fraction are the index. Each cell is narrower than every
// bin, so that it contains at most one limit between two bins.
const cells = 256

// A Binner finds the bin of a ratio by a table, which is faster than the logarithm.
type Binner struct {
	limit [cells]uint64 // fraction bits at which the next bin begins
	first [cells]uint8  // bin at the start of the cell, counted from the start of the doubling
}

const (
	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	exponentBias = 1023
	cellShift    = fractionBits - 8
)

// NewBinner returns a Binner with its tables.
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

// limit returns the fraction bits of the lower end of a bin between 1 and 2.
func limit(bin int) uint64 {
	if bin == PerDoubling {
		return 1 << fractionBits
	}
	return math.Float64bits(math.Exp2(float64(bin)/PerDoubling)) & fractionMask
}

// Bin returns the bin of a ratio, which must not be negative.
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

// Merge adds the counts of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// Total returns the number of counted ratios.
func (h *Histogram) Total() int64 {
	var sum int64
	for _, n := range h {
		sum += n
	}
	return sum
}

// Quantile returns the lower end of the bin that contains the p-quantile; 0 for an empty
// histogram.
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

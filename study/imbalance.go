package study

import (
	"math"
)

// countImbalance counts members with at least twice as many I/Os as the median of the group,
// and members whose I/Os are at least twice as large.
func (l *lane) countImbalance(c *Cell, s *Spread, median float64) {
	c.Busy += l.imbalanced(l.block.ios, &s.Busy, median)
	c.Large += l.imbalanced(l.block.size, &s.Large, median)
}

// imbalanced returns the number of values of at least twice their median, and adds the
// slowdowns of their drives to a histogram. Usually the largest value is below twice the
// smallest: then the result is 0, and imbalanced computes no median.
func (l *lane) imbalanced(values []uint32, slowdown *Histogram, median float64) int64 {
	least, most := bounds(values)
	known := least > 0 && most < infinite
	twice := ratioBits(float32(Imbalanced * value(least)))
	if known && most < twice {
		return 0
	}
	n := int64(0)
	for i, v := range values {
		if known && v < twice || !l.twiceMedian(values, v, known) {
			continue
		}
		slowdown[l.binner.Bin(value(l.block.latency[i])/median)]++
		n++
	}
	return n
}

func bounds(values []uint32) (least, most uint32) {
	least = math.MaxUint32
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// twiceMedian reports whether v is at least twice the median of the values. If all values are
// known, it mostly needs no median:
//
//   - If more than half of the values are at most v/2, the answer is yes.
//   - If fewer than half of the values are at most v/2, the answer is no.
func (l *lane) twiceMedian(values []uint32, v uint32, known bool) bool {
	half := uint64(ratioBits(float32(value(v) / Imbalanced)))
	upTo := 0
	for _, w := range values {
		upTo += int((uint64(w) - half - 1) >> 63)
	}
	if known && 2*upTo != len(values) {
		return 2*upTo > len(values)
	}
	return valid(v)/l.medianOf(values) >= Imbalanced
}

// medianOf returns the median of the known values; NaN if fewer than three are known.
func (l *lane) medianOf(values []uint32) float64 {
	l.scratch = l.scratch[:0]
	for _, v := range values {
		if v-1 < infinite-1 {
			l.scratch = append(l.scratch, v)
		}
	}
	if len(l.scratch) < Narrowest {
		return math.NaN()
	}
	l.sorter.Sort(l.scratch)
	return median(l.scratch)
}

// infinite is the bit pattern of +Inf as float32. The bit patterns of positive finite numbers
// are above 0 and below infinite.
const infinite = 0x7f800000

// valid returns the number of a bit pattern; NaN if it is not positive and finite.
func valid(bits uint32) float64 {
	if bits-1 < infinite-1 {
		return value(bits)
	}
	return math.NaN()
}

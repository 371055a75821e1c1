package study

import (
	"math"
)

// countImbalance counts members that do twice the I/Os of their peers, or
// larger ones.
func (l *lane) countImbalance(c *Cell, s *Spread, median float64) {
	c.Busy += l.imbalanced(l.block.ios, &s.Busy, median)
	c.Large += l.imbalanced(l.block.size, &s.Large, median)
}

// imbalanced counts the values of twice their median, and how slow their
// drives are. No median is needed to see that there are none, as is usual.
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

// twiceMedian reports whether v is at least twice the median of the values.
// Where all are known, more than half of them up to half of v say that it is,
// fewer than half that it is not.
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

// medianOf is that of the values that are known; NaN where fewer than three
// are.
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

// infinite is the least of the bit patterns that are of no positive number;
// zero is another.
const infinite = 0x7f800000

// valid is the value of bits, NaN where it is no positive number.
func valid(bits uint32) float64 {
	if bits-1 < infinite-1 {
		return value(bits)
	}
	return math.NaN()
}

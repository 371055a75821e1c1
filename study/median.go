package study

import (
	"math"
	"slices"
)

// widest is the largest number of values that a sorting network sorts. RAID groups have up to
// 26 data drives (T16 §3.1), and servers rarely more than 32 drives of one kind.
const widest = 32

// A sorter sorts a few values without branches that depend on the values. A processor predicts
// such a branch wrongly half of the time, and a wrong prediction costs more than the
// comparison.
type sorter struct {
	networks [widest + 1][]exchange
}

// An exchange sorts the values at two indices.
type exchange struct{ low, high uint8 }

// newSorter returns a sorter with the networks for up to widest values.
func newSorter() *sorter {
	s := &sorter{}
	for n := range s.networks {
		s.networks[n] = network(n)
	}
	return s
}

// network returns the exchanges of Batcher's odd-even merge sort for n values.
func network(n int) []exchange {
	var out []exchange
	for p := 1; p < n; p *= 2 {
		for k := p; k >= 1; k /= 2 {
			for j := k % p; j+k < n; j += 2 * k {
				for i := j; i < min(j+k, n-k); i++ {
					if i/(2*p) == (i+k)/(2*p) {
						out = append(out, exchange{uint8(i), uint8(i + k)})
					}
				}
			}
		}
	}
	return out
}

// Sort sorts bit patterns of positive numbers (ratioBits), which have the same order as the
// numbers. It is fastest if the capacity of x is at least widest.
func (s *sorter) Sort(x []uint32) {
	switch {
	case len(x) > widest:
		slices.Sort(x)
	case cap(x) < widest:
		var room [widest]uint32
		copy(room[:], x)
		s.sort(&room, len(x))
		copy(x, room[:])
	default:
		s.sort((*[widest]uint32)(x[:widest]), len(x))
	}
}

// sort sorts the first n values. The remainders save bounds checks.
func (s *sorter) sort(x *[widest]uint32, n int) {
	for _, e := range s.networks[n] {
		i, j := e.low%widest, e.high%widest
		a, b := x[i], x[j]
		x[i], x[j] = min(a, b), max(a, b)
	}
}

// ratioBits returns the bit pattern of a positive number, for Sort.
func ratioBits(v float32) uint32 { return math.Float32bits(v) }

// value returns the number of a bit pattern of ratioBits.
func value(bits uint32) float64 { return float64(math.Float32frombits(bits)) }

// median returns the median of at least one sorted value; the mean of the middle two if the
// number of values is even.
func median(sorted []uint32) float64 {
	n := len(sorted)
	return (value(sorted[(n-1)/2]) + value(sorted[n/2])) / 2
}

package study

import (
	"math"
	"slices"
)

// widest is the most values that are ordered by a network. RAID groups have up
// to 26 data drives (T16 §3.1), servers seldom more than 32 of a kind.
const widest = 32

// A sorter sorts a few values without a branch that depends on them: a processor predicts
// wrongly half of the time which of two latencies is larger, and that costs more than the
// comparison.
type sorter struct {
	networks [widest + 1][]exchange
}

// An exchange puts two places into order.
type exchange struct{ low, high uint8 }

// newSorter lays out the networks.
func newSorter() *sorter {
	s := &sorter{}
	for n := range s.networks {
		s.networks[n] = network(n)
	}
	return s
}

// network is Batcher's anomalous-even merge sort of n values.
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

// Sort orders bit patterns of positive numbers, which are ordered as the
// numbers are: see ratioBits. It is fastest where x has room for 32.
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

// sort orders the first n; masks spare the checks of bounds.
func (s *sorter) sort(x *[widest]uint32, n int) {
	for _, e := range s.networks[n] {
		i, j := e.low%widest, e.high%widest
		a, b := x[i], x[j]
		x[i], x[j] = min(a, b), max(a, b)
	}
}

// ratioBits returns a positive number in the form that Sort takes.
func ratioBits(v float32) uint32 { return math.Float32bits(v) }

// value returns the number of a bit pattern of ratioBits.
func value(bits uint32) float64 { return float64(math.Float32frombits(bits)) }

// median returns the median of sorted values, of which there is at least one: the mean of
// the middle two where their number is even.
func median(sorted []uint32) float64 {
	n := len(sorted)
	return (value(sorted[(n-1)/2]) + value(sorted[n/2])) / 2
}

package slow

import (
	"math"
	"slices"
)

// An attribute, such as a slot or a firmware, may coincide with the odd units by chance.
// The hypergeometric distribution gives the chance of this, by two tests.
//
// Within holders: suppose that the odd drives of a server are a random choice of its
// drives. How likely is it that at least as many odd drives, over all servers, have the
// attribute? Between holders: suppose that the servers with an odd drive are a random
// choice of all servers. How likely is it that at least as many of these servers have a
// drive with the attribute?
//
// The first test is conditional on the second, so that the two are independent. A server
// that is slow as a whole counts once, and not with each of its drives: two broken
// servers with the same kernel do not show a fault of the kernel.

// leastTail keeps logarithms finite.
const leastTail = 1e-300

// chanceNats returns how unlikely it is, in nats, that a place has so many of the odd
// units by chance: n nats are a chance of e⁻ⁿ or less.
func (s *unexplained) chanceNats(c int) float64 {
	holders := s.hold(c)
	within, mixed := withinHolders(holders)
	between, differ := betweenHolders(holders, s.Clean, s.CleanHave[c])
	sum := -math.Log(max(within, leastTail)) - math.Log(max(between, leastTail))
	if mixed && differ {
		sum -= math.Log1p(sum) // the product of two independent chances is x or less with probability x(1 − ln x)
	}
	return sum
}

// holder counts the units of a server or an array that are not explained yet, and how
// many of them have an attribute.
type holder struct{ compared, odd, have, oddHave int }

// hold returns the counts of each holder with odd units. It leaves out explained units,
// which are neither healthy nor odd by chance.
func (s *unexplained) hold(c int) []holder {
	list := make([]holder, len(s.Held))
	for h := range s.Held {
		list[h].compared, list[h].have = s.Held[h].Healthy, s.Held[h].Have[c]
	}
	for i := range s.Odd {
		if s.left[i] {
			list[s.Odd[i].Holder].add(slices.Contains(s.Odd[i].In, c))
		}
	}
	return list
}

// add counts an odd unit.
func (h *holder) add(has bool) {
	h.compared++
	h.odd++
	if has {
		h.have++
		h.oddHave++
	}
}

// withinHolders returns the chance that at least as many odd units as observed have the
// attribute, given the number of odd units in each holder. Mixed is false if no holder
// with odd units has units both with and without the attribute.
func withinHolders(holders []holder) (tail float64, mixed bool) {
	sums, least, have := []float64{1}, 0, 0
	for _, h := range holders {
		if h.odd == 0 {
			continue
		}
		have += h.oddHave
		first, chances := hypergeometric(h.compared, h.have, h.odd)
		mixed = mixed || len(chances) > 1
		least += first
		sums = convolved(sums, chances)
	}
	for i := max(have-least, 0); i < len(sums); i++ {
		tail += sums[i]
	}
	return min(tail, 1), mixed
}

// betweenHolders returns the chance that at least as many holders with the attribute as
// observed have odd units; clean counts the holders without odd units. Differ is false
// if all holders have the attribute, or all have odd units.
func betweenHolders(holders []holder, clean, cleanHave int) (tail float64, differ bool) {
	all, odd, have, both := clean, 0, cleanHave, 0
	for _, h := range holders {
		if h.compared > 0 {
			all++
		}
		if h.odd > 0 {
			odd++
		}
		if h.have > 0 {
			have++
		}
		if h.odd > 0 && h.have > 0 {
			both++
		}
	}
	first, chances := hypergeometric(all, have, odd)
	for i := both - first; i < len(chances); i++ {
		tail += chances[i]
	}
	return min(tail, 1), len(chances) > 1
}

// hypergeometric returns the chance of each number of marked items among the items drawn
// from all items. Chances[0] is the chance of the least possible number, which is first.
func hypergeometric(all, marked, drawn int) (first int, chances []float64) {
	first = max(0, marked+drawn-all)
	for k := first; k <= min(marked, drawn); k++ {
		chances = append(chances, math.Exp(choose(marked, k)+choose(all-marked, drawn-k)-choose(all, drawn)))
	}
	return first, chances
}

// choose returns the logarithm of the number of ways to choose k of n.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// convolved returns the distribution of the sum of two independent numbers.
func convolved(a, b []float64) []float64 {
	if len(b) == 1 {
		return a
	}
	sum := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			sum[i+j] += x * y
		}
	}
	return sum
}

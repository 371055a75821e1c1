package slow

import (
	"math"
	"slices"
)

// An attribute, such as a slot or a firmware, may coincide with what is odd by
// chance. How likely that is says the hypergeometric distribution, asked twice.
//
// Within holders: a server with so many odd drives has them at random among its
// drives. How likely is it that, over all servers, as many have the attribute?
// Between holders: so many servers have anything odd, at random among the servers.
// How likely is it that as many of them have the attribute at all?
//
// The first question is asked given the answer to the second, so that the two are
// independent, and a server that is slow as a whole counts once and not with each
// of its drives: two broken servers of one kernel are no fault of the kernel.

// leastTail keeps logarithms finite.
const leastTail = 1e-300

// chanceNats is how unlikely it is that a component has as many of the odd units
// as it has, by chance: it is as likely as e⁻ⁿ, or less.
func (s *scene) chanceNats(c int) float64 {
	holders := s.hold(c)
	within, mixed := withinHolders(holders)
	between, differ := betweenHolders(holders, s.Clean, s.CleanHave[c])
	sum := -math.Log(max(within, leastTail)) - math.Log(max(between, leastTail))
	if mixed && differ {
		sum -= math.Log1p(sum) // a product of two chances is at most x with a chance of x(1 − ln x)
	}
	return sum
}

// holder counts what is judged, odd and not explained of a server or an array, and
// how much of it has an attribute.
type holder struct{ judged, odd, have, oddHave int }

// hold counts by holder, those that have nothing odd left out. What is explained is
// neither odd by chance nor healthy, and left out.
func (s *scene) hold(c int) []holder {
	list := make([]holder, len(s.Held))
	for h := range s.Held {
		list[h].judged, list[h].have = s.Held[h].Healthy, s.Held[h].Have[c]
	}
	for i := range s.Odd {
		if s.left[i] {
			list[s.Odd[i].Holder].add(slices.Contains(s.Odd[i].In, c))
		}
	}
	return list
}

// add counts a unit that is odd.
func (h *holder) add(has bool) {
	h.judged++
	h.odd++
	if has {
		h.have++
		h.oddHave++
	}
}

// withinHolders is the chance that as many odd units have the attribute, given how
// many are odd in each holder. It is not mixed where no holder with something odd
// has units with and without the attribute.
func withinHolders(holders []holder) (tail float64, mixed bool) {
	sums, least, have := []float64{1}, 0, 0
	for _, h := range holders {
		if h.odd == 0 {
			continue
		}
		have += h.oddHave
		first, chances := hypergeometric(h.judged, h.have, h.odd)
		mixed = mixed || len(chances) > 1
		least += first
		sums = convolved(sums, chances)
	}
	for i := max(have-least, 0); i < len(sums); i++ {
		tail += sums[i]
	}
	return min(tail, 1), mixed
}

// betweenHolders is the chance that as many holders with the attribute have
// something odd, beside those that nothing is odd of. They do not differ where all have
// the attribute, or all have something odd.
func betweenHolders(holders []holder, clean, cleanHave int) (tail float64, differ bool) {
	all, odd, have, both := clean, 0, cleanHave, 0
	for _, h := range holders {
		if h.judged > 0 {
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

// hypergeometric is the chance of each number of marked ones among those drawn, of
// so many of which some are marked; the first number is the least that can be.
func hypergeometric(all, marked, drawn int) (first int, chances []float64) {
	first = max(0, marked+drawn-all)
	for k := first; k <= min(marked, drawn); k++ {
		chances = append(chances, math.Exp(choose(marked, k)+choose(all-marked, drawn-k)-choose(all, drawn)))
	}
	return first, chances
}

// choose is the logarithm of the number of ways to choose k of n.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// convolved is the distribution of the sum of two independent numbers.
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

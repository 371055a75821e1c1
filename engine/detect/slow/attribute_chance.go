package slow

import (
	"math"
	"slices"
)

// Anomalous units may have an attribute in common by chance, for example a slot or a firmware
// version. Two tests compute the probability of this coincidence, with the hypergeometric
// distribution. A unit is a component that takes part in localisation (localisation.go). A holder
// is the server or the array to which units belong.
//
// The test within holders assumes that the anomalous units of each holder are a random choice of
// the units of this holder. It counts the anomalous units with the attribute, over all holders. Its
// result is the probability that chance alone gives at least this count.
//
// The test between holders assumes that the holders with an anomalous unit are a random choice of
// all holders. It counts the holders that have both an anomalous unit and a unit with the
// attribute. Its result is the probability that chance alone gives at least this count. In this
// test, a server that is slow as a whole counts once, and not once for each drive. So two broken
// servers with the same kernel do not show a fault of the kernel.
//
// The test within holders takes the number of anomalous units of each holder as given. So the
// results of the two tests are independent.

// minTail is the smallest probability of which a logarithm is taken. A smaller probability counts
// as minTail, so that its logarithm is finite.
const minTail = 1e-300

// chanceNats returns how unlikely it is, in nats, that so many anomalous units belong to the place
// with index c by chance. A result of n nats is a probability of e⁻ⁿ.
func (s *unexplained) chanceNats(c int) float64 {
	holders := s.countHolders(c)
	within, mixed := withinHolders(holders)
	between, differ := betweenHolders(holders, s.Clean, s.CleanHave[c])
	sum := -math.Log(max(within, minTail)) - math.Log(max(between, minTail))
	if mixed && differ {
		sum -= math.Log1p(sum) // if the results p and q of the two tests are independent and uniform on [0, 1], the probability of p·q ≤ x is x(1 − ln x)
	}
	return sum
}

// holder counts the units of one server or array: the compared units without an explanation, the
// anomalous units, the units with an attribute, and the anomalous units with the attribute.
type holder struct{ compared, anomalous, withAttribute, anomalousWith int }

// countHolders returns the counts of each holder (server or array) with anomalous units, for the
// attribute with index c. It leaves out anomalous units that already have an explanation, because
// they are neither healthy nor anomalous by chance.
func (s *unexplained) countHolders(c int) []holder {
	list := make([]holder, len(s.Held))
	for h := range s.Held {
		list[h].compared, list[h].withAttribute = s.Held[h].Healthy, s.Held[h].Have[c]
	}
	for i := range s.Odd {
		if s.left[i] {
			list[s.Odd[i].Holder].add(slices.Contains(s.Odd[i].In, c))
		}
	}
	return list
}

// add counts an anomalous unit. The parameter `has` is true if the unit has the attribute.
func (h *holder) add(has bool) {
	h.compared++
	h.anomalous++
	if has {
		h.withAttribute++
		h.anomalousWith++
	}
}

// withinHolders runs the test within holders (see the top of this file), and returns the
// probability that this test computes. A holder is a server or an array. The second result is false
// if the test shows nothing: no holder with anomalous units has units both with and without the
// attribute.
func withinHolders(holders []holder) (tail float64, mixed bool) {
	sums, least, have := []float64{1}, 0, 0
	for _, h := range holders {
		if h.anomalous == 0 {
			continue
		}
		have += h.anomalousWith
		first, chances := hypergeometric(h.compared, h.withAttribute, h.anomalous)
		mixed = mixed || len(chances) > 1
		least += first
		sums = sumDistribution(sums, chances)
	}
	for i := max(have-least, 0); i < len(sums); i++ {
		tail += sums[i]
	}
	return min(tail, 1), mixed
}

// betweenHolders runs the test between holders (see the top of this file), and returns the
// probability that this test computes. A holder is a server or an array. The caller passes the
// number of holders without anomalous units (clean), and how many of these have the attribute
// (cleanHave). The second result is false if the test shows nothing. This is so if all holders have
// the attribute or no holder has it. It is also so if all holders have anomalous units or no holder
// has any.
func betweenHolders(holders []holder, clean, cleanHave int) (tail float64, differ bool) {
	all, odd, have, both := clean, 0, cleanHave, 0
	for _, h := range holders {
		if h.compared > 0 {
			all++
		}
		if h.anomalous > 0 {
			odd++
		}
		if h.withAttribute > 0 {
			have++
		}
		if h.anomalous > 0 && h.withAttribute > 0 {
			both++
		}
	}
	first, chances := hypergeometric(all, have, odd)
	for i := both - first; i < len(chances); i++ {
		tail += chances[i]
	}
	return min(tail, 1), len(chances) > 1
}

// hypergeometric describes a random draw from a set of items, some of which are marked. The
// parameters are the number of items in the set (all), the number of marked items (marked), and the
// number of items in the draw (drawn). The function returns the probability of each possible number
// of marked items among the drawn items: chances[i] is the probability of first + i marked items.
func hypergeometric(all, marked, drawn int) (first int, chances []float64) {
	first = max(0, marked+drawn-all)
	for k := first; k <= min(marked, drawn); k++ {
		chances = append(chances, math.Exp(logChoose(marked, k)+logChoose(all-marked, drawn-k)-logChoose(all, drawn)))
	}
	return first, chances
}

// logChoose returns the natural logarithm of the number of ways to choose k of n items.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// sumDistribution returns the distribution of the sum of two independent numbers, which have
// the distributions a and b.
func sumDistribution(a, b []float64) []float64 {
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

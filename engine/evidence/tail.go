package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// levels is how many heights of sums are told apart, each twice as high as the one
// two below it, in deviations.
const levels = 28

var heights = func() (h [levels]float64) {
	for i := range h {
		h[i] = math.Exp2(float64(i) / 2)
	}
	return h
}()

// tail is how high the sums of healthy members have climbed on one rung.
type tail struct {
	steps  float64         // of a member, that were watched
	above  [levels]float64 // excursions that climbed to a height or beyond
	excess [levels]float64 // by how much beyond, in all
}

// count takes an excursion up that has ended.
func (t *tail) count(peak float64) {
	for i := range heights {
		if peak < heights[i] {
			return
		}
		t.above[i]++
		t.excess[i] += peak - heights[i]
	}
}

// plus adds what another tail has seen, weighed.
func (t *tail) plus(o *tail, weight float64) {
	t.steps += weight * o.steps
	for i := range heights {
		t.above[i] += weight * o.above[i]
		t.excess[i] += weight * o.excess[i]
	}
}

// fade lets what was seen count less.
func (t *tail) fade(factor float64) {
	t.steps *= factor
	for i := range heights {
		t.above[i] *= factor
		t.excess[i] *= factor
	}
}

// nats is how rarely a healthy member climbs to a height: minus the logarithm of
// the rate for one member and step. Beyond a height that was reached, excursions
// are taken to thin out as fast as those that reached it did, and no faster than
// a burst of the least length allows. What is least of that over all heights
// counts, down to the first that nobody reached: where tails are heavy the
// highest excursions decide.
func (t *tail) nats(height, burst float64) float64 {
	least := math.Inf(1)
	for i, h := range heights {
		if h > height {
			break
		}
		seen := t.above[i]
		rate := math.Log((t.steps + 1) / (seen + 1))
		least = min(least, rate+(height-h)/t.beyond(i, burst))
		if seen < 1 {
			break
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return max(least, 0)
}

// beyond is how far excursions that reach a height go beyond it on average. Few
// of them say little: then it is taken to be more.
func (t *tail) beyond(i int, burst float64) float64 {
	seen := t.above[i]
	if seen < 1 {
		return burst
	}
	return max(t.excess[i]/seen*(1+1/math.Sqrt(seen+1)), burst)
}

func (t *tail) state(c *state.Codec) {
	c.Float(&t.steps)
	for i := range heights {
		c.Float(&t.above[i])
		c.Float(&t.excess[i])
	}
}

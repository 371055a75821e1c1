package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// levels is the number of heights for which excursions are counted. An excursion is a time in which
// a sum is above zero. For each height, type tail counts the excursions in which the sum climbed to
// this height. The unit of heights is the standard deviation of the group, and each height is √2
// times the height below it.
const levels = 28

var heights = func() (h [levels]float64) {
	for i := range h {
		h[i] = math.Exp2(float64(i) / 2)
	}
	return h
}()

// tail counts how high the sums of healthy members have climbed. There is one tail for each rung:
// for each smallest effect that a sum detects (Rungs).
type tail struct {
	steps   float64         // number of steps of all members
	reached [levels]float64 // by height: number of excursions that reached this height
	excess  [levels]float64 // by height: sum, over these excursions, of (peak − height)
}

// count adds an excursion that has ended: a time in which a sum was above zero. The parameter
// `peak` is the greatest value of the sum in this time.
func (t *tail) count(peak float64) {
	for i := range heights {
		if peak < heights[i] {
			return
		}
		t.reached[i]++
		t.excess[i] += peak - heights[i]
	}
}

// addWeighted adds the counts of another tail, multiplied by a weight.
func (t *tail) addWeighted(o *tail, weight float64) {
	t.steps += weight * o.steps
	for i := range heights {
		t.reached[i] += weight * o.reached[i]
		t.excess[i] += weight * o.excess[i]
	}
}

// fade multiplies all counts by a factor below 1.
func (t *tail) fade(factor float64) {
	t.steps *= factor
	for i := range heights {
		t.reached[i] *= factor
		t.excess[i] *= factor
	}
}

// evidence returns the evidence of a sum that has climbed to a height. The evidence is −ln r, where
// r is the rate at which the sums of healthy members climb to this height, per member and step.
//
// The function computes one estimate of −ln r from each counted height h below the height of the
// sum. The number of sums that have reached h gives the rate at h. Above h the rate falls
// exponentially. The scale of this fall is the mean excess of these sums over h (tail.meanExcess).
// The function returns the smallest estimate. The heights are used in ascending order, up to and
// including the first height that no sum has reached.
func (t *tail) evidence(height, burst float64) float64 {
	least := math.Inf(1)
	for i, h := range heights {
		if h > height {
			break
		}
		seen := t.reached[i]
		rate := math.Log((t.steps + 1) / (seen + 1))
		least = min(least, rate+(height-h)/t.meanExcess(i, burst))
		if seen < 1 {
			break
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return max(least, 0)
}

// meanExcess looks at the sums of healthy members that reached heights[i]. The excess of such a sum
// is its peak minus heights[i]. meanExcess returns the mean excess plus one standard error, so that
// the evidence is smaller if only few such sums are known. The result is at least `burst`, the
// height that a sum may gain in one burst of healthy work.
func (t *tail) meanExcess(i int, burst float64) float64 {
	seen := t.reached[i]
	if seen < 1 {
		return burst
	}
	return max(t.excess[i]/seen*(1+1/math.Sqrt(seen+1)), burst)
}

func (t *tail) state(c *state.Codec) {
	c.Float(&t.steps)
	for i := range heights {
		c.Float(&t.reached[i])
		c.Float(&t.excess[i])
	}
}

package evaluate

import "math"

// Share is a number Of out of a number All.
type Share struct{ Of, All int }

// Percent returns the share in percent; NaN: All is 0.
func (s Share) Percent() float64 { return 100 * ratio(s.Of, s.All) }

// z is the quantile of the normal distribution for intervals of 95 %.
const z = 1.959964

// Interval returns Wilson's 95 % interval of the true share, in percent; NaN: All is 0. It is also
// valid for small numbers, and for shares near 0 and 1.
func (s Share) Interval() (low, high float64) {
	if s.All == 0 {
		return math.NaN(), math.NaN()
	}
	n, p := float64(s.All), ratio(s.Of, s.All)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * max(middle-half, 0), 100 * min(middle+half, 1)
}

package evaluate

import "math"

// Share is how many of so many.
type Share struct{ Of, All int }

// Percent is the share in percent; NaN of none.
func (s Share) Percent() float64 { return 100 * ratio(s.Of, s.All) }

// z is the quantile of the normal distribution for intervals of 95 %.
const z = 1.959964

// Interval is Wilson's interval of 95 % for the share that is behind what was
// counted, in percent; NaN of none. It is right for shares near 0 and 1, too,
// where few were counted.
func (s Share) Interval() (low, high float64) {
	if s.All == 0 {
		return math.NaN(), math.NaN()
	}
	n, p := float64(s.All), ratio(s.Of, s.All)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * max(middle-half, 0), 100 * min(middle+half, 1)
}

package look

import (
	"math"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// Constants that describe how healthy components of one group differ. These constants are the same
// for all outputs.
const (
	// usualSpread is the usual difference between healthy drives of one group. Take the mean
	// latency of each drive in an hour: usualSpread is the standard deviation of the logarithms of
	// these means. In T16 §3, 0.7 % of these means are above 1.5 times the median of the RAID
	// group. In a normal distribution, 0.7 % of the values lie above 2.46 standard deviations. So
	// the standard deviation is ln 1.5 / 2.46. These means include slow drives, so the true value
	// is probably smaller.
	usualSpread = 0.165
	// usualWeight is the weight of usualSpread, in degrees of freedom. The weight is small, so that
	// the spread of an output with a dozen components has more weight.
	usualWeight = 4
	// madWeight is the efficiency of the median of absolute deviations, as an estimate of the
	// standard deviation. The variance of this estimate is v/0.37, where v is the variance of the
	// usual estimate. So n values count only as 0.37·n values.
	madWeight = 0.37
	// requestSpread is the ratio of the standard deviation of single latencies to their mean. It is
	// 1 for latencies with an exponential distribution, as in the M/M/1 queue. The mean of n
	// requests then has the relative error 1/√n.
	requestSpread = 1
	// madOfNormal is the ratio of the standard deviation to the median of absolute deviations, for a
	// normal distribution.
	madOfNormal = 1.4826
)

// smallSample has, for 2 to 9 values, the factor by which the median of absolute deviations is
// too small (Croux and Rousseeuw 1992).
var smallSample = [...]float64{1, 1, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107}

// A spread describes the values of a group: their centre, and how far the members are from the
// centre. All values are logarithms.
type spread struct {
	centre float64
	sd     float64 // standard deviation of one member
	df     float64 // degrees of freedom of sd
	n      int     // number of members from which the spread was computed
}

// spreadOf returns the spread of some values. Each value is the median of a logarithm over a number
// of looks. spreadOf combines usualSpread with the spread of the given values. The weights are the
// degrees of freedom of the two spreads (Smyth 2004, "moderated t"). So if a few peers are nearly
// equal by chance, a small difference does not make a component stand apart. The combined spread is
// never smaller than the spread of the given values.
func spreadOf(x []float64, looks int) spread {
	n := len(x)
	s := spread{n: n, centre: quantile.Median(append([]float64(nil), x...))}
	deviations := make([]float64, n)
	for i, v := range x {
		deviations[i] = math.Abs(v - s.centre)
	}
	factor := float64(n) / (float64(n) - 0.8)
	if n < len(smallSample) {
		factor = smallSample[n]
	}
	mad := quantile.Median(deviations) * madOfNormal * factor
	// A single look is assumed to have twice the variance of an hourly mean: half of its variance
	// is noise of the look. The median over several looks has less of this noise.
	prior := usualSpread * usualSpread * (1 + 1/float64(max(looks, 1)))
	seen := madWeight * float64(max(n-1, 0))
	s.df = usualWeight + seen
	s.sd = max(math.Sqrt((usualWeight*prior+seen*mad*mad)/s.df), mad)
	return s
}

// deviation returns how many standard deviations the value x is above the centre, and the
// probability that a healthy component is at least as far above the centre. The parameter `noise`
// is the variance of x itself. It depends on the number of requests over which x is a mean.
func (s spread) deviation(x, noise float64) (t, chance float64) {
	t = s.deviations(x, noise)
	return t, studentTail(t, s.df)
}

// deviations returns the first result of deviation: how many standard deviations the value x is
// above the centre.
func (s spread) deviations(x, noise float64) float64 {
	variance := s.sd*s.sd*(1+s.centreVariance()) + noise
	return (x - s.centre) / math.Sqrt(variance)
}

// centreVariance returns the variance of the centre (a median), in units of the variance of a
// member.
func (s spread) centreVariance() float64 { return math.Pi / 2 / float64(max(s.n, 1)) }

// intervalLevel is the confidence level of the intervals of ratios: 90 %.
const intervalLevel = 0.9

// halfWidth returns half of the length of the interval of x − centre. The parameter `noise` is the
// variance of x. The parameter `step` is the part of the interval that comes from rounding by the
// tool. A quantile of Student's distribution takes long to compute, so the comparison keeps the
// last quantile.
func (c *comparison) halfWidth(s *spread, noise, step float64) float64 {
	if c.quantileOf != s.df {
		c.quantileOf, c.quantile = s.df, studentQuantile((1-intervalLevel)/2, s.df)
	}
	return step + c.quantile*math.Sqrt(s.sd*s.sd*s.centreVariance()+noise)
}

package fleet

import (
	"math"
	"math/rand/v2"
)

// Slowdowns from which on a drive is slow, and mildly so (T16 §3.3).
const (
	slowAt = 2.0
	mildAt = 1.5
)

// A knot of a tail: the share of all drive hours with a slowdown of at least
// Factor.
type knot struct {
	Factor float64 `yaml:"factor"`
	Share  float64 `yaml:"share"`
}

// A tail is the upper end of the distribution of slowdowns, by falling share
// and a power law between its knots. The first is at mildAt, the second at
// slowAt.
type tail []knot

// quantile is the slowdown that the share of all hours reaches.
func (t tail) quantile(share float64) float64 {
	i := 1
	for i < len(t)-1 && share < t[i].Share {
		i++
	}
	a, b := t[i-1], t[i]
	slope := math.Log(b.Factor/a.Factor) / math.Log(b.Share/a.Share)
	return min(a.Factor*math.Pow(share/a.Share, slope), t[len(t)-1].Factor)
}

// band is the shares between which hours are slow, or mildly so.
func (t tail) band(mild bool) (from, to float64) {
	if mild {
		return t[1].Share, t[0].Share
	}
	return 0, t[1].Share
}

// mildShare is the mild hours for each slow one.
func (t tail) mildShare() float64 { return t[0].Share/t[1].Share - 1 }

// A magnitude is how slow a fault or a run of it is, in standard deviations of
// the normal distribution that a band of the tail is mapped to.
type magnitude float64

// A persistence says how much of a slowdown's variance belongs to what: a severe
// fault stays severe. The rest is each drive's and hour's own.
type persistence struct {
	Fault float64 `yaml:"fault"`
	Run   float64 `yaml:"run"`
}

// run draws the magnitude of a run, to be mixed with that of its fault.
func (m *persistence) run(rng *rand.Rand, fault magnitude) magnitude {
	return magnitude(math.Sqrt(m.Fault)*float64(fault) + math.Sqrt(m.Run)*rng.NormFloat64())
}

// factor draws the slowdown of one drive in one hour of a run.
func (m *persistence) factor(rng *rand.Rand, t tail, mild bool, run magnitude) float64 {
	z := float64(run) + math.Sqrt(1-m.Fault-m.Run)*rng.NormFloat64()
	from, to := t.band(mild)
	return t.quantile(from + (to-from)*math.Erfc(z/math.Sqrt2)/2)
}

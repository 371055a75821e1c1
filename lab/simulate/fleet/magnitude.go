package fleet

import (
	"math"
	"math/rand/v2"
)

// The least slowdown of a slow drive, and of a mildly slow drive (T16 §3.3).
const (
	slowAt = 2.0
	mildAt = 1.5
)

// A knot is a point of a tail: the share of all drive hours with a slowdown of at least Factor.
type knot struct {
	Factor float64 `yaml:"factor"`
	Share  float64 `yaml:"share"`
}

// A tail is the upper end of the distribution of slowdowns. Its knots are in the order of falling
// shares, with a power law between them. The first knot is at mildAt, the second at slowAt.
type tail []knot

// quantile returns the slowdown that the given share of all hours reaches or exceeds.
func (t tail) quantile(share float64) float64 {
	i := 1
	for i < len(t)-1 && share < t[i].Share {
		i++
	}
	a, b := t[i-1], t[i]
	slope := math.Log(b.Factor/a.Factor) / math.Log(b.Share/a.Share)
	return min(a.Factor*math.Pow(share/a.Share, slope), t[len(t)-1].Factor)
}

// band returns the shares between which hours are slow, or mildly slow; 0 is the share of the
// slowest hours.
func (t tail) band(mild bool) (from, to float64) {
	if mild {
		return t[1].Share, t[0].Share
	}
	return 0, t[1].Share
}

// mildShare returns the number of mildly slow hours per slow hour.
func (t tail) mildShare() float64 { return t[0].Share/t[1].Share - 1 }

// A magnitude is the strength of a fault or of one of its runs, in standard deviations of a normal
// distribution. The distribution is mapped to a band of the tail.
type magnitude float64

// A persistence has the parts of the variance of slowdowns that belong to the fault and to the run.
// The rest of the variance differs by drive and hour. So a severe fault stays severe.
type persistence struct {
	Fault float64 `yaml:"fault"`
	Run   float64 `yaml:"run"`
}

// run draws the magnitude of a run, a part of which is the magnitude of the fault.
func (m *persistence) run(rng *rand.Rand, fault magnitude) magnitude {
	return magnitude(math.Sqrt(m.Fault)*float64(fault) + math.Sqrt(m.Run)*rng.NormFloat64())
}

// factor draws the slowdown of one drive in one hour of a run.
func (m *persistence) factor(rng *rand.Rand, t tail, mild bool, run magnitude) float64 {
	z := float64(run) + math.Sqrt(1-m.Fault-m.Run)*rng.NormFloat64()
	from, to := t.band(mild)
	return t.quantile(from + (to-from)*math.Erfc(z/math.Sqrt2)/2)
}

package arrays

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// random draws the random numbers of one part of the system.
type random struct {
	*rand.Rand
	Many int // least number of independent draws whose sum is drawn from a normal distribution
}

// The sum of thirty draws has nearly a normal distribution. The sum of eight draws has the right
// mean and spread, at a third of the cost.
const (
	manyDraws  = 30
	coarseMany = 8
)

// source returns the random numbers of one part. Each part has its own, so the draws of one part do
// not change the other parts: a scenario with a fault and the same scenario without the fault
// differ only by the fault.
func source(seed uint64, part string) random {
	h := fnv.New64a()
	h.Write([]byte(part))
	return random{rand.New(rand.NewPCG(seed, h.Sum64())), manyDraws}
}

// Poisson draws the number of independent events with the given mean.
func (rng random) Poisson(mean float64) int {
	if mean >= float64(rng.Many) {
		return int(max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64())))
	}
	n, limit := 0, math.Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}

// sumOfExponentials draws the sum of n exponential times of mean 1.
func (rng random) sumOfExponentials(n int) float64 {
	if n >= rng.Many {
		return max(0, float64(n)+math.Sqrt(float64(n))*rng.NormFloat64())
	}
	sum := 0.0
	for range n {
		sum += rng.ExpFloat64()
	}
	return sum
}

// A drift is a factor near 1. A part of it is constant and differs between components; the other
// part changes slowly.
type drift struct {
	own    float64 // constant part
	spread float64 // standard deviation of the changing part
	memory float64 // seconds after which the changing part is nearly independent of its old value
	at     float64

	dt, keep, noise float64 // length of the last step, and its factors for the old value and for the noise
}

// newDrift returns a factor with a constant deviation of about own, and with a changing deviation
// of about spread that lasts about memory seconds.
func newDrift(rng random, own, spread, memory float64) drift {
	return drift{own: math.Exp(own * rng.NormFloat64()), spread: spread, memory: memory, at: spread * rng.NormFloat64()}
}

// Next returns the factor after dt more seconds.
func (d *drift) Next(rng random, dt float64) float64 {
	if dt != d.dt {
		d.dt, d.keep = dt, math.Exp(-dt/d.memory)
		d.noise = math.Sqrt(1-d.keep*d.keep) * d.spread
	}
	d.at = d.keep*d.at + d.noise*rng.NormFloat64()
	return d.own * math.Exp(d.at)
}

// Sometimes draws times between from and to, perDay of them a day on average.
func (rng random) Sometimes(perDay float64, from, to time.Time) []time.Time {
	var list []time.Time
	if perDay == 0 {
		return nil
	}
	every := 24 * float64(time.Hour) / perDay
	for at := from; ; {
		if at = at.Add(time.Duration(every * rng.ExpFloat64())); !at.Before(to) {
			return list
		}
		list = append(list, at)
	}
}

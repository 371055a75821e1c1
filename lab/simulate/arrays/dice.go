package arrays

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// dice are the randomness of one part of the system.
type dice struct {
	*rand.Rand
	Many int // from where on a sum of independent draws is taken as normal
}

// A sum of thirty draws is normal to the eye; one of eight has the right mean
// and spread, at a third of the cost.
const (
	manyDraws  = 30
	coarseMany = 8
)

// source returns the Dice of one part. Each part has its own, so that what one
// of them draws does not change the others: a scenario with a fault differs
// from its twin without in nothing but the fault.
func source(seed uint64, part string) dice {
	h := fnv.New64a()
	h.Write([]byte(part))
	return dice{rand.New(rand.NewPCG(seed, h.Sum64())), manyDraws}
}

// Poisson draws how many of independent things happen where mean do on
// average.
func (rng dice) Poisson(mean float64) int {
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
func (rng dice) sumOfExponentials(n int) float64 {
	if n >= rng.Many {
		return max(0, float64(n)+math.Sqrt(float64(n))*rng.NormFloat64())
	}
	sum := 0.0
	for range n {
		sum += rng.ExpFloat64()
	}
	return sum
}

// A drift is a factor near 1 that wanders: what no two parts have quite alike
// and none keeps quite steady.
type drift struct {
	own    float64 // what stays
	spread float64 // standard deviation of what wanders
	memory float64 // seconds after which it has forgotten most
	at     float64

	dt, keep, noise float64 // the step, and what it keeps and adds
}

// newDrift returns a factor that is off by about own for ever and by about
// spread for about memory seconds.
func newDrift(rng dice, own, spread, memory float64) drift {
	return drift{own: math.Exp(own * rng.NormFloat64()), spread: spread, memory: memory, at: spread * rng.NormFloat64()}
}

// Next is the factor after dt seconds more.
func (d *drift) Next(rng dice, dt float64) float64 {
	if dt != d.dt {
		d.dt, d.keep = dt, math.Exp(-dt/d.memory)
		d.noise = math.Sqrt(1-d.keep*d.keep) * d.spread
	}
	d.at = d.keep*d.at + d.noise*rng.NormFloat64()
	return d.own * math.Exp(d.at)
}

// Sometimes draws times from some time to another, so many a day on average.
func (rng dice) Sometimes(perDay float64, from, to time.Time) []time.Time {
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

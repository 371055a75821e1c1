package simulate

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// source returns the randomness of one part of the system. Each part has its
// own, so that what one of them draws does not change the others: a scenario
// with a fault differs from its twin without in nothing but the fault.
func source(seed uint64, part string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(part))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// manyDraws is from where on a sum of independent draws is taken as normal.
const manyDraws = 30

// poisson draws how many of independent things happen where mean do on
// average.
func poisson(rng *rand.Rand, mean float64) int {
	if mean >= manyDraws {
		return int(max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64())))
	}
	n, limit := 0, math.Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}

// sumOfExponentials draws the sum of n exponential times of mean 1.
func sumOfExponentials(rng *rand.Rand, n int) float64 {
	if n >= manyDraws {
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
}

// newDrift returns a factor that is off by about own for ever and by about
// spread for about memory seconds.
func newDrift(rng *rand.Rand, own, spread, memory float64) drift {
	return drift{own: math.Exp(own * rng.NormFloat64()), spread: spread, memory: memory, at: spread * rng.NormFloat64()}
}

// next is the factor after dt seconds more.
func (d *drift) next(rng *rand.Rand, dt float64) float64 {
	keep := math.Exp(-dt / d.memory)
	d.at = keep*d.at + math.Sqrt(1-keep*keep)*d.spread*rng.NormFloat64()
	return d.own * math.Exp(d.at)
}

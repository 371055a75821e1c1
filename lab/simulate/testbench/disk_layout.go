package testbench

import (
	"math"
	"math/rand/v2"
)

// A layout is a factor of the transfer rate. It depends on where allocators have placed the present
// data: some ranges have more pieces than others, some are nearer to the centre of the platter.
type layout struct {
	until, factor float64
}

const layoutLength = 2.0 // mean seconds until the factor changes

func (l *layout) at(rng *rand.Rand, now, spread float64) float64 {
	if now >= l.until {
		l.until = now + layoutLength*rng.ExpFloat64()
		l.factor = math.Exp(spread * rng.NormFloat64())
	}
	return l.factor
}

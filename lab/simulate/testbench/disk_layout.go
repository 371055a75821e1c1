package testbench

import (
	"math"
	"math/rand/v2"
)

// A layout is how well allocators have placed what is read and written now:
// some stretches lie in more pieces than others, some further inside.
type layout struct {
	until, factor float64
}

const layoutLength = 2.0 // seconds that a stretch lasts, on average

func (l *layout) at(rng *rand.Rand, now, spread float64) float64 {
	if now >= l.until {
		l.until = now + layoutLength*rng.ExpFloat64()
		l.factor = math.Exp(spread * rng.NormFloat64())
	}
	return l.factor
}

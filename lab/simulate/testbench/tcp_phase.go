package testbench

import (
	"math"
	"math/rand/v2"
)

// A phase is how a flow's bursts happen to fall among those of the others at
// a full queue: some lose again and again while others never do, until the
// pattern changes (Floyd and Jacobson, "On Traffic Phase Effects in
// Packet-Switched Gateways", 1992).
type phase struct {
	until, exposure float64
}

const (
	phaseSpread = 1.0  // of the logarithm
	phaseLength = 40.0 // seconds, on average
)

func (p *phase) at(rng *rand.Rand, now float64) float64 {
	if now >= p.until {
		p.until = now + phaseLength*rng.ExpFloat64()
		p.exposure = math.Exp(phaseSpread * rng.NormFloat64())
	}
	return p.exposure
}

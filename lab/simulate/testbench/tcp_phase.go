package testbench

import (
	"math"
	"math/rand/v2"
)

// A phase is the timing of a flow's bursts, relative to the bursts of the other flows at a full
// queue. Some flows lose segments again and again while others never do, until the pattern changes
// (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992).
type phase struct {
	until, exposure float64
}

const (
	phaseSpread = 1.0  // spread of the logarithm of the exposure
	phaseLength = 40.0 // mean length of a phase in seconds
)

func (p *phase) at(rng *rand.Rand, now float64) float64 {
	if now >= p.until {
		p.until = now + phaseLength*rng.ExpFloat64()
		p.exposure = math.Exp(phaseSpread * rng.NormFloat64())
	}
	return p.exposure
}

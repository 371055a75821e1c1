package replay

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Factor returns the factor by which a read of a member that begins now takes longer. read is the
// number of the read, in any numbering of the caller.
func (d *Distribution) Factor(member int, read uint64, now time.Duration) float64 {
	switch d.Kind {
	case KindRare, KindQuantiles:
		u, _ := drawPair(d.Seed, member, read)
		return d.Quantiles.At(1 - u) // in (0, 1]
	case KindPeriodic:
		if member == d.Periodic.Member && d.Periodic.at(d.Seed, time.Duration(float64(now)*d.Compress)) {
			return d.Periodic.Slow
		}
	}
	return 1
}

// drawPair returns two random numbers in [0, 1) for a read of a member.
func drawPair(seed uint64, member int, read uint64) (u, v float64) {
	var pcg rand.PCG
	pcg.Seed(seed, read<<16^uint64(member))
	pcg.Uint64() // skip the first number, so that neighbouring seeds give different draws
	return unitInterval(pcg.Uint64()), unitInterval(pcg.Uint64())
}

// unitInterval returns a number in [0, 1) from the upper 53 bits, the precision of a float64.
func unitInterval(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// A DelaySource counts the reads of each member, and returns their slowdowns. It is safe for
// concurrent use.
type DelaySource struct {
	distribution Distribution
	reads        []atomic.Uint64
}

// NewSource returns a source for members 0 … members-1.
func NewSource(d Distribution, members int) *DelaySource {
	return &DelaySource{d, make([]atomic.Uint64, members)}
}

// Factor returns the factor by which the next read of a member, which begins now, takes longer.
func (s *DelaySource) Factor(member int, now time.Duration) float64 {
	return s.distribution.Factor(member, s.reads[member].Add(1)-1, now)
}

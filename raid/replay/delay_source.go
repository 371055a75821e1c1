package replay

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Factor is how many times longer a member takes for a read that begins now:
// its read'th, counted as the caller likes.
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

// drawPair are two numbers in [0, 1) that belong to a read of a member.
func drawPair(seed uint64, member int, read uint64) (u, v float64) {
	var pcg rand.PCG
	pcg.Seed(seed, read<<16^uint64(member))
	pcg.Uint64() // seeds that are near each other part
	return unitInterval(pcg.Uint64()), unitInterval(pcg.Uint64())
}

// unitInterval makes a number in [0, 1) of the upper 53 bits, as many as it can hold.
func unitInterval(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// A DelaySource counts the reads of each member. It is safe for concurrent use.
type DelaySource struct {
	distribution Distribution
	reads        []atomic.Uint64
}

// NewSource counts the reads of so many members.
func NewSource(d Distribution, members int) *DelaySource {
	return &DelaySource{d, make([]atomic.Uint64, members)}
}

// Factor is how many times longer a member takes for its next read, which
// begins now.
func (s *DelaySource) Factor(member int, now time.Duration) float64 {
	return s.distribution.Factor(member, s.reads[member].Add(1)-1, now)
}

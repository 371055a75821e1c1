package fleet

import (
	"math"
	"math/rand/v2"
)

// plugging has the parameters of how administrators pull slow drives.
type plugging struct {
	Slow    float64 `yaml:"slow"`    // probability that a drive is pulled within a day after a run with a slowdown of 2
	Mild    float64 `yaml:"mild"`    // the same for a mildly slow run
	Severe  float64 `yaml:"severe"`  // exponent of the growth of this probability with the slowdown
	Back    float64 `yaml:"back"`    // share of pulled drives that are plugged in again
	Scale   float64 `yaml:"scale"`   // scale of the Weibull distribution of the hours until then
	Shape   float64 `yaml:"shape"`   // shape of this distribution
	Relapse float64 `yaml:"relapse"` // share of these drives that are slow again within a day
}

// chance returns the probability that a drive is pulled within a day after a run began.
func (p *plugging) chance(factor float64) float64 {
	if factor < slowAt {
		return p.Mild
	}
	return p.Slow * math.Pow(factor/slowAt, p.Severe)
}

// out draws the hours until a drive is put back; infinite: never.
func (p *plugging) out(rng *rand.Rand) float64 {
	if rng.Float64() >= p.Back {
		return math.Inf(1)
	}
	return p.Scale * math.Pow(rng.ExpFloat64(), 1/p.Shape)
}

// A slot holds a drive, which may be pulled and put back. Times are in hours since the start of the
// fleet.
type slot struct {
	pulled, back float64 // times when the drive is pulled next, and put back
	mild         bool    // the drive is pulled because it is mildly slow
	quiet        float64 // time until which only a relapse hits the drive
}

func newSlot() slot { return slot{pulled: math.Inf(1), back: math.Inf(1)} }

// absent reports whether the drive is pulled at the end of the hour, when records are taken.
func (p *slot) absent(hour int) bool {
	end := float64(hour + 1)
	return p.pulled <= end && end < p.back
}

// settled reports whether the drive was put back less than a day ago. Then only a relapse hits the
// drive; it was drawn when the drive was put back.
func (p *slot) settled(hour int) bool { return float64(hour) < p.quiet }

// decide draws whether someone will pull a drive that has become slow. The drive is pulled within a
// day, and not before the hour is recorded.
func (p *slot) decide(rng *rand.Rand, how *plugging, hour int, factor float64) {
	if !math.IsInf(p.pulled, 1) || rng.Float64() >= how.chance(factor) {
		return
	}
	p.pulled = float64(hour+1) + (hoursPerDay-1)*rng.Float64()
	p.back = p.pulled + how.out(rng)
	p.mild = factor < slowAt
}

// within reports whether t is in the hour.
func within(t float64, hour int) bool { return float64(hour) <= t && t < float64(hour+1) }

package fleet

import (
	"math"
	"math/rand/v2"
)

// plugging is what administrators do about slow drives.
type plugging struct {
	Slow    float64 `yaml:"slow"`    // chance that a run of 2× ends so within a day
	Mild    float64 `yaml:"mild"`    // and a mild one
	Severe  float64 `yaml:"severe"`  // how it grows with the slowdown: an exponent
	Back    float64 `yaml:"back"`    // share that is plugged in again
	Scale   float64 `yaml:"scale"`   // hours out, a Weibull distribution
	Shape   float64 `yaml:"shape"`   // of it
	Relapse float64 `yaml:"relapse"` // slow again within a day
}

// chance is that of a drive being pulled within a day after a run began.
func (p *plugging) chance(factor float64) float64 {
	if factor < slowAt {
		return p.Mild
	}
	return p.Slow * math.Pow(factor/slowAt, p.Severe)
}

// out draws the hours until a drive is put back.
func (p *plugging) out(rng *rand.Rand) float64 {
	if rng.Float64() >= p.Back {
		return math.Inf(1)
	}
	return p.Scale * math.Pow(rng.ExpFloat64(), 1/p.Shape)
}

// A plug is where a drive sits. Times are in hours since the fleet's begin.
type plug struct {
	pulled, back float64 // when it is pulled next, and put back
	mild         bool    // why it is pulled
	quiet        float64 // until when faults leave it in peace
}

func newPlug() plug { return plug{pulled: math.Inf(1), back: math.Inf(1)} }

// absent reports whether the drive cannot be asked at the end of the hour,
// when records are taken.
func (p *plug) absent(hour int) bool {
	end := float64(hour + 1)
	return p.pulled <= end && end < p.back
}

// settled reports whether the drive was put back less than a day ago. Faults
// leave it in peace then: whether it is slow again was drawn when it came back.
func (p *plug) settled(hour int) bool { return float64(hour) < p.quiet }

// decide draws whether someone will pull a drive that has become slow: within
// a day, and not before the hour is recorded.
func (p *plug) decide(rng *rand.Rand, how *plugging, hour int, factor float64) {
	if !math.IsInf(p.pulled, 1) || rng.Float64() >= how.chance(factor) {
		return
	}
	p.pulled = float64(hour+1) + (hoursPerDay-1)*rng.Float64()
	p.back = p.pulled + how.out(rng)
	p.mild = factor < slowAt
}

// within reports whether t is in the hour.
func within(t float64, hour int) bool { return float64(hour) <= t && t < float64(hour+1) }

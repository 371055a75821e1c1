package symptom

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDispersion: losses one by one have the variance of chance at any speed of the
// network; a loss that goes up and down a little is none in bursts, however
// many there are; one that comes now and then is, however few.
func TestDispersion(t *testing.T) {
	o := bounds()
	rng := rand.New(rand.NewPCG(5, 6))
	one := func(mean, _ float64) float64 { return max(0, mean+math.Sqrt(mean)*rng.NormFloat64()) }
	wavy := func(mean, at float64) float64 { return one(mean*(1+0.08*math.Sin(at)), at) }
	bursts := func(mean, _ float64) float64 {
		if rng.IntN(8) == 0 {
			return 8 * mean
		}
		return 0
	}
	for name, tt := range map[string]struct {
		lost  func(mean, at float64) float64
		want  bool
		least float64 // of the dispersion
	}{"one by one": {one, false, 0.5}, "a little up and down": {wavy, false, 0.5}, "in bursts": {bursts, true, 6}} {
		for _, mean := range []float64{20, 2000, 200_000} {
			var n counts
			for i := range 64 {
				n.add(tt.lost(mean, float64(i)), 19*mean)
			}
			if got := o.inBursts(&n, 64, 1); got != tt.want || n.dispersion(1) < tt.least {
				t.Errorf("%s, %g a second: in bursts %t, dispersion %.2f", name, mean, got, n.dispersion(1))
			}
		}
	}
	var none counts
	none.add(0, 100)
	if o.inBursts(&none, 1, 1) || none.dispersion(1) != 0 {
		t.Error("nothing lost, and in bursts")
	}
}

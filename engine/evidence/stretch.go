package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// Stretch is the time from the step in which a sum began to climb to the step in which it
// was highest, on one rung. A change most likely begins where the sum begins to climb, and
// most likely ends where the sum is highest. Steps before and after contain no information
// about the size of the change.
type Stretch struct {
	Since int64 // Unix time at which its first step began

	pause pause   // the last period without values before it
	rung  float64 // logarithm of the smallest effect
	tally
	beyond tally // the same sums with the steps after the highest sum, which may still become part of the stretch
}

// pause is a period without values of a component, in Unix time.
type pause struct {
	from, to int64
}

// tally sums the values of some steps.
type tally struct {
	steps, total, squares float64
	extra                 [Extras]float64
	batch                 batches
}

// add takes the next step. Highest is true if the sum is now the greatest of the
// excursion.
func (s *Stretch) add(v *Value, highest bool) {
	t := &s.beyond
	t.steps++
	t.total += v.Effect
	t.squares += v.Effect * v.Effect
	for i := range t.extra {
		t.extra[i] += v.Extra[i]
	}
	t.batch.add(v.Effect)
	if highest {
		s.tally = s.beyond
	}
}

// Mean returns the mean effect of its steps, a natural logarithm.
func (s *Stretch) Mean() float64 { return s.total / max(s.steps, 1) }

// MeanExtra returns the mean of the extra number i of its steps.
func (s *Stretch) MeanExtra(i int) float64 { return s.extra[i] / max(s.steps, 1) }

// gain compares two models of the stretch, noise around its mean and noise around zero.
// It returns the difference of their log-likelihoods times twice the variance.
func (s *Stretch) gain() float64 { return s.Mean() * s.total }

// Error returns half of the 95 % interval of the mean, in a group with a standard deviation
// of spread.
func (s *Stretch) Error(spread float64) float64 {
	return intervalDeviations * math.Sqrt(s.noise(spread)/max(s.steps, 1))
}

// noise returns the effective variance of a step, which includes noise that lasts from step
// to step. It uses the component's own variance if that is above its group's, as slow
// components can be less steady.
func (s *Stretch) noise(spread float64) float64 {
	own := s.squares/max(s.steps, 1) - s.Mean()*s.Mean()
	return batchSteps * s.batch.variance(max(spread*spread, own))
}

// Between returns the 95 % interval of the time of the change, in Unix time. Spread is the
// standard deviation of the group, and step the length of a step in seconds.
//
// The change may lie before the sum began to climb: by up to 11 steps if it is as large
// as the noise of a step, and by four times as many if it is half as large (Bai, 1997).
// If that time reaches into a pause, the change may lie anywhere in the pause. The
// change may also lie after the sum began to climb, because by chance a sum climbs a
// little before the change. It climbs for longer if the smallest effect is small
// compared with the noise.
func (s *Stretch) Between(spread float64, step int64) (early, late int64) {
	noise, mean := s.noise(spread), max(s.Mean(), s.rung)
	before := 1 + likelySteps*noise/(mean*mean)
	after := before + fallSteps*noise/(s.rung*s.rung)
	if early = s.Since - seconds(before, step); early <= s.pause.to {
		early = min(early, s.pause.from)
	}
	return early, s.Since + seconds(after, step)
}

// seconds returns the length of a number of steps, rounded up to whole steps.
func seconds(steps float64, step int64) int64 {
	return int64(math.Ceil(min(steps, manySteps))) * step
}

const (
	// likelySteps is the half-width of the 95 % interval of a change as large as the
	// noise of a step, in steps (Bai, 1997).
	likelySteps = 11
	// fallSteps is the time above zero that only one in twenty sums exceeds, for sums that
	// fall by a standard deviation of their noise per step.
	fallSteps = 2
	// manySteps is more steps than any data have; it keeps conversions to int64 in range.
	manySteps = 1e9
)

// state writes or reads a stretch.
func (s *Stretch) state(c *state.Codec) {
	state.Int(c, &s.Since)
	s.pause.state(c)
	s.tally.state(c)
	s.beyond.state(c)
}

func (t *tally) state(c *state.Codec) {
	c.Float(&t.steps)
	c.Float(&t.total)
	c.Float(&t.squares)
	for i := range t.extra {
		c.Float(&t.extra[i])
	}
	t.batch.state(c)
}

func (p *pause) state(c *state.Codec) {
	state.Int(c, &p.from)
	state.Int(c, &p.to)
}

package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// Stretch is what a component showed on one rung, from when its sum began to climb
// until it was highest. A sum begins to climb where a change most likely begins,
// and is highest where it most likely ends: what was before and after tells
// nothing of how large the change is.
type Stretch struct {
	Since int64 // end of the step before its first

	pause pause   // the last before it
	rung  float64 // the smallest effect that counts
	tally
	beyond tally // with the steps since, of which it is not known yet whether they belong to it
}

// pause is a time in which a component had no values.
type pause struct {
	from, to int64
}

// tally sums up the values of some steps.
type tally struct {
	steps, total, squares float64
	beside                [Besides]float64
	batch                 batches
}

// add takes the next step. Highest says that the sum is higher than ever.
func (s *Stretch) add(v *Value, highest bool) {
	t := &s.beyond
	t.steps++
	t.total += v.Effect
	t.squares += v.Effect * v.Effect
	for i := range t.beside {
		t.beside[i] += v.Beside[i]
	}
	t.batch.add(v.Effect)
	if highest {
		s.tally = s.beyond
	}
}

// Mean value of its steps.
func (s *Stretch) Mean() float64 { return s.total / max(s.steps, 1) }

// Beside is the mean of what stood beside the values of its steps.
func (s *Stretch) Beside(i int) float64 { return s.beside[i] / max(s.steps, 1) }

// gain is how much likelier normal noise around the mean of a stretch makes it than
// noise around zero, but for the variance.
func (s *Stretch) gain() float64 { return s.Mean() * s.total }

// Error is half of the interval in which the mean lies in nineteen of twenty
// cases, in a group with some spread.
func (s *Stretch) Error(spread float64) float64 {
	return intervalDeviations * math.Sqrt(s.noise(spread)/max(s.steps, 1))
}

// noise is the variance of a step, where noise that lasts from step to step counts
// as often as it does in the mean of many. What is slow may be less steady than its
// group.
func (s *Stretch) noise(spread float64) float64 {
	own := s.squares/max(s.steps, 1) - s.Mean()*s.Mean()
	return batchSteps * s.batch.variance(max(spread*spread, own))
}

// Between is when the change came, but for one in twenty cases, in a group with some
// spread and steps of some seconds. It came a little before the sum began to climb:
// 11 steps where it is as large as the noise of a step, and four times as many where
// it is half as large (Bai, 1997); if that may be in a pause, then at any time of
// the pause. Or it came after: by chance a sum climbs a little before it has a
// reason, and for long where the smallest effect is small beside the noise.
func (s *Stretch) Between(spread float64, step int64) (early, late int64) {
	noise, mean := s.noise(spread), max(s.Mean(), s.rung)
	before := 1 + likelySteps*noise/(mean*mean)
	after := before + fallSteps*noise/(s.rung*s.rung)
	if early = s.Since - seconds(before, step); early <= s.pause.to {
		early = min(early, s.pause.from)
	}
	return early, s.Since + seconds(after, step)
}

// seconds that some steps take, the last of which counts whole.
func seconds(steps float64, step int64) int64 {
	return int64(math.Ceil(min(steps, manySteps))) * step
}

const (
	likelySteps = 11
	// fallSteps: one in twenty sums that fall by a deviation of their noise a step is above
	// zero for longer.
	fallSteps = 2
	// manySteps are more than any data have.
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
	for i := range t.beside {
		c.Float(&t.beside[i])
	}
	t.batch.state(c)
}

func (p *pause) state(c *state.Codec) {
	state.Int(c, &p.from)
	state.Int(c, &p.to)
}

package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// Stretch is the time from the step in which a sum began to climb to the step in which this sum was
// highest. A component has one sum, and so one stretch, for each rung (Rungs). A change of the
// component's latency most likely begins where the sum begins to climb, and most likely ends where
// the sum is highest. Steps before and after the stretch contain no information about the size of
// the change.
type Stretch struct {
	Since int64 // Unix time at which the first step of the stretch began

	pause pause   // the last period without values before the stretch
	rung  float64 // logarithm of the smallest effect that the sum detects
	tally
	extended tally // sums over the stretch and all later steps; when the sum of the rung reaches a new maximum, the later steps become part of the stretch
}

// pause is a period without values of a component, in Unix time.
type pause struct {
	from, to int64
}

// tally holds sums over the values of some steps, and over whole minutes of these steps.
type tally struct {
	steps, total, squares float64
	minutes, minuteTotal  float64         // number of whole minutes, and the sum of their effects
	extra                 [Extras]float64 // sums of the extra numbers: over the whole minutes, or over the steps before the first whole minute has ended
	batch                 batches
}

// add adds the next step. The parameter `highest` is true if the sum reaches a new maximum in this
// step.
func (s *Stretch) add(v *Value, highest bool) {
	t := &s.extended
	t.steps++
	t.total += v.Effect
	t.squares += v.Effect * v.Effect
	if t.minutes == 0 {
		for i := range t.extra {
			t.extra[i] += v.Extra[i]
		}
	}
	t.batch.add(v.Effect)
	if highest {
		s.tally = s.extended
	}
}

// addMinute adds the next whole minute. The parameter `highest` is true if the sum is at its
// maximum at the end of the minute.
func (s *Stretch) addMinute(effect float64, extra *[Extras]float64, highest bool) {
	t := &s.extended
	if t.minutes == 0 {
		t.extra = [Extras]float64{}
	}
	t.minutes++
	t.minuteTotal += effect
	for i := range t.extra {
		t.extra[i] += extra[i]
	}
	if highest {
		s.tally = s.extended
	}
}

// Mean returns the mean effect over the whole minutes of the stretch, as a natural logarithm. The
// mean over steps would depend on the length of a step. The fewer requests a step has, the smaller
// is the logarithm of their mean latency, on average. Before the first whole minute has ended, Mean
// returns the mean over steps.
func (s *Stretch) Mean() float64 {
	if s.minutes == 0 {
		return s.stepMean()
	}
	return s.minuteTotal / s.minutes
}

// stepMean returns the mean effect over the steps of the stretch, as a natural logarithm.
func (s *Stretch) stepMean() float64 { return s.total / max(s.steps, 1) }

// MeanExtra returns the mean of the extra number i over the whole minutes of the stretch. Before
// the first whole minute has ended, it returns the mean over the steps.
func (s *Stretch) MeanExtra(i int) float64 {
	if s.minutes == 0 {
		return s.extra[i] / max(s.steps, 1)
	}
	return s.extra[i] / s.minutes
}

// gain measures how much better a change explains the values of the stretch than noise alone
// explains them. It returns 2σ²·(l₁−l₀). Here σ² is the variance of the noise, l₁ is the
// log-likelihood of noise around the mean of the stretch, and l₀ is the log-likelihood of noise
// around zero.
func (s *Stretch) gain() float64 { return s.stepMean() * s.total }

// HalfWidth returns half of the width of the 95 % interval of the mean effect. The caller passes
// the standard deviation of the group.
func (s *Stretch) HalfWidth(spread float64) float64 {
	return intervalDeviations * math.Sqrt(s.noise(spread)/max(s.steps, 1))
}

// noise returns the effective variance of a step, which includes the correlation between
// neighbouring steps. It uses the component's own variance if this is greater than the
// variance of its group, because slow components can be less steady.
func (s *Stretch) noise(spread float64) float64 {
	own := s.squares/max(s.steps, 1) - s.stepMean()*s.stepMean()
	return batchSteps * s.batch.variance(max(spread*spread, own))
}

// ChangeInterval returns the 95 % interval of the time at which the component's latency changed, in
// Unix time. The caller passes the standard deviation of the group, and the length of a step in
// seconds.
//
//   - early: the change may have happened before the sum began to climb. The interval starts up to
//     11 steps earlier if the change is as large as the noise of a step. It starts up to 44 steps
//     earlier if the change is half as large (Bai, 1997). If a pause lies in these steps, the
//     interval includes the pause.
//   - late: the change may have happened after the sum began to climb, because a sum may climb a
//     little by chance. Such a climb is longer if the smallest effect is small compared with the
//     noise.
func (s *Stretch) ChangeInterval(spread float64, step int64) (early, late int64) {
	noise, mean := s.noise(spread), max(s.stepMean(), s.rung)
	before := 1 + likelySteps*noise/(mean*mean)
	after := before + fallSteps*noise/(s.rung*s.rung)
	if early = s.Since - seconds(before, step); early <= s.pause.to {
		early = min(early, s.pause.from)
	}
	return early, s.Since + seconds(after, step)
}

// seconds converts a number of steps, rounded up, to seconds. The parameter `step` is the length of
// a step in seconds.
func seconds(steps float64, step int64) int64 {
	return int64(math.Ceil(min(steps, manySteps))) * step
}

const (
	// likelySteps is half the width of the 95 % interval of the time of a change, in steps, if the
	// change is as large as the noise of a step (Bai, 1997).
	likelySteps = 11
	// fallSteps is a length in steps. By chance a sum may climb from zero and fall back to zero. If
	// the mean of the values added to the sum is minus one standard deviation of these values, 95 %
	// of such climbs last at most fallSteps steps.
	fallSteps = 2
	// manySteps is greater than the number of steps in any data. It prevents an overflow
	// in the conversion to int64.
	manySteps = 1e9
)

func (s *Stretch) state(c *state.Codec) {
	state.Int(c, &s.Since)
	s.pause.state(c)
	s.tally.state(c)
	s.extended.state(c)
}

func (t *tally) state(c *state.Codec) {
	c.Float(&t.steps)
	c.Float(&t.total)
	c.Float(&t.squares)
	c.Float(&t.minutes)
	c.Float(&t.minuteTotal)
	for i := range t.extra {
		c.Float(&t.extra[i])
	}
	t.batch.state(c)
}

func (p *pause) state(c *state.Codec) {
	state.Int(c, &p.from)
	state.Int(c, &p.to)
}

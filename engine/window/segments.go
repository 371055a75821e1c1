package window

import (
	"math"

	"github.com/limpet-storage/limpet/engine/table"
)

// Segments sums sent and lost TCP segments over one shift, the time from the start of one window to
// the start of the next. Only steps in which both numbers are known count. Segments also sums
// Δlost², Δlost·Δsent and Δsent², where Δ is the change from one step to the next.
//
// These sums show whether losses come in bursts. If losses are independent of each other, the
// changes are small. Bursts make the changes larger. A loss that begins within the shift causes one
// great change, so the greatest change is left out.
type Segments struct {
	Lost, Sent         float64 // segments per second, summed over steps
	steps              float64
	lastLost, lastSent float64 // values of the previous step
	changes            float64 // number of changes from one step to the next
	lost2, both, sent2 float64 // sums over changes: Δlost², Δlost·Δsent, Δsent²
	topLost, topSent   float64 // the greatest change of lost segments, and the change of sent segments in the same step
	outages            float64 // steps in which segments were lost and no segment was delivered
}

func (s *Segments) add(lost, delivered float64) {
	sent := lost + delivered
	if table.IsMissing(sent) {
		return
	}
	if lost > 0 && delivered == 0 {
		s.outages++
	}
	if s.steps > 0 {
		dl, ds := lost-s.lastLost, sent-s.lastSent
		s.changes++
		s.lost2 += dl * dl
		s.both += dl * ds
		s.sent2 += ds * ds
		if math.Abs(dl) > math.Abs(s.topLost) {
			s.topLost, s.topSent = dl, ds
		}
	}
	s.steps++
	s.Lost += lost
	s.Sent += sent
	s.lastLost, s.lastSent = lost, sent
}

// variance returns two variances of the number of segments that are lost in one shift. The result
// `has` is the measured variance. The result `chance` is the variance that independent losses would
// have. The expected number of lost segments in a step is p·n. Here n is the number of segments
// that were sent in the step, and p is the share of lost segments over all steps in s. Both
// variances are 0 if there are too few steps or no losses.
func (s *Segments) variance(stepSeconds float64) (has, chance float64) {
	share := s.Lost / s.Sent
	if !(share > 0 && share < 1) || s.changes < 2 {
		return 0, 0
	}
	top := s.topLost - share*s.topSent
	squares := (s.lost2 - 2*share*s.both + share*share*s.sent2 - top*top) / 2
	return stepSeconds * stepSeconds * squares * s.steps / (s.changes - 1), stepSeconds * share * (1 - share) * s.Sent
}

// Loss sums sent and lost segments over a window.
type Loss struct {
	Lost, Sent               float64 // numbers of lost and of sent segments
	Steps                    float64 // number of steps in which both numbers are known
	Outages                  float64 // steps in which segments were lost and no segment was delivered
	variance, chanceVariance float64 // variances of the number of lost segments: the measured variance, and the variance that independent losses would have
}

func (l *Loss) take(s *Segments, stepSeconds float64) {
	has, chance := s.variance(stepSeconds)
	l.Lost += stepSeconds * s.Lost
	l.Sent += stepSeconds * s.Sent
	l.Steps += s.steps
	l.Outages += s.outages
	l.variance += has
	l.chanceVariance += chance
}

// Percent returns the percentage of segments that were lost; NaN if no segment was sent.
func (l *Loss) Percent() float64 {
	if l.Sent == 0 {
		return table.Missing
	}
	return 100 * l.Lost / l.Sent
}

// Dispersion returns the measured variance of the number of lost segments, divided by the variance
// that independent losses would have. It is 1 for independent losses, and more for bursts. It is 0
// if no segment was lost or there are too few steps.
func (l *Loss) Dispersion() float64 {
	if l.chanceVariance == 0 {
		return 0
	}
	return l.variance / l.chanceVariance
}

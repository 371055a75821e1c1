package window

import (
	"math"

	"github.com/limpet-storage/limpet/engine/table"
)

// Segments are counts of segments that were sent and of those among them that
// were lost, over the steps of one shift in which both are known, with the
// moments of how much they change from one such step to the next.
//
// A loss that begins within the shift changes the counts once, so the largest
// change does not count. Losses in bursts change them all the time, and losses
// one by one as much as chance does.
type Segments struct {
	Lost, Sent         float64 // a second, summed over steps
	steps              float64
	wasLost, wasSent   float64 // in the step before
	changes            float64 // pairs of steps
	lost2, both, sent2 float64 // moments of the changes
	topLost, topSent   float64 // the largest change
	outages            float64 // steps in which segments were lost and none was delivered
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
		dl, ds := lost-s.wasLost, sent-s.wasSent
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
	s.wasLost, s.wasSent = lost, sent
}

// variance is that of the losses of all steps together, around the share that
// is lost over the shift; and what it is where each segment is lost by chance
// and by itself. Of two steps nothing is known.
func (s *Segments) variance(stepSeconds float64) (has, chance float64) {
	share := s.Lost / s.Sent
	if !(share > 0 && share < 1) || s.changes < 2 {
		return 0, 0
	}
	top := s.topLost - share*s.topSent
	squares := (s.lost2 - 2*share*s.both + share*share*s.sent2 - top*top) / 2
	return stepSeconds * stepSeconds * squares * s.steps / (s.changes - 1), stepSeconds * share * (1 - share) * s.Sent
}

// Loss is what became of segments over a window, shift by shift.
type Loss struct {
	Lost, Sent  float64 // segments
	Steps       float64 // in which both are known
	Outages     float64 // steps in which segments were lost and none was delivered
	has, chance float64 // variances
}

func (l *Loss) take(s *Segments, stepSeconds float64) {
	has, chance := s.variance(stepSeconds)
	l.Lost += stepSeconds * s.Lost
	l.Sent += stepSeconds * s.Sent
	l.Steps += s.steps
	l.Outages += s.outages
	l.has += has
	l.chance += chance
}

// Percent is how many of the segments were lost, missing where none was sent.
func (l *Loss) Percent() float64 {
	if l.Sent == 0 {
		return table.Missing
	}
	return 100 * l.Lost / l.Sent
}

// Dispersion is the variance of the losses of a step against the one that they
// have where each segment is lost by chance and by itself; that is 1. It is 0
// where nothing is lost.
func (l *Loss) Dispersion() float64 {
	if l.chance == 0 {
		return 0
	}
	return l.has / l.chance
}

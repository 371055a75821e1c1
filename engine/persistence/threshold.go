// This file turns the scores of a training into thresholds: by L13's
// rule, by F10's, and by F10's for congestion windows. It is arithmetic over
// scores.

package persistence

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// scores are those of a peer group in training: by member, missing between two
// runs. A day of 768 components takes 1.2 MB.
type scores [][]float64

// rule says how thresholds come from scores.
type rule struct {
	Factor   float64 // multiplies every threshold
	K        int     // anomalies of 2K−1 windows that make a suspect
	Step     float64 // by which a threshold is raised
	CapShare float64 // of the largest score possible
	Possible float64 // the largest score
}

// Split says that what follows is another run.
func (s scores) Split() {
	for i := range s {
		s[i] = append(s[i], table.Missing)
	}
}

// Typical is the median of all scores; an idle group scores nothing.
func (s scores) Typical() float64 {
	var all []float64
	for _, scores := range s {
		all = distance.Present(all, scores)
	}
	if len(all) == 0 {
		return 0
	}
	return distance.Median(all)
}

// Largest multiplies the largest score of every member (L13 §4.2.1), but goes
// neither below what is typical for the group nor above a share of what is
// possible: otherwise an untouched component has a hair trigger, and one odd
// window in training blinds it for ever.
func (s scores) Largest(r rule) []float64 {
	typical := s.Typical()
	thresholds := make([]float64, len(s))
	for i, scores := range s {
		thresholds[i] = min(max(r.Factor*most(scores), typical), r.CapShare*r.Possible)
	}
	return thresholds
}

// Raised raises the threshold of every member until the filter leaves no
// suspect, and multiplies it (F10 §10.1). What is typical is a floor here too,
// but nothing caps: that an unbalanced training masks faults is part of the
// method (F10 §12).
func (s scores) Raised(r rule) []float64 {
	typical := s.Typical()
	thresholds := make([]float64, len(s))
	for i, scores := range s {
		thresholds[i] = max(r.Factor*raise(mostFiltered(scores, r.K), r.Step), typical)
	}
	return thresholds
}

// Shared is one threshold for all, raised in the same steps: cwnd does not
// depend on the hardware (F10 §10.1).
func (s scores) Shared(r rule) []float64 {
	largest := 0.0
	for _, scores := range s {
		largest = max(largest, most(scores))
	}
	return slices.Repeat([]float64{r.Factor * raise(largest, r.Step)}, len(s))
}

// most is the largest score, 0 where there is none.
func most(scores []float64) float64 {
	largest := 0.0
	for _, s := range scores {
		if s > largest {
			largest = s
		}
	}
	return largest
}

// mostFiltered is the score that a threshold must reach for the filter to
// pass nothing: k of 2k−1 windows exceed a threshold exactly where the k-th
// largest of their scores does. No span reaches from one run into another.
func mostFiltered(scores []float64, k int) float64 {
	largest, begin := 0.0, 0
	span := make([]float64, 0, 2*k-1)
	for at, s := range scores {
		if table.IsMissing(s) {
			begin = at + 1
			continue
		}
		span = append(span[:0], scores[max(begin, at-2*k+2):at+1]...)
		if len(span) >= k {
			largest = max(largest, quantile.Nth(span, len(span)-k))
		}
	}
	return largest
}

// raise gives the first of step, 2·step, … that is not below score. Dividing
// by steps per unit makes three tenths 0.3.
func raise(score, step float64) float64 {
	if step == 0 {
		return score
	}
	perUnit := 1 / step
	n := max(math.Floor(score*perUnit), 1)
	for n/perUnit < score {
		n++
	}
	return n / perUnit
}

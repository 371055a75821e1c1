package detect

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/table"
)

// training is what a group's scores were, in a metric.
type training struct {
	windows int
	seen    []bool      // by member: its server was heard in some window
	scores  [][]float64 // by member, missing between two runs: a day of 768 components takes 1.2 MB
	largest float64     // score that is possible
}

func newTraining(members int, largest float64) *training {
	return &training{seen: make([]bool, members), scores: make([][]float64, members), largest: largest}
}

// add takes the scores of a window.
func (tr *training) add(g *group, w *Window) {
	idle := g.idle
	if !idle {
		tr.windows++
	}
	for i := range w.Verdicts {
		f := &g.facts[i]
		if f.silent {
			continue
		}
		tr.seen[i] = true
		if f.scored && !idle {
			tr.scores[i] = append(tr.scores[i], w.Verdicts[i].Score)
		}
	}
}

// split says that what follows is another run.
func (tr *training) split() {
	for i := range tr.scores {
		tr.scores[i] = append(tr.scores[i], table.Missing)
	}
}

// typical is the median of all scores; an idle group scores nothing.
func (tr *training) typical() float64 {
	var all []float64
	for _, scores := range tr.scores {
		all = present(all, scores)
	}
	if len(all) == 0 {
		return 0
	}
	return median(all)
}

// largestThresholds multiplies the largest score of every member (L13
// §4.2.1), but goes neither below what is typical for the group nor above
// a share of what is possible: otherwise an untouched component has a hair
// trigger, and one odd window in training blinds it for ever.
func largestThresholds(tr *training, o *Options) []float64 {
	typical := tr.typical()
	thresholds := make([]float64, len(tr.scores))
	for i, scores := range tr.scores {
		thresholds[i] = min(max(o.TrainFactor*most(scores), typical), o.TrainCapShare*tr.largest)
	}
	return thresholds
}

// raisedThresholds raises the threshold of every member until the filter
// leaves no suspect, and multiplies it (F10 §10.1). What is typical is a
// floor here too, but nothing caps: that an unbalanced training masks faults
// is part of the method (F10 §12).
func raisedThresholds(tr *training, o *Options) []float64 {
	typical := tr.typical()
	thresholds := make([]float64, len(tr.scores))
	for i, scores := range tr.scores {
		thresholds[i] = max(o.TrainFactor*raise(mostFiltered(scores, o.K), o.TrainStep), typical)
	}
	return thresholds
}

// sharedThreshold is one for all, raised in the same steps: cwnd does not
// depend on the hardware (F10 §10.1).
func sharedThreshold(tr *training, o *Options) []float64 {
	largest := 0.0
	for _, scores := range tr.scores {
		largest = max(largest, most(scores))
	}
	return slices.Repeat([]float64{o.TrainFactor * raise(largest, o.TrainStep)}, len(tr.scores))
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
			largest = max(largest, nth(span, len(span)-k))
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

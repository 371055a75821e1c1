package persistence

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// scores has, for each member of a peer group, the scores of this member in training. A missing
// score separates two runs. A run is a part of the training data without a long gap. The scores of
// 768 components over one day take 1.2 MB. Three methods turn scores into thresholds:
// LargestThresholds (L13), RaisedThresholds (F10), and SharedThreshold (F10, congestion windows).
type scores [][]float64

// rule holds the settings that turn scores into thresholds.
type rule struct {
	Factor   float64 // factor by which every threshold is multiplied
	K        int     // a member with K anomalies in 2K−1 windows is a suspect
	Step     float64 // increment by which a threshold is raised
	CapShare float64 // greatest threshold, as a share of the largest possible score
	Possible float64 // largest possible score
}

// Split marks the end of a run. The next scores belong to another run.
func (s scores) Split() {
	for i := range s {
		s[i] = append(s[i], table.Missing)
	}
}

// Typical returns the median of all scores. It returns 0 for an idle group, which has no
// scores.
func (s scores) Typical() float64 {
	var all []float64
	for _, scores := range s {
		all = distance.AppendPresent(all, scores)
	}
	if len(all) == 0 {
		return 0
	}
	return distance.Median(all)
}

// LargestThresholds returns one threshold for each member: its largest score times the factor
// (L13 §4.2.1). A threshold is at least the typical score of the group. Otherwise a component that
// was idle in training would cause an alarm at any score. A threshold is at most the share CapShare
// of the largest possible score. Otherwise one anomalous window in training would hide all later
// faults.
func (s scores) LargestThresholds(r rule) []float64 {
	typical := s.Typical()
	thresholds := make([]float64, len(s))
	for i, scores := range s {
		thresholds[i] = min(max(r.Factor*largestScore(scores), typical), r.CapShare*r.Possible)
	}
	return thresholds
}

// RaisedThresholds returns one threshold for each member. It raises the threshold by rule.Step at a
// time, until the training data no longer make the member a suspect. Then it multiplies the
// threshold by the factor (F10 §10.1). A threshold is at least the typical score of the group, but
// has no upper bound. So if the load in training was not balanced, some thresholds are so high that
// they may hide faults, as in F10 (§12).
func (s scores) RaisedThresholds(r rule) []float64 {
	typical := s.Typical()
	thresholds := make([]float64, len(s))
	for i, scores := range s {
		thresholds[i] = max(r.Factor*roundUp(minThreshold(scores, r.K), r.Step), typical)
	}
	return thresholds
}

// SharedThreshold returns the same threshold for all members, because congestion windows do not
// depend on the hardware (F10 §10.1). This threshold is the largest score of all members, rounded
// up to a multiple of rule.Step, times the factor.
func (s scores) SharedThreshold(r rule) []float64 {
	largest := 0.0
	for _, scores := range s {
		largest = max(largest, largestScore(scores))
	}
	return slices.Repeat([]float64{r.Factor * roundUp(largest, r.Step)}, len(s))
}

// largestScore returns the largest score, or 0 if there are no scores.
func largestScore(scores []float64) float64 {
	largest := 0.0
	for _, s := range scores {
		if s > largest {
			largest = s
		}
	}
	return largest
}

// minThreshold returns the smallest threshold at which the filter (Filter) finds no suspect. The
// filter looks at 2k−1 consecutive windows of one run. At least k of their scores exceed a
// threshold if and only if the k-th largest of these scores exceeds the threshold. So minThreshold
// returns the maximum of this k-th largest score over all sequences of 2k−1 consecutive windows.
func minThreshold(scores []float64, k int) float64 {
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

// roundUp rounds a score up to a multiple of `step`, and returns at least one step. It computes n
// steps as n/(1/step). The product n·step would have a larger rounding error: in floating point,
// 3/10 equals 0.3, but 3·0.1 does not.
func roundUp(score, step float64) float64 {
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

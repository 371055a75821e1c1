package action

import (
	"errors"
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Sample is how long a request to the group of a part took, on average, in one step.
type Sample struct {
	End    int64
	Group  float64 // requests to all parts of the group
	Others float64 // requests to the other parts
}

// Latencies are the samples of a group, in order of time. A step without requests has no sample.
type Latencies struct {
	StepSeconds int64
	Unit        string
	Samples     []Sample
}

// Verdict is whether users wait less since a part was masked. Latencies are medians of steps.
type Verdict struct {
	Helped bool    `json:"helped"`
	Before float64 `json:"before"` // latency of the group before the action
	Others float64 `json:"others"` // latency without the part, before the action: the best that masking can reach
	After  float64 `json:"after"`  // latency of the group since
	Unit   string  `json:"unit"`
}

func (v *Verdict) String() string {
	text := "a request to the peer group took %s before the action and %s after the action"
	if v.Helped {
		text += ": the action helped"
	} else {
		text += ": the action did not help enough"
	}
	return fmt.Sprintf(text, english.Quantity(v.Before, v.Unit), english.Quantity(v.After, v.Unit))
}

const (
	// VerdictSeconds is the shortest time of latencies that a verdict needs.
	VerdictSeconds = 120
	// leastSamples is how many steps before and after an action have to show requests. A median of
	// fewer steps is moved by one of them.
	leastSamples = 4
	// leastShare is the share of the slow part's contribution that has to be gone. Without the part,
	// all of it would be gone if the others took over its requests at no cost.
	leastShare = 0.5
)

// The errors of [Judge].
var (
	ErrNoneBefore = errors.New("too few latencies were measured before the action")
	ErrNoneAfter  = errors.New("too few latencies were measured after the action")
)

// Judge compares the steps that ended before an action began with the last steps since the part was
// masked. The first step after the action is left out, because a part of it was before. The verdict
// needs latencies of leastSeconds since then.
func Judge(l *Latencies, began, masked, leastSeconds int64) (*Verdict, error) {
	var before, others, after []float64
	for _, s := range l.Samples {
		switch {
		case math.IsNaN(s.Group) || math.IsNaN(s.Others) && s.End <= began:
		case s.End <= began:
			before, others = append(before, s.Group), append(others, s.Others)
		case s.End-l.StepSeconds >= masked:
			after = append(after, s.Group)
		}
	}
	need := max(leastSamples, int(leastSeconds/max(l.StepSeconds, 1)))
	switch {
	case len(before) < leastSamples:
		return nil, ErrNoneBefore
	case len(after) < need:
		return nil, ErrNoneAfter
	}
	v := &Verdict{Before: quantile.Median(before), Others: quantile.Median(others), After: quantile.Median(after[len(after)-need:]), Unit: l.Unit}
	added := v.Before - v.Others // that the slow part added
	v.Helped = added > 0 && v.After <= v.Before-leastShare*added
	return v, nil
}

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
	End        int64
	Group      float64 // requests to all parts of the group
	Others     float64 // requests to the other parts
	Load       float64 // of all parts of the group; missing: unknown
	OthersLoad float64 // of the other parts
}

// Latencies are the samples of a group, in order of time. A step without requests has no sample.
type Latencies struct {
	StepSeconds int64
	Unit        string
	Samples     []Sample
}

// Verdict is whether users wait less since a part was masked. The load of a system changes all the
// time, and with it the latency of all parts. So the group is compared with its other parts in the
// same steps, before and after the action: the difference is what the slow part adds.
type Verdict struct {
	Helped      bool    `json:"helped"`
	Before      float64 `json:"before"`       // latency of the group before the action
	Others      float64 `json:"others"`       // latency without the part, before the action
	After       float64 `json:"after"`        // latency of the group since
	OthersAfter float64 `json:"others_after"` // latency without the part since
	Overloaded  bool    `json:"overloaded"`   // the other parts do not bear the requests that the action moved to them
	MoreLoad    float64 `json:"more_load"`    // requests that the action moved, as a share of those of the other parts; 0: unknown
	Unit        string  `json:"unit"`
}

func (v *Verdict) String() string {
	text := fmt.Sprintf("because of the part, a request to the peer group took %s instead of %s before the action, and %s instead of %s after the action",
		english.Quantity(v.Before, v.Unit), english.Quantity(v.Others, v.Unit), english.Quantity(v.After, v.Unit), english.Quantity(v.OthersAfter, v.Unit))
	if v.Before <= v.Others {
		text = fmt.Sprintf("the part did not make requests to the peer group longer before the action (%s with the part, %s without the part)",
			english.Quantity(v.Before, v.Unit), english.Quantity(v.Others, v.Unit))
	}
	switch {
	case v.Helped:
		return text + ": the action helped"
	case v.Overloaded && v.MoreLoad > 0:
		return text + fmt.Sprintf(": its peers became slower with the %.0f %% more requests that the action gave them, so the action did not help", 100*v.MoreLoad)
	case v.Overloaded:
		return text + ": its peers became slower, so the action did not help"
	}
	return text + ": the action did not help enough"
}

const (
	// VerdictSeconds is the shortest time of latencies that a verdict needs.
	VerdictSeconds = 120
	// leastSamples is how many steps before and after an action have to show requests. A median of
	// fewer steps is moved by one of them.
	leastSamples = 4
	// leastShare is the share of the slow part's contribution that has to be gone. Without the part,
	// all of it would be gone.
	leastShare = 0.5
	// leastMoved is the share of more requests from which on the peers of a part can be overloaded.
	// Fewer requests are lost in the usual changes of the load.
	leastMoved = 0.05
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
	var before, after period
	for _, s := range l.Samples {
		switch {
		case math.IsNaN(s.Group) || math.IsNaN(s.Others) || s.Others <= 0:
		case s.End <= began:
			before = append(before, s)
		case s.End-l.StepSeconds >= masked:
			after = append(after, s)
		}
	}
	need := max(leastSamples, int(leastSeconds/max(l.StepSeconds, 1)))
	switch {
	case len(before) < leastSamples:
		return nil, ErrNoneBefore
	case len(after) < need:
		return nil, ErrNoneAfter
	}
	after = after[len(after)-need:]
	// A ratio of the same step does not depend on a load that changes from step to step.
	ratio := func(s *Sample) float64 { return s.Group / s.Others }
	others := func(s *Sample) float64 { return s.Others }
	longer, longerAfter := before.median(ratio)-1, after.median(ratio)-1
	v := &Verdict{Others: before.median(others), OthersAfter: after.median(others), Unit: l.Unit}
	v.Before, v.After = v.Others*(1+longer), v.OthersAfter*(1+longerAfter)
	v.Overloaded = v.overloads(before, after)
	v.Helped = before.usually(func(s *Sample) bool { return s.Group > s.Others }) && longerAfter <= (1-leastShare)*longer && !v.Overloaded
	return v, nil
}

// overloads reports whether the peers of a part became slower by more than the part added, because
// of the requests that the action moved to them. If the load of the peers rose more for another
// reason, the action is not to blame, and neither is it if it moved few requests. If the load is
// unknown, the action is to blame.
func (v *Verdict) overloads(before, after period) bool {
	own := func(s *Sample) float64 { return s.Load - s.OthersLoad }
	others := func(s *Sample) float64 { return s.OthersLoad }
	moved, rise := before.median(own)-after.median(own), after.median(others)-before.median(others)
	known := !math.IsNaN(moved) && !math.IsNaN(rise) && before.median(others) > 0
	if known {
		v.MoreLoad = max(moved, 0) / before.median(others)
	}
	saved := (v.Before - v.Others) - (v.After - v.OthersAfter)
	return v.OthersAfter-v.Others > max(saved, 0) && (!known || v.MoreLoad >= leastMoved && moved >= rise/2)
}

// period is the samples of some time.
type period []Sample

func (p period) median(of func(*Sample) float64) float64 {
	var list []float64
	for i := range p {
		x := of(&p[i])
		if math.IsNaN(x) {
			return x
		}
		list = append(list, x)
	}
	return quantile.Median(list)
}

// usually reports whether something holds in three of four steps. It holds by chance in half of the
// steps of a part that is as fast as its peers.
func (p period) usually(holds func(*Sample) bool) bool {
	n := 0
	for i := range p {
		if holds(&p[i]) {
			n++
		}
	}
	return 4*n >= 3*len(p)
}

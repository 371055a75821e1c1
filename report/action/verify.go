package action

import (
	"errors"
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Sample is the average time of the requests to a peer group in one step.
type Sample struct {
	End        int64
	Group      float64 // requests to all parts of the group
	Others     float64 // requests to the other parts
	Load       float64 // load of all parts of the group; missing: unknown
	OthersLoad float64 // load of the other parts; missing: unknown
}

// Latencies are the samples of a group, in order of time. A step without requests has no sample.
type Latencies struct {
	StepSeconds int64
	Unit        string
	Samples     []Sample
}

// Verdict is the effect of an action on the time that users wait. The load of a system changes all
// the time, and so does the latency of all parts. Therefore the group is compared with its other
// parts in the same steps, before and after the action. The difference is the slow part's
// contribution.
type Verdict struct {
	Helped      bool    `json:"helped"`
	Before      float64 `json:"before"`       // latency of the group before the action
	Others      float64 `json:"others"`       // latency without the part, before the action
	After       float64 `json:"after"`        // latency of the group after the action
	OthersAfter float64 `json:"others_after"` // latency without the part, after the action
	Overloaded  bool    `json:"overloaded"`   // the other parts became slower because of the requests that the action moved to them
	MoreLoad    float64 `json:"more_load"`    // requests that the action moved, as a share of those of the other parts; 0: unknown
	Unit        string  `json:"unit"`
}

func (v *Verdict) String() string {
	text := fmt.Sprintf("before the action, a request to the peer group took %s (%s without the slow component); after the action, %s (%s without the component)",
		english.Quantity(v.Before, v.Unit), english.Quantity(v.Others, v.Unit), english.Quantity(v.After, v.Unit), english.Quantity(v.OthersAfter, v.Unit))
	if v.Before <= v.Others {
		text = fmt.Sprintf("before the action, the component did not make requests to the peer group slower (%s with the component, %s without the component)",
			english.Quantity(v.Before, v.Unit), english.Quantity(v.Others, v.Unit))
	}
	switch {
	case v.Helped:
		return text + ": the action helped"
	case v.Overloaded && v.MoreLoad > 0:
		return text + fmt.Sprintf(": because of the action, the peers of the component got %.0f %% more requests and became slower, so the action did not help", 100*v.MoreLoad)
	case v.Overloaded:
		return text + ": the peers of the component became slower, so the action did not help"
	}
	return text + ": the action did not help enough"
}

const (
	// VerdictSeconds is the shortest time after an action for which a verdict needs latencies.
	VerdictSeconds = 120
	// leastSamples is the smallest number of steps with requests before and after an action. With
	// fewer steps, a single step could change the median.
	leastSamples = 4
	// leastShare is the share of the slow part's contribution to the latency that an action must
	// remove. Without the part, all of the contribution would be gone.
	leastShare = 0.5
	// leastMoved is the smallest increase of requests, as a share, that can overload the peers of a
	// part. A smaller increase is within the usual changes of the load.
	leastMoved = 0.05
)

// The errors of [Judge].
var (
	ErrNoneBefore = errors.New("too few latencies were measured before the action")
	ErrNoneAfter  = errors.New("too few latencies were measured after the action")
)

// Judge compares the steps that ended before an action began with the last steps after the part was
// masked. It leaves out the steps during which the action was carried out. The verdict needs
// leastSeconds of latencies after the part was masked.
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
	// Both latencies of the ratio are of the same step, so the ratio does not change with the load.
	ratio := func(s *Sample) float64 { return s.Group / s.Others }
	others := func(s *Sample) float64 { return s.Others }
	longer, longerAfter := before.median(ratio)-1, after.median(ratio)-1
	v := &Verdict{Others: before.median(others), OthersAfter: after.median(others), Unit: l.Unit}
	v.Before, v.After = v.Others*(1+longer), v.OthersAfter*(1+longerAfter)
	v.Overloaded = v.overloads(before, after)
	v.Helped = before.usually(func(s *Sample) bool { return s.Group > s.Others }) && longerAfter <= (1-leastShare)*longer && !v.Overloaded
	return v, nil
}

// overloads reports whether the requests that the action moved to the peers of a part made the
// peers slower, by more than the action saved. The action is not the cause if it moved few
// requests, or if most of the additional load of the peers has another reason. If the load is
// unknown, the action counts as the cause.
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

// period holds the samples of a time span.
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

// usually reports whether a condition holds in three of four steps. If no part is slow, the group
// is slower than its other parts in half of the steps, by chance.
func (p period) usually(holds func(*Sample) bool) bool {
	n := 0
	for i := range p {
		if holds(&p[i]) {
			n++
		}
	}
	return 4*n >= 3*len(p)
}

package persistence

import "github.com/limpet-storage/limpet/engine/distance"

// State is the result of comparing a component with its peers in a window.
type State uint8

// The states of a component in a window.
const (
	Normal    State = iota // it is like its peers
	Anomalous              // it differs from its peers
	Unjudged               // there was too little data to decide
)

func (s State) String() string { return [...]string{"normal", "anomalous", "unjudged"}[s] }

// Reason is the reason why a component has its state. Package report/sentence has a sentence for
// each reason.
type Reason uint8

// The reasons for the state of a component.
const (
	NoReason     Reason = iota
	Differs             // its distribution is far from its peers' distributions
	Gone                // it has no data while its server and its peers have data
	Idle                // it has no work while most of its peers have work
	TooFewIOs           // inconclusive: it had too few requests
	TooFewBusy          // inconclusive: fewer than three members of the group have work
	TooFewData          // inconclusive: it has too few samples
	ServerSilent        // inconclusive: its server sent no data at all
	GroupIdle           // inconclusive: no member of the group had work
	Untrained           // inconclusive: the model has no thresholds for its group
	numReasons
)

// Verdict is the result for one component, metric and window.
type Verdict struct {
	Component int
	State     State
	Reason    Reason
	Score     float64
	Threshold float64 // threshold for the score; 0 if there is no threshold
	Median    float64 // median of the component's values in the window; missing if the component has no data
	Peers     float64 // median of the medians of its peers; missing if the comparison did not use this median
	Suspect   bool    // the component is anomalous in at least k of the last 2k−1 windows
}

// IsCompared reports whether the score and the threshold come from a comparison with peers. A
// component that is gone or idle is anomalous without a comparison.
func (v *Verdict) IsCompared() bool { return v.State != Unjudged && v.Threshold > 0 }

// Window holds the verdicts about one peer group by one metric in one window.
type Window struct {
	Group      int // index into the system's peer groups
	Metric     int // index into the schema's metrics
	Start, End int64
	Bins       distance.Bins
	Verdicts   []Verdict // by member, in the group's order
}

package persistence

import "github.com/limpet-storage/limpet/engine/distance"

// State says what a window made of a component.
type State uint8

// The states of a component in a window.
const (
	Normal    State = iota
	Anomalous       // it differs from its peers
	Unjudged        // there was too little to go by; nothing is concluded
)

func (s State) String() string { return [...]string{"normal", "anomalous", "unjudged"}[s] }

// Reason says why a component has its state. Package words says it.
type Reason uint8

// The reasons for a verdict.
const (
	NoReason     Reason = iota
	Differs             // its distribution is far from its peers'
	Gone                // it has no data while its server and its peers have
	Idle                // it does nothing while most of its peers are busy
	TooFewIOs           // unjudged: it did too little
	TooFewBusy          // unjudged: fewer than three of the group are busy
	TooFewData          // unjudged: it has too few samples
	ServerSilent        // unjudged: its server sent nothing at all
	GroupIdle           // unjudged: neither it nor any peer did anything
	Untrained           // unjudged: the model has no thresholds for its group
	numReasons
)

// Verdict is what one window says of one component and metric.
type Verdict struct {
	Component int
	State     State
	Reason    Reason
	Score     float64
	Threshold float64 // 0 where it was not judged
	Median    float64 // over the window; missing where it has no data
	Peers     float64 // the median of its group; missing where that was not needed
	Suspect   bool    // after the k-of-2k−1 filter
}

// Window is the judgement of one peer group and metric over one window.
type Window struct {
	Group      int // index into the system's peer groups
	Metric     int // index into the schema's metrics
	Start, End int64
	Bins       distance.Bins
	Verdicts   []Verdict // by member, in the group's order
}

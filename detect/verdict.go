package detect

import "fmt"

// State says what a window made of a component.
type State uint8

// The states of a component in a window.
const (
	Normal    State = iota
	Anomalous       // it differs from its peers
	Unjudged        // there was too little to go by; nothing is concluded
)

func (s State) String() string { return [...]string{"normal", "anomalous", "unjudged"}[s] }

// Reason says why a component has its state.
type Reason uint8

// The reasons for a verdict.
const (
	NoReason     Reason = iota
	Differs             // its distribution is far from its peers'
	Gone                // it has no data while its server and its peers have
	Idle                // it does nothing while most of its peers are busy
	TooFewIOs           // unjudged: it did too little
	TooFewData          // unjudged: it has too few samples
	ServerSilent        // unjudged: its server sent nothing at all
	GroupIdle           // unjudged: neither it nor any peer did anything
)

var reasonTexts = [...]string{
	"", "differs from its peers", "no data while its server and peers have some",
	"idle while most peers are busy", "too few requests to judge", "too few samples to judge",
	"its server sent no data", "the whole group is idle",
}

func (r Reason) String() string { return reasonTexts[r] }

// Verdict is what one window says of one component and metric.
type Verdict struct {
	Component int
	State     State
	Reason    Reason
	Score     float64
	Threshold float64 // 0 where it was not judged
	Ratio     float64 // its median over its group's; 0 where that has no meaning
	Median    float64
	Suspect   bool // after the k-of-2k−1 filter
}

// Window is the judgement of one peer group and metric over one window.
type Window struct {
	Group      int // index into the system's peer groups
	Metric     int // index into the schema's metrics
	Start, End int64
	Bins       Bins
	Verdicts   []Verdict // by member, in the group's order
}

// String is for tests and traces.
func (w *Window) String() string {
	anomalous := 0
	for _, v := range w.Verdicts {
		if v.State == Anomalous {
			anomalous++
		}
	}
	return fmt.Sprintf("group %d metric %d until %d: %d of %d anomalous", w.Group, w.Metric, w.End, anomalous, len(w.Verdicts))
}

// filter is the k-of-2k−1 filter of one component: the last verdicts, newest
// in the lowest bit.
type filter uint32

// push adds a verdict and says whether at least k of the last 2k−1 were
// anomalous.
func (f *filter) push(anomalous bool, k int) bool {
	*f <<= 1
	if anomalous {
		*f |= 1
	}
	*f &= 1<<(2*k-1) - 1
	n := 0
	for b := *f; b != 0; b &= b - 1 {
		n++
	}
	return n >= k
}

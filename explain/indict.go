package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/metric"
)

// Indictment names a server and the resource of it that is at fault.
type Indictment struct {
	Server   string
	Cause    Cause
	Onset    Onset
	From, To int64      // Unix times between which it was suspect in any of the metrics
	Metrics  []Evidence // in which it was suspect, in the order of [Metrics]
	// Next is the explanation that comes closest after the cause; nil where
	// nothing else was measured.
	Next *Alternative
}

// Evidence is a metric in which a server differs from its peers, by the window
// that exceeds its threshold most.
type Evidence struct {
	Metric    string
	Component string // of the server
	Unit      string // of median and peers
	Score     float64
	Threshold float64
	Scale     string  // of the two; a distance where it is empty
	Doubt     string  // what speaks against it, where that is known
	Median    float64 // of the component over the window
	Peers     float64 // the median of its group's
	From, To  int64   // begin of the first suspect window, end of the last
}

// Alternative is a cause that was not chosen, with the metric that speaks for
// it most.
type Alternative struct {
	Cause    Cause
	Evidence Evidence
	Holds    bool // the server is suspect in that metric, too
}

// strength says how many times its threshold a score is.
func (e *Evidence) strength() float64 {
	switch {
	case e.Threshold > 0:
		return e.Score / e.Threshold
	case e.Score > 0:
		return math.Inf(1)
	}
	return 0
}

// span sets the times of an indictment and its onset, which is that of the
// metric that decided and was suspect first.
func (in *Indictment) span(onsets map[string]Onset) {
	in.From, in.To = math.MaxInt64, 0
	first := int64(math.MaxInt64)
	for i := range in.Metrics {
		e := &in.Metrics[i]
		in.From, in.To = min(in.From, e.From), max(in.To, e.To)
		if in.Cause.Decides(e.Metric) && e.From < first {
			first, in.Onset = e.From, onsets[e.Metric]
		}
	}
}

// strength is that of the metric that decides most.
func (in *Indictment) strength() float64 {
	most := 0.0
	for i := range in.Metrics {
		if e := &in.Metrics[i]; in.Cause.Decides(e.Metric) {
			most = max(most, e.strength())
		}
	}
	return most
}

// strongestFirst orders indictments; equally strong ones stay as they are.
func strongestFirst(list []Indictment) {
	slices.SortStableFunc(list, func(a, b Indictment) int { return cmp.Compare(b.strength(), a.strength()) })
}

// inOrder lists evidence in the order of all metrics.
func inOrder(found map[string]Evidence) []Evidence {
	var list []Evidence
	for _, m := range metric.All() {
		if e, ok := found[m.Name]; ok {
			list = append(list, e)
		}
	}
	return list
}

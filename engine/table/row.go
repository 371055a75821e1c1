package table

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/state"
)

// Row is one step of the common clock.
type Row struct {
	// End is the Unix time at which the step ends, a multiple of the step.
	End int64
	// Values holds a value for every metric of the schema and every
	// component of the system; [Missing] where nothing was measured.
	Values [][]float64
	// Heard says, by server of the system, who sent data for this step,
	// whether or not it has any of its devices left. It is nil where the
	// source cannot know: then whoever has a value was heard.
	Heard []bool
	// Latency holds how long requests took, by component; nil or empty where
	// there were none or nobody listened. It is nil in streams whose schema has
	// no latencies.
	Latency []*Latency
	// Upkeep is what the array or pool of a component is known to do to itself, by
	// component. It is nil where the source cannot know.
	Upkeep []Work
}

// Schema says what the rows of a stream hold.
type Schema struct {
	StepSeconds int64
	Metrics     []metric.Metric
	Components  int
	Servers     int // that rows say were heard; 0 where the source cannot know
	// Load is the metric, by its place among Metrics, that tells a busy
	// component from an idle one; -1 where none does.
	Load int
	// Sparse says that a value may be missing because the collector lost
	// it. A record of an activity file without a device proves that the
	// device was gone; a long table without a line proves nothing.
	Sparse bool
	// Latencies says that rows hold how long requests took.
	Latencies bool
}

// MetricAxis writes the names of the metrics, or reads those of a state and finds
// where they are now.
func (s *Schema) MetricAxis(c *state.Codec) *state.Axis {
	names := make([]state.Named, len(s.Metrics))
	for i, m := range s.Metrics {
		names[i].Name = m.Name
	}
	return c.Axis(names)
}

// Leading is the metric by which components are slow, by its place: await where
// it is measured, else the first of those that they are judged by which is worse
// when it is higher, else the first.
func (s *Schema) Leading(judged []string) int {
	if m := metric.Index(s.Metrics, metric.Await.Name); m >= 0 {
		return m
	}
	for _, name := range judged {
		if m := metric.Index(s.Metrics, name); m >= 0 && s.Metrics[m].Worse == metric.Higher {
			return m
		}
	}
	if len(judged) == 0 {
		return 0
	}
	return max(metric.Index(s.Metrics, judged[0]), 0)
}

// Stream yields rows in time order, each after the one before it. Steps that
// no component has a value for are left out.
type Stream interface {
	Schema() Schema
	// Next returns the next row, valid until the following call, or io.EOF.
	Next() (*Row, error)
}

// Missing is the value of what was not measured.
var Missing = math.NaN()

// IsMissing tells a missing value from a measured one.
func IsMissing(v float64) bool { return v != v }

// NewRow returns a row of the schema with every value missing.
func NewRow(s Schema) *Row {
	r := &Row{Values: make([][]float64, len(s.Metrics)), Upkeep: make([]Work, s.Components)}
	for m := range r.Values {
		r.Values[m] = make([]float64, s.Components)
	}
	if s.Servers > 0 {
		r.Heard = make([]bool, s.Servers)
	}
	if s.Latencies {
		r.Latency = make([]*Latency, s.Components)
	}
	r.Clear()
	return r
}

// Clear makes every value missing, and forgets what was known besides.
func (r *Row) Clear() {
	clear(r.Heard)
	clear(r.Upkeep)
	for _, l := range r.Latency {
		if l != nil {
			l.Clear()
		}
	}
	for _, values := range r.Values {
		for c := range values {
			values[c] = Missing
		}
	}
}

// HeardFrom sets heard[s] for the servers s that sent data for this step.
// ServerOf gives the server of every component, -1 where it has none.
func (r *Row) HeardFrom(serverOf []int, heard []bool) {
	if r.Heard != nil {
		copy(heard, r.Heard)
		return
	}
	clear(heard)
	for _, values := range r.Values {
		for c, v := range values {
			if s := serverOf[c]; s >= 0 && !IsMissing(v) {
				heard[s] = true
			}
		}
	}
}

// StepOf gives the number of the step that ends at or next after t: steps
// end on multiples of their length since the epoch, so that the servers of a
// system and the days of a study agree on them.
func StepOf(t, stepSeconds int64) int64 {
	n := t / stepSeconds
	if n*stepSeconds < t {
		n++
	}
	return n
}

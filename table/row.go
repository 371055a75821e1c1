// Package table puts samples on one clock: records of any interval become
// rows, one for each step, with a value for every component and metric.
//
// It folds by differencing cumulative counters at the two ends of a step, so
// that no work between samples is lost (L13 §4.2): the rows are what sadc
// would have written at the step's interval. What was not measured stays
// missing, apart from what was measured as zero.
package table

import (
	"math"

	"github.com/limpet-storage/limpet/metric"
)

// Row is one step of the common clock.
type Row struct {
	// End is the Unix time at which the step ends, a multiple of the step.
	End int64
	// Values holds a value for every metric of the schema and every
	// component of the system; [Missing] where nothing was measured.
	Values [][]float64
}

// Schema says what the rows of a stream hold.
type Schema struct {
	StepSeconds int64
	Metrics     []metric.Metric
	Components  int
	// Load is the metric, by its place among Metrics, that tells a busy
	// component from an idle one; -1 where none does.
	Load int
	// Sparse says that a value may be missing because the collector lost
	// it. A record of an activity file without a device proves that the
	// device was gone; a long table without a line proves nothing.
	Sparse bool
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
	r := &Row{Values: make([][]float64, len(s.Metrics))}
	for m := range r.Values {
		r.Values[m] = make([]float64, s.Components)
	}
	r.Clear()
	return r
}

// Clear makes every value missing.
func (r *Row) Clear() {
	for _, values := range r.Values {
		for c := range values {
			values[c] = Missing
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

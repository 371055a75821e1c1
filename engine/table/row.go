package table

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/state"
)

// Row holds the values of all components in one step.
type Row struct {
	// End is the Unix time at which the step ends. It is a multiple of the step.
	End int64
	// Values holds a value for every metric of the schema and every component of the
	// system: Values[metric][component]. A value is [Missing] if it was not measured.
	Values [][]float64
	// Heard[s] is true if server s of the system sent data for this step, even if none of its
	// devices has values. Heard is nil if the source does not record this. A server then counts as
	// heard if one of its components has a value.
	Heard []bool
	// Latency has, for each component, the latencies of its requests. An entry is nil or
	// empty if there were no requests, or if they were not recorded. Latency itself is
	// nil if the schema has no latencies.
	Latency []*Latency
	// Upkeep has, for each component, the upkeep of its array or pool: a rebuild, a
	// check, or none. It is nil if the source does not record upkeep.
	Upkeep []Work
	// Gauges has, for each server, its pauses, the free space of its file systems, and its traffic
	// with each client. It is nil if the source does not record which servers sent data.
	Gauges []ServerGauges
}

// Schema describes the rows of a stream.
type Schema struct {
	StepSeconds int64
	Metrics     []metric.Metric
	Components  int
	Servers     int // length of Heard in rows; 0 if the source does not record which servers sent data
	// Load is the index in Metrics of the metric that measures load; -1 if there is no
	// such metric.
	Load int
	// Sparse is set if a value may be missing because the collector lost it. In an
	// activity file a record without a device proves that the device was gone. In a
	// table a missing line proves nothing.
	Sparse bool
	// Latencies is set if rows have latencies.
	Latencies bool
}

// MetricAxis writes the names of the metrics into a saved state, or reads them from a saved state.
// The returned axis translates the index of a metric in the saved state to its present index.
func (s *Schema) MetricAxis(c *state.Codec) *state.Axis {
	names := make([]state.Named, len(s.Metrics))
	for i, m := range s.Metrics {
		names[i].Name = m.Name
	}
	return c.Axis(names)
}

// Leading returns the index of the metric that measures slowness. The parameter `judged` has the
// names of the metrics by which components are compared. The result is await, if the rows have this
// metric. Without await, the result is the first judged metric for which higher values are worse.
// If there is no such metric, the result is the first judged metric.
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

// Stream returns rows in order of time. Steps without any value are left out.
type Stream interface {
	Schema() Schema
	// Next returns the next row, or io.EOF after the last row. The row is valid until the next
	// call.
	Next() (*Row, error)
}

// Missing is the value of a metric that was not measured.
var Missing = math.NaN()

// IsMissing reports whether a value is [Missing].
func IsMissing(v float64) bool { return v != v }

// NewRow returns a row of a schema in which every value is missing.
func NewRow(s Schema) *Row {
	r := &Row{Values: make([][]float64, len(s.Metrics)), Upkeep: make([]Work, s.Components)}
	for m := range r.Values {
		r.Values[m] = make([]float64, s.Components)
	}
	if s.Servers > 0 {
		r.Heard, r.Gauges = make([]bool, s.Servers), make([]ServerGauges, s.Servers)
	}
	if s.Latencies {
		r.Latency = make([]*Latency, s.Components)
	}
	r.Clear()
	return r
}

// Clear makes every value missing, and clears all other fields.
func (r *Row) Clear() {
	clear(r.Gauges)
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

// HeardFrom sets heard[s] for every server s that sent data for this step. The parameter `serverOf`
// has, for each component, the number of its server, or -1 if the component has no server.
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

// StepOf returns the number of the step that contains the Unix time t or ends at t. All steps end
// at Unix times that are multiples of their length. So the steps of all servers, and of recordings
// of different days, begin and end at the same times.
func StepOf(t, stepSeconds int64) int64 {
	n := t / stepSeconds
	if n*stepSeconds < t {
		n++
	}
	return n
}

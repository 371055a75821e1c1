package onset

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// History keeps the last rows in a ring. It finds onsets in these rows.
type History struct {
	opts     Options
	system   *topology.System
	step     int64                    // length of a step, in seconds
	columns  map[metric.Subject][]int // by subject: the components on which metrics of this subject are measured
	columnOf []int                    // by component: its index in the list of columns of its subject
	series   []series
	ring     [][]float32 // by step: the values of all series, one series after the other
	ends     []int64     // by step: Unix time of its end; 0 if the ring has no row for this step
	requests int         // index of the metric that counts requests, among the metrics of a row; -1 if there is no such metric
	begin    int64       // Unix time at which the data begin
	pushed   int64       // number of rows so far
	scratch  []float64
}

// series describes one metric of the history.
type series struct {
	metric.Metric
	index     int                   // index among the metrics of a row
	first     int                   // index of this metric's first value among the values of a step (History.ring)
	columns   []int                 // components on which the metric is measured
	load      bool                  // the metric measures load
	delivered *series               // for lost segments: the series of delivered segments; otherwise nil
	medians   map[int][]groupMedian // by peer group and step: median of the group
}

// groupMedian is the median of a group in a step. It is computed once for all members.
type groupMedian struct {
	push  int64 // number of the row for which the median was computed; 0 if it was not computed
	value float64
}

// loads are the names of the metrics that measure load.
var loads = []string{
	metric.TPS.Name, metric.RxByt.Name, metric.TxByt.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// subjects are the subjects of metrics, by kind of component.
var subjects = map[topology.Kind]metric.Subject{
	topology.Attachment: metric.SubjectDevice, topology.Interface: metric.SubjectInterface, topology.Host: metric.SubjectHost,
}

// New returns a history of the metrics with the given names. The parameter `latencySeconds` is the
// longest time from an onset to the finding of the detector. The history keeps the rows of twice
// this time, so that the time after the onset can be compared with the time before it.
func New(o Options, system *topology.System, schema table.Schema, names []string, latencySeconds int64) *History {
	steps := 2*int(latencySeconds/schema.StepSeconds) + 2*o.FewestSteps
	h := &History{
		opts: o, system: system, step: schema.StepSeconds, columns: map[metric.Subject][]int{},
		requests: metric.Index(schema.Metrics, metric.TPS.Name), ring: make([][]float32, steps), ends: make([]int64, steps),
	}
	for c := range system.Components {
		of := subjects[system.Components[c].Kind]
		h.columnOf = append(h.columnOf, len(h.columns[of]))
		h.columns[of] = append(h.columns[of], c)
	}
	width := 0
	for i, m := range schema.Metrics {
		if load := slices.Contains(loads, m.Name); load || slices.Contains(names, m.Name) {
			h.series = append(h.series, series{Metric: m, index: i, first: width, columns: h.columns[m.Subject], load: load, medians: map[int][]groupMedian{}})
			width += len(h.columns[m.Subject])
		}
	}
	for i := range h.ring {
		h.ring[i] = make([]float32, width)
	}
	for i := range h.series {
		if at := slices.IndexFunc(h.series, func(s series) bool { return s.Name == deliveredOf[h.series[i].Name] }); at >= 0 {
			h.series[i].delivered = &h.series[at]
		}
	}
	return h
}

// deliveredOf maps each metric of lost segments to the metric of delivered segments.
var deliveredOf = map[string]string{metric.RetrIn.Name: metric.DlvIn.Name, metric.RetrOut.Name: metric.DlvOut.Name}

// Push adds the values of the next row to the history.
func (h *History) Push(row *table.Row) {
	if h.begin == 0 {
		h.begin = row.End - h.step
	}
	h.pushed++
	at := int(h.pushed % int64(len(h.ring)))
	h.ends[at] = row.End
	for i := range h.series {
		s := &h.series[i]
		kept, values := h.ring[at][s.first:], row.Values[s.index]
		for column, component := range s.columns {
			kept[column] = float32(values[component])
			if s.PerIO && h.requests >= 0 && row.Values[h.requests][component] == 0 {
				kept[column] = float32(table.Missing) // without requests there is no latency
			}
		}
	}
}

// WindowBounds holds what the windows of a detector show about an onset: the onset is not before
// CalmStart and not after FirstEnd. All times are Unix times.
type WindowBounds struct {
	CalmStart int64 // start of the last normal window before the first anomalous window; 0 if there was no such window
	FirstEnd  int64 // end of the first anomalous window
	LastEnd   int64 // end of the last anomalous window
}

// Onset returns the time at which the distance of a component from its peers in a metric became
// larger. It uses steps up to the end of the last anomalous window, and looks for a change up to
// the end of the first anomalous window. If no change is certain, there are two cases:
//
//   - The component already differed in the first steps, and there was no normal window before the
//     first anomalous window (CalmStart is 0). Then the onset is before the first step that has
//     data and load.
//   - In all other cases, Onset returns the interval from CalmStart to FirstEnd. The interval does
//     not begin before the first step.
//
// The parameter `metric` is the index of the metric among the metrics of a row. The parameter
// `group` is the index of the peer group in the system.
func (h *History) Onset(metric, component, group int, known WindowBounds) finding.Onset {
	times, distances, weights := h.distances(metric, component, group, known.LastEnd)
	begin := h.begin
	if len(times) > 0 {
		begin = times[0] - h.step
	}
	if len(times) >= 2*h.opts.FewestSteps {
		last, _ := slices.BinarySearch(times, known.FirstEnd)
		if c, certain := h.opts.find(distances, weights, last); certain {
			return finding.Onset{At: times[c.step] - h.step, Early: times[c.early] - h.step, Late: times[c.late] - h.step}
		}
	}
	if known.CalmStart == 0 && h.opts.differsThroughout(distances) {
		return finding.OnsetBefore(begin)
	}
	return finding.OnsetBetween(min(max(begin, known.CalmStart), known.FirstEnd), known.FirstEnd)
}

// distances returns three values for each step, oldest first: the Unix time at which the step ends,
// the distance of a component from the median of its group, and the weight of this distance. A step
// is left out if neither the component nor its group had load.
func (h *History) distances(metric, component, group int, end int64) (times []int64, distances, weights []float64) {
	at := slices.IndexFunc(h.series, func(s series) bool { return s.index == metric })
	if at < 0 || group < 0 {
		return nil, nil, nil
	}
	s := &h.series[at]
	for i := range h.ring {
		step := int((h.pushed + 1 + int64(i)) % int64(len(h.ring)))
		if h.ends[step] == 0 || h.ends[step] > end || h.idle(component, group, step, s.Subject) {
			continue
		}
		if distance, weight := h.distance(s, component, group, step); weight > 0 {
			times, distances, weights = append(times, h.ends[step]), append(distances, distance), append(weights, weight)
		}
	}
	return times, distances, weights
}

// distance returns the logarithm of the ratio of a component's value to the median of its group,
// with the weight 1. For lost segments it returns a difference: the share of segments that the
// component loses, minus the share that the group loses. The weight is then the number of segments.
func (h *History) distance(s *series, component, group, step int) (distance, weight float64) {
	own := h.value(s, component, step)
	if s.delivered == nil {
		distance, weight = math.Log((own+s.Noise)/(h.median(s, group, step)+s.Noise)), 1
	} else if weight = own + h.value(s.delivered, component, step); weight > 0 {
		lost, delivered := h.median(s, group, step), h.median(s.delivered, group, step)
		distance = own/weight - lost/max(lost+delivered, 1)
	}
	if math.IsNaN(distance + weight) {
		return 0, 0
	}
	return distance, weight
}

// value returns the value of a component in a step of the ring.
func (h *History) value(s *series, component, step int) float64 {
	return float64(h.ring[step][s.first+h.columnOf[component]])
}

// idle reports whether a component had no load in a step, and the median load of its group was also
// zero. It returns false if no metric measures load.
func (h *History) idle(component, group, step int, of metric.Subject) bool {
	known := false
	for i := range h.series {
		s := &h.series[i]
		if !s.load || s.Subject != of {
			continue
		}
		known = true
		if h.value(s, component, step) > s.Noise || h.median(s, group, step) > s.Noise {
			return false
		}
	}
	return known
}

// median returns the median of a group in a step of the ring.
func (h *History) median(s *series, group, step int) float64 {
	if s.medians[group] == nil {
		s.medians[group] = make([]groupMedian, len(h.ring))
	}
	n := int64(len(h.ring))
	push := h.pushed - (h.pushed-int64(step)+n)%n
	known := &s.medians[group][step]
	if known.push != push {
		h.scratch = h.scratch[:0]
		for _, c := range h.system.Groups[group].Members {
			if v := h.value(s, c, step); !math.IsNaN(v) {
				h.scratch = append(h.scratch, v)
			}
		}
		*known = groupMedian{push, quantile.Median(h.scratch)}
	}
	return known.value
}

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

// History keeps the steps in which an onset may lie.
type History struct {
	opts     Options
	system   *topology.System
	step     int64                    // seconds
	columns  map[metric.Subject][]int // components that metrics of a subject are measured on
	columnOf []int                    // by component: its place among those of its subject
	series   []series
	ring     [][]float32 // by step: the values of all series, one after the other
	ends     []int64     // of the steps, 0 where there is none
	requests int         // the metric that counts requests, by its place in a row; -1 where there is none
	begin    int64       // of the data
	pushed   int64       // rows
	scratch  []float64
}

// series is one metric of the history.
type series struct {
	metric.Metric
	index   int              // among the metrics of a row
	first   int              // place of its first value in a step
	columns []int            // components that it is measured on
	load    bool             // it tells who has something to do
	beside  *series          // of segments that were lost: those that were delivered; otherwise nil
	medians map[int][]middle // by peer group and step
}

// middle is the median of a group in a step. It is taken once, however many
// members are asked for.
type middle struct {
	push  int64 // that brought the step; 0 where it was not taken
	value float64
}

// loads are the metrics that tell who has something to do.
var loads = []string{
	metric.TPS.Name, metric.RxByt.Name, metric.TxByt.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// subjects are what is measured on the kinds of component.
var subjects = map[topology.Kind]metric.Subject{
	topology.Attachment: metric.OfDevice, topology.Interface: metric.OfInterface, topology.Host: metric.OfHost,
}

// New returns a history of the metrics with the given names. It keeps as many
// seconds as a verdict may come after the onset, and as many again to see what
// was before.
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
			h.series = append(h.series, series{Metric: m, index: i, first: width, columns: h.columns[m.Subject], load: load, medians: map[int][]middle{}})
			width += len(h.columns[m.Subject])
		}
	}
	for i := range h.ring {
		h.ring[i] = make([]float32, width)
	}
	for i := range h.series {
		if at := slices.IndexFunc(h.series, func(s series) bool { return s.Name == delivered[h.series[i].Name] }); at >= 0 {
			h.series[i].beside = &h.series[at]
		}
	}
	return h
}

// delivered are the metrics that lost segments are a share of, together with
// them.
var delivered = map[string]string{metric.RetrIn.Name: metric.DlvIn.Name, metric.RetrOut.Name: metric.DlvOut.Name}

// Push takes the next row.
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
				kept[column] = float32(table.Missing) // no request, none that waited
			}
		}
	}
}

// Known is what the windows of a detector tell of an onset.
type Known struct {
	Calm int64 // begin of the last window before the odd ones that was not odd; 0 where there was none
	Odd  int64 // end of the first odd window
	End  int64 // of the last
}

// Onset looks for the step up to the end of the last window from which on a
// component was farther from its peers, at the latest where the first odd window
// ends. Where there is no such step, the component has been so for as long as
// there was anything to do, or else nobody knows more than the windows tell. The
// metric is one of a row's, the group one of the system's.
func (h *History) Onset(metric, component, group int, known Known) finding.Onset {
	times, distances, weights := h.distances(metric, component, group, known.End)
	begin := h.begin
	if len(times) > 0 {
		begin = times[0] - h.step
	}
	if len(times) >= 2*h.opts.FewestSteps {
		last, _ := slices.BinarySearch(times, known.Odd)
		if c, certain := h.opts.find(distances, weights, last); certain {
			return finding.Onset{At: times[c.at] - h.step, Early: times[c.early] - h.step, Late: times[c.late] - h.step}
		}
	}
	if known.Calm == 0 && h.opts.throughout(distances) {
		return finding.Before(begin)
	}
	return finding.Between(min(max(begin, known.Calm), known.Odd), known.Odd)
}

// distances are how far a component's values lie from the median of its group,
// step by step, oldest first, and how much each says. A step in which nobody had
// anything to do says nothing.
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

// distance is the logarithm of a value against the median of its group. Of
// segments that were lost it is by how much their share is above the group's,
// and weighs as much as there were segments.
func (h *History) distance(s *series, component, group, step int) (distance, weight float64) {
	own := h.value(s, component, step)
	if s.beside == nil {
		distance, weight = math.Log((own+s.Noise)/(h.median(s, group, step)+s.Noise)), 1
	} else if weight = own + h.value(s.beside, component, step); weight > 0 {
		lost, delivered := h.median(s, group, step), h.median(s.beside, group, step)
		distance = own/weight - lost/max(lost+delivered, 1)
	}
	if math.IsNaN(distance + weight) {
		return 0, 0
	}
	return distance, weight
}

// value is that of a component in a step.
func (h *History) value(s *series, component, step int) float64 {
	return float64(h.ring[step][s.first+h.columnOf[component]])
}

// idle says whether neither a component nor its group had anything to do in a
// step, as far as that is known.
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

// median is that of a group's values in a step.
func (h *History) median(s *series, group, step int) float64 {
	if s.medians[group] == nil {
		s.medians[group] = make([]middle, len(h.ring))
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
		*known = middle{push, quantile.Median(h.scratch)}
	}
	return known.value
}

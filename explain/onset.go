package explain

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Onset is when a server began to differ from its peers, as well as the data
// tell.
type Onset struct {
	At      int64 // Unix time
	Early   int64 // it may have been since then,
	Late    int64 // or only since then
	Earlier bool  // it was so when there was first anything to do, which was At
}

// history keeps the steps in which an onset may lie once a server is suspect.
type history struct {
	system  *topology.System
	step    int64
	metrics []metric.Metric
	wanted  []int         // metrics that are kept
	ring    [][][]float32 // by step, wanted metric and component
	ends    []int64       // of the steps, 0 where there is none
	begin   int64         // of the data
	at      int
	medians map[series][]middle
}

// series is one metric of one peer group; middle is the median of a step of
// it, which is taken once however many members are asked for.
type (
	series struct{ metric, group int }
	middle struct {
		end   int64
		value float64
	}
)

// newHistory keeps the metrics of the given names for as many seconds as a
// verdict may come after the onset, and as many again to see what was before.
func newHistory(system *topology.System, schema table.Schema, names []string, latency int64) *history {
	kept := 2*int(latency/schema.StepSeconds) + 2*fewestSteps
	h := &history{
		system: system, step: schema.StepSeconds, metrics: schema.Metrics, ends: make([]int64, kept),
		medians: map[series][]middle{},
	}
	for m := range schema.Metrics {
		if name := schema.Metrics[m].Name; slices.Contains(names, name) || slices.Contains(loads, name) {
			h.wanted = append(h.wanted, m)
		}
	}
	h.ring = make([][][]float32, kept)
	for i := range h.ring {
		h.ring[i] = make([][]float32, len(h.wanted))
		for m := range h.wanted {
			h.ring[i][m] = make([]float32, schema.Components)
		}
	}
	return h
}

func (h *history) push(row *table.Row) {
	if h.begin == 0 {
		h.begin = row.End - h.step
	}
	h.at = (h.at + 1) % len(h.ring)
	h.ends[h.at] = row.End
	for i, m := range h.wanted {
		for c, v := range row.Values[m] {
			h.ring[h.at][i][c] = float32(v)
		}
	}
}

// onset looks for the step up to the given end from which on a component was
// farther from its peers, at the latest where the first odd window ends. Where
// it hardly was, or where it was far from them before, it has been so for as
// long as there was anything to do.
func (h *history) onset(m, component, group int, latest, end int64) Onset {
	times, distances := h.distances(m, component, group, end)
	if len(times) >= 2*fewestSteps {
		last, _ := slices.BinarySearch(times, latest)
		if at, early, late, certain := split(distances, last); certain {
			return Onset{At: times[at] - h.step, Early: times[early] - h.step, Late: times[late] - h.step}
		}
	}
	begin := h.begin
	if len(times) > 0 {
		begin = times[0] - h.step
	}
	return Onset{At: begin, Early: begin, Late: begin, Earlier: true}
}

// fewestSteps are needed on either side of a change: less may be how a load
// begins.
const fewestSteps = 10

// distances are the logarithms of a component's values against the median of
// its group, step by step, oldest first. A step in which there was nothing to
// do says nothing.
func (h *history) distances(m, component, group int, end int64) (times []int64, distances []float64) {
	at := -1
	for i, w := range h.wanted {
		if w == m {
			at = i
		}
	}
	if at < 0 || group < 0 {
		return nil, nil
	}
	noise := h.metrics[m].Noise
	for i := range h.ring {
		step := (h.at + 1 + i) % len(h.ring)
		own := float64(h.ring[step][at][component])
		if h.ends[step] == 0 || h.ends[step] > end || math.IsNaN(own) {
			continue
		}
		if h.idle(component, group, step, h.metrics[m].Subject) {
			continue
		}
		peers := h.median(at, group, step)
		times = append(times, h.ends[step])
		distances = append(distances, math.Log((own+noise)/(peers+noise)))
	}
	return times, distances
}

// idle says whether neither a component nor its group had anything to do in a
// step, as far as that is known.
func (h *history) idle(component, group, step int, of metric.Subject) bool {
	known := false
	for at, m := range h.wanted {
		if !slices.Contains(loads, h.metrics[m].Name) || h.metrics[m].Subject != of {
			continue
		}
		known = true
		if noise := h.metrics[m].Noise; float64(h.ring[step][at][component]) > noise || h.median(at, group, step) > noise {
			return false
		}
	}
	return known
}

// loads are the metrics that tell who has something to do.
var loads = []string{
	metric.TPS.Name, metric.RxByt.Name, metric.TxByt.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// median is that of a group's values of a wanted metric in a step.
func (h *history) median(at, group, step int) float64 {
	of := series{at, group}
	if h.medians[of] == nil {
		h.medians[of] = make([]middle, len(h.ring))
	}
	known := &h.medians[of][step]
	if known.end != h.ends[step] {
		var values []float64
		for _, c := range h.system.Groups[group].Members {
			if v := float64(h.ring[step][at][c]); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		*known = middle{h.ends[step], median(values)}
	}
	return known.value
}

// split finds the step, up to the last, from which on a series is farther from
// zero: the one that leaves the smallest sum of squares on both sides, and the
// first and last that are about as likely. Where the deviations are normal,
// twice the difference of the logarithms of two likelihoods exceeds [doubt]
// once in twenty. It is certain that there is a change at all where none is far
// less likely, and where the series was at most half as far before.
func split(x []float64, last int) (at, early, late int, certain bool) {
	n := len(x)
	total, squares := 0.0, 0.0
	for _, v := range x {
		total += v
		squares += v * v
	}
	whole := squares - total*total/float64(n)
	residue, part := slices.Repeat([]float64{whole}, n), make([]float64, n)
	left := 0.0
	for i := range n {
		if i >= fewestSteps && i <= min(last, n-fewestSteps) {
			before, after := left/float64(i), (total-left)/float64(n-i)
			part[i] = math.Abs(before / after)
			if part[i] < 1 {
				residue[i] = squares - left*before - (total-left)*after
			}
		}
		left += x[i]
	}
	for i := range residue {
		if residue[i] < residue[at] {
			at = i
		}
	}
	least := max(residue[at], 1e-9*max(squares, 1e-9))
	behind := func(residue float64) float64 { return float64(n) * math.Log(max(residue, least)/least) }
	for early = at; early > 0 && behind(residue[early-1]) <= doubt; early-- {
	}
	for late = at; late < n-1 && behind(residue[late+1]) <= doubt; late++ {
	}
	return at, early, late, behind(whole) > certainty && part[at] <= farBefore
}

// For a change at an unknown place, and for whether there is one.
const (
	doubt     = 7.7
	certainty = 24
	farBefore = 0.5
)

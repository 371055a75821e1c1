package explain

import (
	"math"

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
	Earlier bool  // it was so when the data began; At is their begin
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

// kept is how many steps a verdict may come after the onset: a window and the
// shifts of the filter, and half as much again to see what was before.
const kept = 320

func newHistory(system *topology.System, schema table.Schema, names []string) *history {
	h := &history{
		system: system, step: schema.StepSeconds, metrics: schema.Metrics, ends: make([]int64, kept),
		medians: map[series][]middle{},
	}
	for _, name := range names {
		if m := metric.Index(schema.Metrics, name); m >= 0 {
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
	h.at = (h.at + 1) % kept
	h.ends[h.at] = row.End
	for i, m := range h.wanted {
		for c, v := range row.Values[m] {
			h.ring[h.at][i][c] = float32(v)
		}
	}
}

// onset looks for the step up to the given end at which a component's distance
// from its peers changed most. A component that was never seen normal has no
// onset in the data.
func (h *history) onset(m, component, group int, end int64, never bool) Onset {
	times, distances := h.distances(m, component, group, end)
	if never || len(times) < 2*fewestSteps {
		return Onset{At: h.begin, Early: h.begin, Late: h.begin, Earlier: true}
	}
	at, early, late := split(distances)
	return Onset{At: times[at] - h.step, Early: times[early] - h.step, Late: times[late] - h.step}
}

// fewestSteps are needed on either side of a change.
const fewestSteps = 5

// distances are the logarithms of a component's values against the median of
// its group, step by step, oldest first.
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
	for i := 1; i <= kept; i++ {
		step := (h.at + i) % kept
		own := float64(h.ring[step][at][component])
		if h.ends[step] == 0 || h.ends[step] > end || math.IsNaN(own) {
			continue
		}
		times = append(times, h.ends[step])
		distances = append(distances, math.Log((own+noise)/(h.median(at, group, step)+noise)))
	}
	return times, distances
}

// median is that of a group's values of a wanted metric in a step.
func (h *history) median(at, group, step int) float64 {
	of := series{at, group}
	if h.medians[of] == nil {
		h.medians[of] = make([]middle, kept)
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

// split finds the step from which on a series has another mean: the one that
// leaves the smallest sum of squares on both sides, and the first and last that
// are about as likely. Where the deviations are normal, twice the difference of
// the logarithms of two likelihoods exceeds [doubt] once in twenty.
func split(x []float64) (at, early, late int) {
	n := len(x)
	total, squares := 0.0, 0.0
	for _, v := range x {
		total += v
		squares += v * v
	}
	left := 0.0
	residue := make([]float64, n)
	at = fewestSteps
	for i := range n {
		if i >= fewestSteps && i <= n-fewestSteps {
			residue[i] = squares - left*left/float64(i) - (total-left)*(total-left)/float64(n-i)
			if residue[i] < residue[at] {
				at = i
			}
		}
		left += x[i]
	}
	least := max(residue[at], 1e-9*max(squares, 1e-9))
	likely := func(i int) bool { return float64(n)*math.Log(max(residue[i], least)/least) <= doubt }
	for early = at; early > fewestSteps && likely(early-1); early-- {
	}
	for late = at; late < n-fewestSteps && likely(late+1); late++ {
	}
	return at, early, late
}

const doubt = 7.7 // for a change at an unknown place

package top

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// Limits of the values that a model keeps. For 72 components and steps of one second, a model keeps
// the values of one hour. They take 3 MB. For 100,000 components it keeps only 20 steps: 24 MB.
const (
	mostValues = 2_000_000
	leastSteps = 20
	mostSteps  = 3600
)

// missing is the value of a metric that was not measured.
var missing = float32(math.NaN())

// A history keeps the last values of all components. Its slices have one element for each step, the
// oldest step first.
type history struct {
	components, depth int
	ends              []int64
	latency           [][]float32 // ms; by step and component
	load              [][]float32 // requests per second
	moved             [][]float32 // kB per second
	busy              []float32   // by component: busy time in the last step, in percent
}

func newHistory(components int) history {
	return history{components: components, depth: min(max(mostValues/max(components, 1), leastSteps), mostSteps), busy: make([]float32, components)}
}

// push adds a row. If the history is full, the new step reuses the memory of the oldest step.
func (h *history) push(row *table.Row, c *columns) {
	if len(h.ends) == h.depth {
		h.ends = append(h.ends[:0], h.ends[1:]...)
		for _, list := range []*[][]float32{&h.latency, &h.load, &h.moved} {
			first := (*list)[0]
			*list = append(append((*list)[:0], (*list)[1:]...), first)
		}
	} else {
		for _, list := range []*[][]float32{&h.latency, &h.load, &h.moved} {
			*list = append(*list, make([]float32, h.components))
		}
	}
	h.ends = append(h.ends, row.End)
	last := len(h.ends) - 1
	value := func(metric, component int) float32 {
		if metric < 0 || metric >= len(row.Values) {
			return missing
		}
		return float32(row.Values[metric][component])
	}
	const sectorsPerKB = 2
	for i := range h.components {
		h.latency[last][i] = value(c.latency, i)
		h.load[last][i] = value(c.load, i)
		h.moved[last][i] = (value(c.read, i) + value(c.written, i)) / sectorsPerKB
		h.busy[i] = value(c.busy, i)
	}
}

// copyFrom copies the values of another history. For component c, from[c] is the index of the component
// in the other history. The index is -1 if the other history does not have the component.
func (h *history) copyFrom(old *history, from []int) {
	skip := max(len(old.ends)-h.depth, 0)
	h.ends = slices.Clone(old.ends[skip:])
	for k := range h.ends {
		for _, pair := range [][2]*[][]float32{{&h.latency, &old.latency}, {&h.load, &old.load}, {&h.moved, &old.moved}} {
			row := make([]float32, h.components)
			for i, at := range from {
				row[i] = missing
				if at >= 0 {
					row[i] = (*pair[1])[skip+k][at]
				}
			}
			*pair[0] = append(*pair[0], row)
		}
	}
}

// A mean holds the mean values of a component over some steps.
type mean struct {
	latency  float64 // in ms, weighted by requests; NaN if there were no requests
	load     float64 // requests per second; NaN if unknown
	moved    float64 // kB per second; NaN if unknown
	requests float64
}

// meanOver returns the mean of a component over the given number of steps. The last of these steps has
// the index `last`.
func (h *history) meanOver(component, last, steps int, stepSeconds float64) mean {
	var waited, requests, loads, moved, latency float64
	n, m, latencies := 0, 0, 0
	for k := max(last-steps+1, 0); k <= last; k++ {
		l, v := float64(h.load[k][component]), float64(h.latency[k][component])
		if !math.IsNaN(l) {
			loads, n = loads+l, n+1
		}
		if b := float64(h.moved[k][component]); !math.IsNaN(b) {
			moved, m = moved+b, m+1
		}
		if v > 0 {
			latency, latencies = latency+v, latencies+1
			if l > 0 {
				waited, requests = waited+v*l*stepSeconds, requests+l*stepSeconds
			}
		}
	}
	r := mean{latency: math.NaN(), load: loads / float64(n), moved: moved / float64(m), requests: requests}
	switch {
	case requests > 0:
		r.latency = waited / requests
	case latencies > 0 && n == 0: // the rows have no load, so the mean is not weighted
		r.latency = latency / float64(latencies)
	}
	return r
}

package replay

import "github.com/limpet-storage/limpet/engine/table"

// mostBins is the largest number of points of a plot. Above it, each two neighbours are merged.
const mostBins = 720

// plot keeps the latencies of the requests to each peer group, and the time that each policy saves.
type plot struct {
	start, width int64 // seconds
	bins         int
	groups       [][]sum       // by group and bin
	saved        [][][]float64 // by policy, group and bin; nil: the group has no action
}

func newPlot(groups, policies int) plot {
	p := plot{groups: make([][]sum, groups), saved: make([][][]float64, policies)}
	for i := range p.saved {
		p.saved[i] = make([][]float64, groups)
	}
	return p
}

// take adds the sums of a step.
func (p *plot) take(end, stepSeconds int64, sums func(group int) (wait, weight float64)) {
	if p.bins == 0 {
		p.start, p.width = end-stepSeconds, stepSeconds
	}
	for (end-stepSeconds-p.start)/p.width >= mostBins {
		p.halve()
	}
	p.bins = int((end-stepSeconds-p.start)/p.width) + 1
	for g := range p.groups {
		for len(p.groups[g]) < p.bins {
			p.groups[g] = append(p.groups[g], sum{})
		}
		wait, weight := sums(g)
		b := &p.groups[g][p.bins-1]
		b.wait, b.weight = b.wait+wait, b.weight+weight
	}
}

// save adds the time that a policy saves for a group in the last step.
func (p *plot) save(policy, group int, less float64) {
	s := &p.saved[policy][group]
	for len(*s) < p.bins {
		*s = append(*s, 0)
	}
	(*s)[p.bins-1] += less
}

// halve merges each two neighbouring points.
func (p *plot) halve() {
	p.width *= 2
	for g, bins := range p.groups {
		var half []sum
		for i := 0; i < len(bins); i += 2 {
			b := bins[i]
			if i+1 < len(bins) {
				b.wait, b.weight = b.wait+bins[i+1].wait, b.weight+bins[i+1].weight
			}
			half = append(half, b)
		}
		p.groups[g] = half
	}
	for _, groups := range p.saved {
		for g, bins := range groups {
			var half []float64
			for i := 0; i < len(bins); i += 2 {
				b := bins[i]
				if i+1 < len(bins) {
					b += bins[i+1]
				}
				half = append(half, b)
			}
			groups[g] = half
		}
	}
}

// Curve is the average latency of a request to a peer group over time. A time without requests is
// missing.
type Curve struct {
	Group    string
	Unit     string
	At       []int64     // Unix times: the ends of the points
	Recorded []float64   // as recorded
	With     [][]float64 // estimated, by policy
}

// curves returns the curves of the groups with an action.
func (p *plot) curves(names func(group int) string, unit string) (list []Curve) {
	for g, bins := range p.groups {
		acted := false
		for _, groups := range p.saved {
			acted = acted || groups[g] != nil
		}
		if !acted {
			continue
		}
		c := Curve{Group: names(g), Unit: unit, With: make([][]float64, len(p.saved))}
		for i, b := range bins {
			c.At = append(c.At, p.start+int64(i+1)*p.width)
			c.Recorded = append(c.Recorded, mean(b, 0))
			for policy, groups := range p.saved {
				less := 0.0
				if i < len(groups[g]) {
					less = groups[g][i]
				}
				c.With[policy] = append(c.With[policy], mean(b, less))
			}
		}
		list = append(list, c)
	}
	return list
}

func mean(s sum, less float64) float64 {
	if s.weight <= 0 {
		return table.Missing
	}
	return (s.wait - less) / s.weight
}

package detect

import (
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
)

// facts are what a window holds of one member, before any comparison.
type facts struct {
	samples int     // steps with a value
	median  float64 // missing where there is no value
	load    float64 // what it did in the window: requests, where the load metric counts them
	busy    bool    // it did enough to be judged
	silent  bool    // its server sent nothing in the whole window
}

// gather collects the window that ends at step for every member, and counts
// the steps that any of them has a value for.
func (d *Detector) gather(g *group, step int64, silent []bool) {
	s := &g.scratch
	s.covered = grow(s.covered, d.opts.WinSize)
	s.idle = true
	for i, c := range g.members {
		s.values[i] = g.win.series(s.values[i][:0], step, c)
		f := d.member(s, s.values[i])
		f.load = g.win.loads[c] * float64(d.opts.StepSeconds)
		f.busy = f.load > 0 && f.load >= d.handful
		f.silent = d.serverOf[c] >= 0 && silent[d.serverOf[c]]
		s.facts[i] = f
		s.idle = s.idle && f.load == 0
		for t, v := range s.values[i] {
			if !table.IsMissing(v) {
				s.covered[t] = 1
			}
		}
	}
	s.steps = 0
	for _, n := range s.covered {
		s.steps += n
	}
}

func (d *Detector) member(s *scratch, values []float64) (f facts) {
	s.sorted = present(s.sorted[:0], values)
	f.samples, f.median = len(s.sorted), table.Missing
	if f.samples > 0 {
		f.median = median(s.sorted)
	}
	return f
}

// handful is the load below which a component is too idle to be judged. Only
// requests can be counted; of any other load, none at all is too little.
func handful(o *Options, schema *table.Schema) float64 {
	if schema.Load >= 0 && schema.Metrics[schema.Load] == metric.TPS {
		return o.MinIOs
	}
	return 0
}

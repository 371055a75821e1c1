package detect

import "github.com/limpet-storage/limpet/table"

// facts are what a window holds of one member, before any comparison.
type facts struct {
	samples int     // steps with a value
	median  float64 // missing where there is no value
	load    float64 // what it did in the window: requests, where the load metric counts them
	busy    bool    // it did enough to be judged
	silent  bool    // its server sent nothing in the whole window
	scored  bool    // the measure could say something of it
}

// gather collects the window that ends at step for every member, and counts
// the steps that any of them has a value for.
func (d *Detector) gather(g *group, step int64, silent []bool) {
	s, win := &g.scratch, g.lane.windows
	s.covered = grow(s.covered, g.lane.opts.WinSize)
	s.idle = true
	for i, c := range g.members {
		s.values[i] = win.series(s.values[i][:0], step, g.first+i)
		f := s.member(s.values[i])
		f.load = win.loads[g.first+i] * float64(d.opts.StepSeconds)
		f.busy = f.load > 0 && f.load >= g.lane.handful
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

func (s *scratch) member(values []float64) (f facts) {
	s.sorted = present(s.sorted[:0], values)
	f.samples, f.median = len(s.sorted), table.Missing
	if f.samples > 0 {
		f.median = median(s.sorted)
	}
	return f
}

package persistence

import (
	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
)

// observation holds the measurements of one member in a window, before any comparison.
type observation struct {
	samples int     // steps with a value
	median  float64 // median of the values; missing if there is no value
	load    float64 // work in the window: the number of requests, if the load metric counts requests
	busy    bool    // the member had enough work to be compared
	silent  bool    // the server of the member sent no data in the whole window
	scored  bool    // the measure computed a score for the member
}

// gather sets the observation of every member in the window that ends with the given step, and
// counts the steps in which any member has a value.
func (s *scratch) gather(d *Detector, g *group, step int64) {
	values := g.lane.values
	g.idle, g.steps = true, 0
	for i, c := range g.members {
		f := observation{samples: g.lane.opts.WinSize}
		if !values.AtZero(g.first + i) {
			f = s.member(s.values[i])
		}
		f.load = values.Loads.Sums[g.first+i] * float64(d.opts.StepSeconds)
		f.busy = f.load > 0 && f.load >= g.lane.minLoad
		f.silent = d.silent(c, step, g.lane.opts.WinSize)
		g.observations[i] = f
		g.idle = g.idle && f.load == 0
		g.steps = max(g.steps, f.samples)
	}
	if g.steps < g.lane.opts.WinSize {
		g.steps = s.cover(g.lane.opts.WinSize)
	}
}

// member counts the values of a member and finds their median.
func (s *scratch) member(values []float64) (f observation) {
	s.sorted = distance.AppendPresent(s.sorted[:0], values)
	f.samples, f.median = len(s.sorted), table.Missing
	if f.samples > 0 {
		f.median = distance.Median(s.sorted)
	}
	return f
}

// cover counts the steps of the window in which any member has a value.
func (s *scratch) cover(steps int) (covered int) {
	s.covered = resize(s.covered, steps)
	clear(s.covered)
	for _, values := range s.values {
		for t, v := range values {
			if !table.IsMissing(v) && !s.covered[t] {
				s.covered[t] = true
				covered++
			}
		}
	}
	return covered
}

package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Tick sums up what every component has shown since the last tick, and says for
// how many seconds; 0 where it is too early for one. Findings can be asked for
// after it.
func (d *Detector) Tick(end int64) int64 {
	if d.ticked == 0 {
		d.ticked = end - d.step
	}
	seconds, tick := end-d.ticked, d.opts.TickSteps*d.step
	if seconds < tick && end%tick != 0 {
		return 0
	}
	d.ticked = end
	for g := range d.groups {
		d.groups[g].apart = d.apart(g)
	}
	for _, c := range d.facts.Watched {
		d.sumUp(c, end)
	}
	return seconds
}

// Next begins what is to be judged by the next tick.
func (d *Detector) Next() {
	for c := range d.courses {
		d.courses[c].isJudged = false
	}
}

// sumUp sums one component up.
func (d *Detector) sumUp(c int, end int64) {
	w := &d.courses[c]
	if !d.monitor.Shows(c) {
		w.odd, w.suspect, w.ticks, w.nats = false, false, 0, 0
		return
	}
	if !w.isJudged {
		return
	}
	g := d.groupOf(c)
	w.nats = d.monitor.Nats(c, g)
	slow := max(w.slowness(), math.Log(d.smallest))
	shows := w.now >= d.opts.ShowsShare*slow
	switch {
	case w.now >= d.opts.ShowsShare*min(slow, math.Log(d.opts.PlainTimes)):
		w.calm = 0
	case w.calm == 0:
		w.calm = end
	case end-w.calm >= d.opts.CalmSeconds:
		d.monitor.End(c, g)
		w.reset()
		w.odd, w.suspect = false, false
		return
	}
	w.odd, w.suspect = w.nats >= d.opts.OddShare*d.told && shows, w.nats >= d.told && shows
	if w.odd && w.dated == (finding.Onset{}) {
		w.dated = d.dates(c)
	}
	if w.suspect {
		w.ticks++
	} else if w.ticks > 0 {
		w.ticks--
	}
	if w.nats >= d.sure {
		d.monitor.Known(c)
	}
}

// apart is how far the members of a group are apart for hours, beyond the smallest
// effect that matters: where some always have a little more to do than others,
// peers are less alike, and what they differ by is no fault.
func (d *Detector) apart(g int) float64 {
	if !d.judges[g] || d.groups[g].idle {
		return 0
	}
	d.sorted = d.sorted[:0]
	for _, c := range d.facts.System.Groups[g].Members {
		if w := &d.courses[c]; w.isJudged {
			d.sorted = append(d.sorted, w.steady)
		}
	}
	if len(d.sorted) < topology.MinPeers {
		return 0
	}
	middle := quantile.Median(d.sorted)
	for i := range d.sorted {
		d.sorted[i] = math.Abs(d.sorted[i] - middle)
	}
	return max(d.opts.ApartDeviations*evidence.DeviationsPerMAD*quantile.Median(d.sorted)-math.Log(d.smallest), 0)
}

// groupOf is the group that a component is compared with.
func (d *Detector) groupOf(c int) int {
	if d.roles[c] == heir {
		return d.facts.GroupOf(d.facts.First(d.facts.LUNOf[c]))
	}
	return d.facts.GroupOf(c)
}

// onsetOf is when a component began to be slow. What became worse since then began
// when it was odd for the first time.
func (d *Detector) onsetOf(c int) finding.Onset {
	first, now := d.courses[c].dated, d.dates(c)
	if first != (finding.Onset{}) && first.At < now.At {
		return first
	}
	return now
}

// dates what a component shows: where the sum that explains most began to climb, and
// as much earlier or later as the noise leaves open.
func (d *Detector) dates(c int) finding.Onset {
	s := d.monitor.Change(c)
	early, late := s.Between(d.monitor.Spread(d.groupOf(c)), d.step)
	if early <= d.facts.Begin && s.Since-d.facts.Begin <= d.opts.BeginSeconds {
		return finding.Before(d.facts.Begin)
	}
	return finding.Onset{At: s.Since, Early: max(early, d.facts.Begin), Late: min(late, max(d.courses[c].counted, s.Since))}
}

package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Tick updates the evidence and the suspects, and returns the number of seconds since the previous
// tick. If no tick ends at the Unix time `end`, it does nothing and returns 0. Findings may be
// called only after a tick.
func (d *Detector) Tick(end int64) int64 {
	if d.lastTick == 0 {
		d.lastTick = end - d.step
	}
	seconds := end - d.lastTick
	if seconds < d.tickSeconds() && end%d.tickSeconds() != 0 {
		return 0
	}
	d.lastTick = end
	for g := range d.groups {
		d.groups[g].normalDifference = d.normalDifference(g)
	}
	for _, c := range d.facts.Attachments {
		d.update(c, end)
	}
	return seconds
}

// tickSeconds returns the time between two ticks, in seconds.
func (d *Detector) tickSeconds() int64 { return d.criteria.TickSteps * d.step }

// EarlyFindings returns findings between two ticks, so that an operator need not wait for the next
// tick. The findings are about components that have just become far slower than their peers, and
// already have the evidence that a suspect needs. The parameter `open` returns the open problems.
// EarlyFindings leaves out the members of open problems, because they have been reported. No early
// finding becomes an incident before the next tick, which looks for a common cause of several
// findings.
func (d *Detector) EarlyFindings(end int64, open func() []finding.OpenIncident) []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Attachments {
		w := &d.courses[c]
		if !d.monitor.HasLargeExcursion(c) || !w.compared || w.suspect || !d.hasJustSlowed(c, w.slowness()) {
			continue
		}
		w.evidence = d.monitor.Evidence(c, d.groupOf(c))
		if w.evidence < d.suspectEvidence || slices.ContainsFunc(open(), func(o finding.OpenIncident) bool { return o.Class == finding.Slow && o.HasMember(c) }) {
			continue
		}
		f := d.finding(&explanation{place: d.PlaceIfAlone(c), members: []int{c}, compared: 1})
		f.Until = max(f.Until, (end/d.tickSeconds()+1)*d.tickSeconds())
		if !RepeatsStall(&f, open()) {
			found = append(found, f)
		}
	}
	return found
}

// ResetCompared is called after a tick. It marks every component as not compared since this tick.
func (d *Detector) ResetCompared() {
	for c := range d.courses {
		d.courses[c].compared = false
	}
}

// update decides at a tick whether a component is anomalous, and whether it is a suspect. The
// component's evidence must reach the bound for an anomalous component or for a suspect, and the
// component must still be slow now. If the component has been like its peers for RecoverSeconds,
// update ends its episode.
func (d *Detector) update(c int, end int64) {
	w := &d.courses[c]
	if !d.monitor.HasExcursion(c) {
		w.anomalous, w.suspect, w.suspectTicks, w.evidence = false, false, 0, 0
		return
	}
	if !w.compared {
		return
	}
	g := d.groupOf(c)
	w.evidence = d.monitor.Evidence(c, g)
	slow := max(w.slowness(), math.Log(d.criteria.SmallestTimes))
	shows := w.now >= d.criteria.HalfShare*slow
	switch {
	case w.now >= d.criteria.HalfShare*min(slow, math.Log(d.criteria.ClearTimes)):
		w.calmSince = 0
	case w.calmSince == 0:
		w.calmSince = end
	case end-w.calmSince >= d.criteria.RecoverSeconds:
		d.monitor.EndExcursion(c, g)
		w.reset()
		w.anomalous, w.suspect = false, false
		return
	}
	w.suspect = w.evidence >= d.suspectEvidence && (shows || d.hasJustSlowed(c, slow))
	w.anomalous = w.suspect || w.evidence >= d.criteria.HalfShare*d.suspectEvidence && shows
	if w.anomalous && w.firstOnset == (finding.Onset{}) {
		w.firstOnset = d.onsetFromEvidence(c)
	}
	if w.suspect {
		w.suspectTicks++
	} else if w.suspectTicks > 0 {
		w.suspectTicks--
	}
	if w.evidence >= d.incidentEvidence {
		d.monitor.MarkFault(c)
	}
}

// hasJustSlowed reports whether a component became far slower than its peers a few steps ago. After
// so few steps, its average over minutes (course.now) cannot yet have reached half of the slowness.
// So the average is compared with a smaller value (reachedShare).
func (d *Detector) hasJustSlowed(c int, slow float64) bool {
	w := &d.courses[c]
	return d.monitor.HasLargeExcursion(c) && w.now >= d.criteria.HalfShare*slow*w.reachedShare(d.keepRecent)
}

// normalDifference returns how far the members of a group normally differ over hours: the logarithm
// of the largest normal ratio of a member to the group, minus the logarithm of SmallestTimes. If
// this difference is negative, normalDifference returns 0. The result is above 0, for example, if
// some members always have more work than others.
func (d *Detector) normalDifference(g int) float64 {
	if !d.comparable[g] || d.groups[g].idle {
		return 0
	}
	d.sorted = d.sorted[:0]
	for _, c := range d.facts.System.Groups[g].Members {
		if w := &d.courses[c]; w.compared {
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
	return max(d.criteria.SureDeviations*evidence.DeviationsPerMAD*quantile.Median(d.sorted)-math.Log(d.criteria.SmallestTimes), 0)
}

// groupOf returns the group with which a component is compared. For a path that took over its LUN,
// this is the group of the first path to the LUN.
func (d *Detector) groupOf(c int) int {
	if d.roles[c] == takeover {
		return d.facts.GroupOf(d.facts.FirstPath(d.facts.LUNOf[c]))
	}
	return d.facts.GroupOf(c)
}

// onsetOf returns the onset of a component's slowness. If the component was already anomalous when
// it became even slower, its first onset is returned.
func (d *Detector) onsetOf(c int) finding.Onset {
	first, now := d.courses[c].firstOnset, d.onsetFromEvidence(c)
	if first != (finding.Onset{}) && first.At < now.At {
		return first
	}
	return now
}

// onsetFromEvidence computes the onset from the evidence. The evidence has several sums (package
// evidence). One of these sums explains most of the slowness. The field At of the onset is the time
// at which this sum began to rise. The interval from Early to Late depends on the noise of the
// group. If the onset may lie before the first row, it is reported as older than the data.
func (d *Detector) onsetFromEvidence(c int) finding.Onset {
	s := d.monitor.BestStretch(c)
	early, late := s.ChangeInterval(d.monitor.Spread(d.groupOf(c)), d.step)
	if early <= d.facts.Begin && s.Since-d.facts.Begin <= d.facts.ShiftSeconds {
		return finding.OnsetBefore(d.facts.Begin)
	}
	return finding.Onset{At: s.Since, Early: max(early, d.facts.Begin), Late: min(late, max(d.courses[c].lastCompared, s.Since))}
}

package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// Own work of a server (package ownwork) has fast requests, because a cache answers them. On most
// LUNs, such fast requests use the first path, and lower its mean latency. On some LUNs, own work
// uses another path. The first path then has only the slower requests. It looks slow compared with
// the first paths of other LUNs, but it is healthy. So for such a LUN the mean latency over all of
// its paths is compared with other LUNs.

// isOwnWork reports whether a server's own work explains the latency of a component. For a path
// with own work, one condition must hold: the ratio of its latency to the median latency of the
// server's paths with own work is below CacheTimes. For another path, two conditions must hold.
// First, own work uses other paths to the LUN (besideOwnWork), or the path has work in few steps
// (worksSeldom). Second, the latency over all paths of the LUN is normal (lunRatio). If lunRatio is
// not known, the second condition is that the ratio of the path to its peers is below CacheTimes or
// not known.
func (d *Detector) isOwnWork(v *persistence.Verdict) bool {
	c := v.Component
	switch {
	case d.facts.Conditions[c] == window.Working:
		return v.Median < d.opts.CacheTimes*d.ownWorkLatency[d.facts.ServerOf[c]]
	case !d.besideOwnWork(c) && !d.worksSeldom(c):
		return false
	}
	if whole := d.lunRatio(d.facts.LUNOf[c]); whole > 0 {
		return whole < d.criteria.ClearTimes
	}
	known := !table.IsMissing(v.Median) && v.Peers > 0
	return !known || v.Median < d.opts.CacheTimes*v.Peers
}

// besideOwnWork reports whether a server's own work uses other paths to the LUN of path c. Path c
// then looks slower than peers that carry own work themselves.
func (d *Detector) besideOwnWork(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || float64(d.facts.Window.Aside[lun]) <= 2*d.criteria.FewShare*float64(d.facts.Window.Steps) {
		return false
	}
	return slices.ContainsFunc(d.facts.Paths[lun], func(other int) bool { return other != c && d.facts.Conditions[other] == window.Working })
}

// worksSeldom reports whether a component has work in far fewer steps than the components
// with which it is compared. The comparison would then use latencies of different times,
// and a healthy component might look slow.
func (d *Detector) worksSeldom(c int) bool {
	first := c
	if lun := d.facts.LUNOf[c]; lun >= 0 && d.paths.TookOverRecently(c) {
		first = d.facts.FirstPath(lun)
	}
	return float64(d.facts.Window.Loaded[c]) < (1-d.criteria.QuarterShare)*d.facts.Groups[d.facts.GroupOf(first)].Often
}

// lunRatio returns the ratio of a LUN's latency to the median latency of other LUNs,
// over all of their paths. It returns 0 if the ratio is not known.
func (d *Detector) lunRatio(lun int) float64 {
	if lun < 0 {
		return 0
	}
	usual := d.facts.Groups[d.facts.GroupOf(d.facts.FirstPath(lun))].Wait
	if !(usual > 0) {
		return 0
	}
	return d.facts.Wait(lun) / usual
}

// isStandbyGroup reports whether the members of a group are standby paths. Standby paths are
// normally idle. In all other groups, the members with work are compared with each other, even if
// most members are idle. For example, half of a site's drives may be spares.
func (d *Detector) isStandbyGroup(g int) bool {
	return d.facts.IsStandby(d.facts.System.Groups[g].Members[0])
}

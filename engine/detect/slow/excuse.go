package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// What a server does for itself goes past the first paths of its LUNs, and is
// light: the cache answers. Elsewhere first paths have such requests, too. A
// LUN that lacks them looks slow beside one that has them, so that it is judged
// by all of its requests, whatever path they took.

// excused says whether a server's own work explains what a component shows. It
// does unless the path is far slower than the other paths that the work goes by,
// or the LUN is slow as a whole.
func (d *Detector) excused(v *persistence.Verdict) bool {
	c := v.Component
	switch {
	case d.facts.Now[c] == window.Working:
		return v.Median < d.opts.CacheTimes*d.own[d.facts.ServerOf[c]]
	case !d.besideOwnWork(c) && !d.seldom(c):
		return false
	}
	if whole := d.wholeTimes(d.facts.LUNOf[c]); whole > 0 {
		return whole < d.opts.WholeTimes
	}
	known := !table.IsMissing(v.Median) && v.Peers > 0
	return !known || v.Median < d.opts.CacheTimes*v.Peers
}

// besideOwnWork says whether work that a server does for itself goes past this
// path and makes it look different from its peers, which do have such work.
func (d *Detector) besideOwnWork(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || float64(d.facts.Window.Aside[lun]) <= d.opts.AsideShare*float64(d.facts.Window.Steps) {
		return false
	}
	return slices.ContainsFunc(d.facts.Paths[lun], func(other int) bool { return other != c && d.facts.Now[other] == window.Working })
}

// seldom says whether a component has something to do in far fewer steps than
// those that it is compared with: what these show at other times, such as light
// work of a server that reaches them alone, does not make it slow.
func (d *Detector) seldom(c int) bool {
	first := c
	if lun := d.facts.LUNOf[c]; lun >= 0 && d.paths.Excused(c) {
		first = d.facts.First(lun)
	}
	return float64(d.facts.Window.Loaded[c]) < d.opts.SeldomShare*d.facts.Groups[d.facts.GroupOf(first)].Often
}

// wholeTimes is how many times slower than others a LUN is over all of its
// paths; 0 where that is not known.
func (d *Detector) wholeTimes(lun int) float64 {
	if lun < 0 {
		return 0
	}
	usual := d.facts.Groups[d.facts.GroupOf(d.facts.First(lun))].Wait
	if !(usual > 0) {
		return 0
	}
	return d.facts.Wait(lun) / usual
}

// standsBy says whether the members of a group are there for when others fail. Those
// of any other group that have work are peers of each other, however few they are:
// half of a site's drives may be spares.
func (d *Detector) standsBy(g int) bool {
	return d.facts.Standby(d.facts.System.Groups[g].Members[0])
}

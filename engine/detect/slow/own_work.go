package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// A server's own work uses other paths than the first paths of its LUNs, and is light,
// because the cache answers its requests. On other servers first paths carry such
// requests, too. A first path without such light requests looks slow beside a first path
// with them. The LUN of such a path is compared by all of its requests, over all of its
// paths.

// isOwnWork reports whether a server's own work explains the latency of a component. Own
// work does not explain a path that is far slower than the other paths with such work,
// nor a LUN that is slow over all of its paths.
func (d *Detector) isOwnWork(v *persistence.Verdict) bool {
	c := v.Component
	switch {
	case d.facts.Now[c] == window.Working:
		return v.Median < d.opts.CacheTimes*d.ownWorkLatency[d.facts.ServerOf[c]]
	case !d.besideOwnWork(c) && !d.seldom(c):
		return false
	}
	if whole := d.wholeTimes(d.facts.LUNOf[c]); whole > 0 {
		return whole < d.opts.WholeTimes
	}
	known := !table.IsMissing(v.Median) && v.Peers > 0
	return !known || v.Median < d.opts.CacheTimes*v.Peers
}

// besideOwnWork reports whether a server's own work uses other paths to the LUN of this
// path, so that this path looks different from peers that carry such work.
func (d *Detector) besideOwnWork(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || float64(d.facts.Window.Aside[lun]) <= d.opts.AsideShare*float64(d.facts.Window.Steps) {
		return false
	}
	return slices.ContainsFunc(d.facts.Paths[lun], func(other int) bool { return other != c && d.facts.Now[other] == window.Working })
}

// seldom reports whether a component has work in far fewer steps than the components
// with which it is compared. The latency of these components in the other steps, for
// example under light work that only they have, must not make the component look slow.
func (d *Detector) seldom(c int) bool {
	first := c
	if lun := d.facts.LUNOf[c]; lun >= 0 && d.paths.TookOverRecently(c) {
		first = d.facts.First(lun)
	}
	return float64(d.facts.Window.Loaded[c]) < d.opts.SeldomShare*d.facts.Groups[d.facts.GroupOf(first)].Often
}

// wholeTimes returns the ratio of a LUN's latency over all of its paths to the same
// latency of other LUNs. It returns 0 where the ratio is not known.
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

// standsBy reports whether the members of a group are standby paths. In any other group
// the members with work are peers, even if they are few: half of a site's drives may be
// spares.
func (d *Detector) standsBy(g int) bool {
	return d.facts.Standby(d.facts.System.Groups[g].Members[0])
}

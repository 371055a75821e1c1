package path

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
)

// Detector watches which of its paths serves each LUN.
type Detector struct {
	opts  Options
	facts *window.Facts
	k     int     // windows of 2k−1 in which a path is lost before that counts
	paths []watch // by component
}

// watch is what is remembered of one path.
type watch struct {
	filter  persistence.Filter
	lost    bool // in this window
	odd     bool // lost in most of the last ones
	judged  bool // something could be said in this window
	windows int  // in which it was odd, less those in which it was not
	grace   int  // windows for which it is excused for having taken over
	role    finding.Role
	heir    int // the path that serves instead, -1 where none does
	onset   finding.Onset
}

// New returns a detector that has seen nothing.
func New(o Options, f *window.Facts, k int) *Detector {
	d := &Detector{opts: o, facts: f, k: k, paths: make([]watch, len(f.System.Components))}
	for i := range d.paths {
		d.paths[i].heir = -1
	}
	return d
}

// End judges the paths of every LUN over the window that has ended.
func (d *Detector) End(end int64) {
	for _, c := range d.facts.Watched {
		d.paths[c].judged = false
	}
	for lun, list := range d.facts.Paths {
		d.judge(lun, list, end)
	}
	for _, c := range d.facts.Watched {
		if d.facts.LUNOf[c] < 0 {
			d.judgeDrive(c, end)
		}
		if w := &d.paths[c]; d.TookOver(c) {
			w.grace = 2*d.k - 1 // as long as windows that it was busy in are looked at
		} else if w.grace > 0 {
			w.grace--
		}
	}
}

// Lost says whether a path is lost in this window.
func (d *Detector) Lost(c int) bool { return d.paths[c].lost }

// LostForLong says whether a path was lost in most of the last windows.
func (d *Detector) LostForLong(c int) bool { return d.paths[c].odd }

// Excused says whether a path took over not long ago, so that it is compared
// with those that it stands in for.
func (d *Detector) Excused(c int) bool { return d.paths[c].grace > 0 }

// Judged says whether something could be said of a path in this window.
func (d *Detector) Judged(c int) bool { return d.paths[c].judged }

// Forget makes a path one that nothing is known of.
func (d *Detector) Forget(c int) { d.paths[c] = watch{heir: -1} }

// TookOver says whether a path carries the load of paths that were lost, or may
// have been.
func (d *Detector) TookOver(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || !d.facts.Standby(c) {
		return false
	}
	for _, other := range d.facts.Paths[lun] {
		if other == c {
			return true
		}
		if w := &d.paths[other]; !w.lost && !w.odd && d.facts.Now[other] != window.Mute {
			return false
		}
	}
	return false
}

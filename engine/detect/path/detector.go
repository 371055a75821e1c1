package path

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
)

// Detector follows which path serves each LUN.
type Detector struct {
	opts  Options
	facts *window.Facts
	k     int       // number of the last 2k−1 windows in which a path must be lost to be lost for long
	paths []history // by component
}

// history is the memory of the detector about one path.
type history struct {
	filter         persistence.Filter
	lost           bool // the path is lost in this window
	lostForLong    bool // lost in most of the last windows
	observed       bool // its state was known in this window
	windows        int  // windows in which it was lost for long minus other windows, never below 0
	recentTakeover int  // windows for which it still counts as having taken over
	role           finding.Role
	servedBy       int // the path that serves in its place; -1 if no path does
	onset          finding.Onset
}

// New returns a detector without windows.
func New(o Options, f *window.Facts, k int) *Detector {
	d := &Detector{opts: o, facts: f, k: k, paths: make([]history, len(f.System.Components))}
	for i := range d.paths {
		d.paths[i].servedBy = -1
	}
	return d
}

// End updates the paths of every LUN at the end of a window.
func (d *Detector) End(end int64) {
	for _, c := range d.facts.Watched {
		d.paths[c].observed = false
	}
	for lun, list := range d.facts.Paths {
		d.followLUN(lun, list, end)
	}
	for _, c := range d.facts.Watched {
		if d.facts.LUNOf[c] < 0 {
			d.followDrive(c, end)
		}
		if w := &d.paths[c]; d.TookOver(c) {
			w.recentTakeover = 2*d.k - 1 // as many windows as the filter holds
		} else if w.recentTakeover > 0 {
			w.recentTakeover--
		}
	}
}

// Lost reports whether a path is lost in this window.
func (d *Detector) Lost(c int) bool { return d.paths[c].lost }

// LostForLong reports whether a path was lost in most of the last windows.
func (d *Detector) LostForLong(c int) bool { return d.paths[c].lostForLong }

// TookOverRecently reports whether a path took over within the last windows. It is then
// compared with the peers of the path that it replaces.
func (d *Detector) TookOverRecently(c int) bool { return d.paths[c].recentTakeover > 0 }

// Judged reports whether the state of a path was known in this window.
func (d *Detector) Judged(c int) bool { return d.paths[c].observed }

// Forget deletes the memory of a path.
func (d *Detector) Forget(c int) { d.paths[c] = history{servedBy: -1} }

// TookOver reports whether a path carries the load of paths that are lost or may be
// lost.
func (d *Detector) TookOver(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || !d.facts.Standby(c) {
		return false
	}
	for _, other := range d.facts.Paths[lun] {
		if other == c {
			return true
		}
		if w := &d.paths[other]; !w.lost && !w.lostForLong && d.facts.Now[other] != window.Mute {
			return false
		}
	}
	return false
}

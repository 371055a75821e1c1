package path

import (
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
)

// Detector finds the lost paths to each LUN. It also finds the path that serves the LUN instead of
// a lost path.
type Detector struct {
	opts     Options
	criteria criteria.Options
	facts    *window.Facts
	k        int       // a path is lost for a long time if it was lost in k of the last 2k−1 windows
	paths    []history // by component: its history
}

// history holds the states of one path in the last windows.
type history struct {
	filter         persistence.Filter
	lost           bool // the path is lost in this window
	lostForLong    bool // the path was lost in k of the last 2k−1 windows
	observed       bool // the state of the path was known in this window
	windows        int  // number of windows in which the path was lost for a long time, minus number of other windows; never below 0
	recentTakeover int  // number of windows for which the path still counts as a path that took over the load of a lost path
	role           finding.Role
	servedBy       int // the path that serves the LUN instead; -1 if no path serves it
	onset          finding.Onset
}

// New returns a detector before its first window. A path is lost for a long time if it was lost in
// k of the last 2k−1 windows.
func New(o Options, c criteria.Options, f *window.Facts, k int) *Detector {
	d := &Detector{opts: o, criteria: c, facts: f, k: k, paths: make([]history, len(f.System.Components))}
	for i := range d.paths {
		d.paths[i].servedBy = -1
	}
	return d
}

// End updates the paths of every LUN at the end of a window.
func (d *Detector) End(end int64) {
	for _, c := range d.facts.Attachments {
		d.paths[c].observed = false
	}
	for lun, list := range d.facts.Paths {
		d.followLUN(lun, list, end)
	}
	for _, c := range d.facts.Attachments {
		if d.facts.LUNOf[c] < 0 {
			d.followDrive(c, end)
		}
		if w := &d.paths[c]; d.TookOver(c) {
			w.recentTakeover = 2*d.k - 1 // the number of windows that the filter holds
		} else if w.recentTakeover > 0 {
			w.recentTakeover--
		}
	}
}

// Lost reports whether a path is lost in this window.
func (d *Detector) Lost(c int) bool { return d.paths[c].lost }

// LostForLong reports whether a path was lost in k of the last 2k−1 windows.
func (d *Detector) LostForLong(c int) bool { return d.paths[c].lostForLong }

// TookOverRecently reports whether a path carried the load of lost paths in one of the
// last 2k−1 windows. Package slow compares such a path with the peers of the path that
// it replaces.
func (d *Detector) TookOverRecently(c int) bool { return d.paths[c].recentTakeover > 0 }

// Judged reports whether the state of a path was known in this window.
func (d *Detector) Judged(c int) bool { return d.paths[c].observed }

// Forget deletes the history of a path.
func (d *Detector) Forget(c int) { d.paths[c] = history{servedBy: -1} }

// TookOver reports whether a standby path carries the load of all paths of higher
// priority to its LUN. Each of these paths is lost, or may be lost because its server
// sends no data.
func (d *Detector) TookOver(c int) bool {
	lun := d.facts.LUNOf[c]
	if lun < 0 || !d.facts.IsStandby(c) {
		return false
	}
	for _, other := range d.facts.Paths[lun] {
		if other == c {
			return true
		}
		if w := &d.paths[other]; !w.lost && !w.lostForLong && d.facts.Conditions[other] != window.Mute {
			return false
		}
	}
	return false
}

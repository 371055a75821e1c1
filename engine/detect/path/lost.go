package path

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
)

// pathState is the state of a path in a window.
type pathState uint8

const (
	pathUnknown pathState = iota // the window does not show the state of the path
	pathKept                     // it serves, or is not needed
	pathGone                     // its server no longer has the device
	pathUnused                   // its server has the device, and no request uses it
)

// followLUN finds the lost paths of a LUN. Paths between the first path and the serving
// path count only if the first path is lost. If only the server's own work uses a
// standby path of a LUN, the paths before it are not lost.
func (d *Detector) followLUN(lun int, list []int, end int64) {
	at := d.facts.Served(lun)
	ranked := d.facts.Of(list[0]).Priority == 1
	for i, c := range list {
		passed := ranked && at > i && (i == 0 || d.notServing(list[0]))
		v := d.stateOf(c, passed)
		if ranked && at >= 0 && at <= i && d.facts.Now[c].Idle() {
			v = pathKept // a path after the serving path is not needed
		}
		d.count(c, v, end)
		if d.paths[c].lost && passed {
			d.standIn(c, lun, list[0], list[at])
		}
	}
}

// notServing reports whether a path does not serve, for any reason.
func (d *Detector) notServing(c int) bool {
	return d.paths[c].lost || d.facts.Now[c] == window.Mute
}

// standIn sets the path that serves in place of a lost one, and the onset. A standby
// path that does not serve either has the onset of the first path. If a device was seen
// to disappear, its onset is that time.
func (d *Detector) standIn(c, lun, first, serving int) {
	w := &d.paths[c]
	w.servedBy = serving
	seenToGo := w.role == finding.Gone && d.facts.LastSeen[c] > 0
	switch moved := d.facts.Moved[lun]; {
	case c != first && d.paths[first].lost && !seenToGo:
		w.onset = d.paths[first].onset
	case w.role == finding.Unused && moved > w.onset.Early:
		w.onset.Late = min(w.onset.Late, moved)
	}
}

// stateOf returns the state of a path. Passed is true if the path should serve, and a
// later path serves in its place.
func (d *Detector) stateOf(c int, passed bool) pathState {
	switch now := d.facts.Now[c]; {
	case now == window.Serving:
		return pathKept
	case now == window.Gone:
		return pathGone
	case now == window.Unknown && passed:
		return pathGone
	case now == window.Resting && passed && (d.facts.Busy[d.facts.GroupOf(c)] || d.facts.Standby(c)):
		return pathUnused
	case now.Idle() && d.paths[c].role == finding.Gone:
		return pathKept // the device is back
	}
	return pathUnknown
}

// followDrive updates a drive. A drive has no other path: it is lost if it is gone.
func (d *Detector) followDrive(c int, end int64) {
	switch d.facts.Now[c] {
	case window.Serving:
		d.count(c, pathKept, end)
	case window.Gone:
		d.count(c, pathGone, end)
	}
}

// count adds the state of a window to the history of a path.
func (d *Detector) count(c int, v pathState, end int64) {
	if v == pathUnknown {
		return
	}
	w := &d.paths[c]
	if v == pathUnused && w.role == finding.Gone {
		*w = history{recentTakeover: w.recentTakeover, servedBy: -1} // the device is back
		v = pathKept
	}
	w.observed = true
	if w.lost = v != pathKept; w.lost {
		d.noteLoss(c, v, end)
	}
	was := w.lostForLong
	if w.lostForLong = w.filter.Push(w.lost, d.k); w.lostForLong && !was {
		w.windows = max(w.windows, d.k-1) // count the windows before the filter passed
	}
	switch {
	case w.lostForLong:
		w.windows++
	case w.windows > 0:
		w.windows--
	}
	if !w.lostForLong && !w.lost {
		w.servedBy = -1
	}
}

// noteLoss sets how a path is lost, and since when.
func (d *Detector) noteLoss(c int, v pathState, end int64) {
	w := &d.paths[c]
	w.role = finding.Gone
	if v == pathUnused {
		w.role = finding.Unused
	}
	if w.filter == 0 && w.windows == 0 {
		w.onset = d.onset(c, v, end)
	}
}

// onset returns the onset of a loss. It lies between now and the last time at which the
// path was there (for a missing device) or in use (for an unused device).
func (d *Detector) onset(c int, v pathState, end int64) finding.Onset {
	f := d.facts
	last, late := f.LastSeen[c], f.LastSeen[c]+f.StepSeconds
	if v == pathUnused {
		last, late = f.LastLoaded[c], end
	}
	if lun := f.LUNOf[c]; last == 0 && v == pathUnused && lun >= 0 && f.Moved[lun] > f.Begin+f.StepSeconds {
		return finding.Onset{At: f.Moved[lun], Early: f.Begin, Late: f.Moved[lun]} // a standby path without earlier load
	}
	if last == 0 {
		return finding.Before(f.Begin)
	}
	return finding.Onset{At: last, Early: last, Late: late}
}

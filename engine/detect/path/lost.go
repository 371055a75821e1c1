package path

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
)

// pathState is the state of a path in a window.
type pathState uint8

const (
	pathUnknown pathState = iota // the window does not show the state of the path
	pathKept                     // the path serves the LUN, or another path with a higher priority serves it
	pathGone                     // the server of the path does not have the device
	pathUnused                   // the server of the path has the device, and sends no requests to it
)

// followLUN updates the paths to a LUN. The paths in `list` are in the order of their priority. A
// path is passed over if it should serve the LUN, but a path after it in the list serves the LUN.
// The first path should always serve. Another path should serve only if the first path is lost, or
// if the server of the first path sends no data. Own work of a server does not count as serving
// (package ownwork). So a standby path with own work does not make the paths before it lost.
func (d *Detector) followLUN(lun int, list []int, end int64) {
	at := d.facts.ServingPath(lun)
	ranked := d.facts.Component(list[0]).Priority == 1
	for i, c := range list {
		passed := ranked && at > i && (i == 0 || d.notServing(list[0]))
		v := d.stateOf(c, passed)
		if ranked && at >= 0 && at <= i && d.facts.Conditions[c].IsIdle() {
			v = pathKept // a path after the path that serves is not needed
		}
		d.countWindow(c, v, end)
		if d.paths[c].lost && passed {
			d.noteStandIn(c, lun, list[0], list[at])
		}
	}
}

// notServing reports whether a path is known not to serve the LUN: it is lost, or its
// server sends no data.
func (d *Detector) notServing(c int) bool {
	return d.paths[c].lost || d.facts.Conditions[c] == window.Mute
}

// noteStandIn records which path serves instead of the lost path c, and corrects the onset of the
// loss. If the first path of the LUN is lost too, the loss of c gets the same onset as the loss of
// the first path. There is an exception: if the device of c disappeared while its server sent data,
// the onset is the time at which the device disappeared. If the device of c is unused, the onset is
// no later than the time at which another path began to serve the LUN.
func (d *Detector) noteStandIn(c, lun, first, serving int) {
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

// stateOf returns the state of a path. The parameter `passed` is true if the path should serve, but
// a path after it serves the LUN.
func (d *Detector) stateOf(c int, passed bool) pathState {
	switch now := d.facts.Conditions[c]; {
	case now == window.Serving:
		return pathKept
	case now == window.Gone:
		return pathGone
	case now == window.Unknown && passed:
		return pathGone
	case now == window.Resting && passed && (d.facts.Busy[d.facts.GroupOf(c)] || d.facts.IsStandby(c)):
		return pathUnused
	case now.IsIdle() && d.paths[c].role == finding.Gone:
		return pathKept // the device is present again
	}
	return pathUnknown
}

// followDrive updates a drive that belongs to no LUN. Such a drive has no second path,
// so it is lost if its device is gone.
func (d *Detector) followDrive(c int, end int64) {
	switch d.facts.Conditions[c] {
	case window.Serving:
		d.countWindow(c, pathKept, end)
	case window.Gone:
		d.countWindow(c, pathGone, end)
	}
}

// countWindow adds the state of a path in one window to the history of the path.
func (d *Detector) countWindow(c int, v pathState, end int64) {
	if v == pathUnknown {
		return
	}
	w := &d.paths[c]
	if v == pathUnused && w.role == finding.Gone {
		*w = history{recentTakeover: w.recentTakeover, servedBy: -1} // the device is present again
		v = pathKept
	}
	w.observed = true
	if w.lost = v != pathKept; w.lost {
		d.noteLoss(c, v, end)
	}
	was := w.lostForLong
	if w.lostForLong = w.filter.Push(w.lost, d.k); w.lostForLong && !was {
		w.windows = max(w.windows, d.k-1) // also count the lost windows before the filter reported the loss
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

// noteLoss sets the role of a lost path, Gone or Unused. In the first window of a loss it also sets
// the onset.
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

// onset returns the onset of a loss. If the device is missing, the onset is the last time at which
// the device was present. If the device is unused, the onset is the last time at which the device
// had requests. If there was no such time, the loss is older than the data. There is one exception:
// if an unused device never had requests, and the LUN moved to another path after the first row,
// the onset is the time of the move.
func (d *Detector) onset(c int, v pathState, end int64) finding.Onset {
	f := d.facts
	last, late := f.LastSeen[c], f.LastSeen[c]+f.StepSeconds
	if v == pathUnused {
		last, late = f.LastLoaded[c], end
	}
	if lun := f.LUNOf[c]; last == 0 && v == pathUnused && lun >= 0 && f.Moved[lun] > f.Begin+f.StepSeconds {
		return finding.Onset{At: f.Moved[lun], Early: f.Begin, Late: f.Moved[lun]} // the path never had load, so the best estimate is the time at which the LUN moved
	}
	if last == 0 {
		return finding.OnsetBefore(f.Begin)
	}
	return finding.Onset{At: last, Early: last, Late: late}
}

package path

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
)

// verdict is what a window says of a path.
type verdict uint8

const (
	silent verdict = iota // the window says nothing of it
	kept
	gone   // its server no longer has the device
	unused // its server has the device, and nothing goes that way
)

// judge finds the paths that a LUN has lost. Those between the first and the one
// that serves count only where the first one is lost: load on a standby path
// while nobody asks for the LUN is none of theirs.
func (d *Detector) judge(lun int, list []int, end int64) {
	at := d.facts.Served(lun)
	ranked := d.facts.Of(list[0]).Priority == 1
	for i, c := range list {
		passed := ranked && at > i && (i == 0 || d.notServing(list[0]))
		v := d.verdict(c, passed)
		if ranked && at >= 0 && at <= i && d.facts.Now[c].Idle() {
			v = kept // nobody needs it
		}
		d.count(c, v, end)
		if d.paths[c].lost && passed {
			d.standIn(c, lun, list[0], list[at])
		}
	}
}

// notServing says whether a path does not serve, whatever the reason.
func (d *Detector) notServing(c int) bool {
	return d.paths[c].lost || d.facts.Now[c] == window.Mute
}

// standIn notes who serves in place of a lost path, and since when: standby
// paths were passed by when the first was lost. A device that was seen to go went
// when it went, whatever the first path did before.
func (d *Detector) standIn(c, lun, first, heir int) {
	w := &d.paths[c]
	w.heir = heir
	seenToGo := w.role == finding.Gone && d.facts.LastSeen[c] > 0
	switch moved := d.facts.Moved[lun]; {
	case c != first && d.paths[first].lost && !seenToGo:
		w.onset = d.paths[first].onset
	case w.role == finding.Unused && moved > w.onset.Early:
		w.onset.Late = min(w.onset.Late, moved)
	}
}

// verdict says whether a path is lost. Passed are those that ought to serve in
// place of the one that does.
func (d *Detector) verdict(c int, passed bool) verdict {
	switch now := d.facts.Now[c]; {
	case now == window.Serving:
		return kept
	case now == window.Gone:
		return gone
	case now == window.Unknown && passed:
		return gone
	case now == window.Resting && passed && (d.facts.Busy[d.facts.GroupOf(c)] || d.facts.Standby(c)):
		return unused
	case now.Idle() && d.paths[c].role == finding.Gone:
		return kept // it is back
	}
	return silent
}

// judgeDrive judges a drive, which has no other path: it is lost where it is
// gone.
func (d *Detector) judgeDrive(c int, end int64) {
	switch d.facts.Now[c] {
	case window.Serving:
		d.count(c, kept, end)
	case window.Gone:
		d.count(c, gone, end)
	}
}

// count takes a verdict on a path up.
func (d *Detector) count(c int, v verdict, end int64) {
	if v == silent {
		return
	}
	w := &d.paths[c]
	if v == unused && w.role == finding.Gone {
		*w = watch{grace: w.grace, heir: -1} // it is back
		v = kept
	}
	w.judged = true
	if w.lost = v != kept; w.lost {
		d.noteLoss(c, v, end)
	}
	was := w.odd
	if w.odd = w.filter.Push(w.lost, d.k); w.odd && !was {
		w.windows = max(w.windows, d.k-1) // those that the filter waited for count
	}
	switch {
	case w.odd:
		w.windows++
	case w.windows > 0:
		w.windows--
	}
	if !w.odd && !w.lost {
		w.heir = -1
	}
}

// noteLoss notes how a path is lost, and since when.
func (d *Detector) noteLoss(c int, v verdict, end int64) {
	w := &d.paths[c]
	w.role = finding.Gone
	if v == unused {
		w.role = finding.Unused
	}
	if w.filter == 0 && w.windows == 0 {
		w.onset = d.onset(c, v, end)
	}
}

// onset is between the last time that the path was there, or in use, and now.
func (d *Detector) onset(c int, v verdict, end int64) finding.Onset {
	f := d.facts
	last, late := f.LastSeen[c], f.LastSeen[c]+f.StepSeconds
	if v == unused {
		last, late = f.LastLoaded[c], end
	}
	if lun := f.LUNOf[c]; last == 0 && v == unused && lun >= 0 && f.Moved[lun] > f.Begin+f.StepSeconds {
		return finding.Onset{At: f.Moved[lun], Early: f.Begin, Late: f.Moved[lun]} // a standby path that was never needed
	}
	if last == 0 {
		return finding.Before(f.Begin)
	}
	return finding.Onset{At: last, Early: last, Late: late}
}

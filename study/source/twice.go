package source

import (
	"fmt"

	"github.com/limpet-storage/limpet/study/source/internal/columns"
)

// When clocks are put back, a wall shows an hour twice. What the records of a
// drive mean there is told by those before them:
//
//	time,drive
//	01:00:02,a
//	02:00:04,a   the first 2 o'clock
//	02:00:01,a   the second: the clock went back
//	03:00:03,a
//
//	02:00:01,b
//	02:00:04,b   the second, too: hourly records do not come 3 seconds apart
//
// A drive whose records are not in the order of time has the second where it
// had the very time before.

// A wall is what is remembered of a drive's clock.
type wall struct {
	last  int64 // the time of its last record; 0: it has none
	least int64 // between two of its records, but an hour at most; 0: it had but one
	unit  int   // of its last record
	mixed bool  // its records are not in the order of time
	hour  int32 // of its last record whose time comes twice
}

// A moment of a drive.
type moment struct {
	drive int32
	ns    int64
}

// tellApart takes the later of two times where the drive's clock was put back.
func (r *reader) tellApart(c *columns.Column, drives []int32) {
	for i, ns := range c.Times[:r.block.Rows] {
		w := &r.walls[drives[i]]
		if c.Again == nil || c.Again[i] == 0 {
			w.order(ns, r.unit)
		} else {
			c.Times[i] = r.choose(w, moment{drives[i], ns}, c.Again[i])
		}
		w.step(c.Times[i], r.unit)
	}
}

// choose decides between two times.
func (r *reader) choose(w *wall, m moment, later int64) int64 {
	w.order(later, r.unit)
	ns := m.ns
	if w.mixed && r.again[m] || !w.mixed && w.wentBack(ns) {
		ns = later
	}
	r.again[m] = true
	hour := hourOf(ns + r.into())
	if hour == w.hour && ns != w.last && (w.mixed || w.least == 0) {
		r.merged++
	}
	w.hour = hour
	return ns
}

// order notes that a record is older than the one before it. Another file may
// be of an earlier time, and begins anew.
func (w *wall) order(ns int64, unit int) {
	switch {
	case ns >= w.last:
	case unit != w.unit:
		*w = wall{}
	default:
		w.mixed = true
	}
}

// wentBack reports whether a time is not after the last record, or so soon
// after it as no two records of the drive are.
func (w *wall) wentBack(ns int64) bool {
	const tooSoon = 2 // one in so many of the least between two records
	return w.last > 0 && (ns <= w.last || tooSoon*(ns-w.last) < w.least)
}

// step takes the time of a record.
func (w *wall) step(ns int64, unit int) {
	if apart := min(ns-w.last, nsPerHour); w.last > 0 && apart > 0 && (w.least == 0 || apart < w.least) {
		w.least = apart
	}
	w.last, w.unit = ns, unit
}

// warnMerged tells of records that no one can tell apart.
func warnMerged(n int64) Warning {
	return Warning{Text: fmt.Sprintf(
		"%s in the hour that comes twice as clocks are put back may be of either time, and joined those of the drive before it; write each drive's records in the order of time, or times in UTC", count(int(n), "record"))}
}

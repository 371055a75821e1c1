// This file has the units of a fleet's files: the parts that are read at once. A unit keeps the
// results of the survey: the number of rows, the range of their times, and whether they are in
// order.

package source

import (
	"cmp"
	"slices"
	"time"
)

// A unit is a part of a file that is read at once, with the results of the survey.
type unit struct {
	File  int // index of its file
	Part  int
	Bytes int64

	Rows      int64 // lines of CSV
	Good      int64 // rows that are not left out
	First     int64 // earliest time, in nanoseconds
	Last      int64 // time of the last row, in nanoseconds
	Broken    bool  // the unit cannot be read to its end
	Ambiguous bool  // the unit has local times that occur twice
	byHour    bool  // no row has an earlier hour than the row before
	byTime    bool  // no row has an earlier time than the row before
	offset    int64 // offset of all times from the full hour; mixed if they differ
}

const (
	unitsNsPerHour = int64(time.Hour)
	mixed          = -1
)

// hourOf returns the hour of a time, since the epoch.
func hourOf(ns int64) int32 { return int32(ns / unitsNsPerHour) }

// Note adds the times of some rows to the unit, and counts the rows of each quarter of an hour.
func (u *unit) Note(times []int64, rows quarterRows) {
	if len(times) == 0 {
		return
	}
	if u.Good == 0 {
		u.First, u.Last, u.offset = times[0], times[0], times[0]%unitsNsPerHour
		u.byHour, u.byTime = true, true
	}
	newest, run := u.Last, int64(0)
	for i, ns := range times {
		run++
		if ns == newest && i+1 < len(times) {
			continue
		}
		u.step(newest, ns)
		if q := quarterOf(newest); q != quarterOf(ns) {
			rows[q] += run - 1
			run = 1
		}
		newest = ns
	}
	rows[quarterOf(newest)] += run
	u.Good += int64(len(times))
	u.Last = newest
}

// step adds a time, given with the time of the row before it.
func (u *unit) step(before, ns int64) {
	u.byTime = u.byTime && ns >= before
	u.byHour = u.byHour && hourOf(ns) >= hourOf(before)
	if ns%unitsNsPerHour != u.offset {
		u.offset = mixed
	}
	u.First = min(u.First, ns)
}

// inOrder sorts units by time, and reports whether their records are then in order, one unit
// after the other. If finer is true, the order is by time. Otherwise it is by the hour of
// time + shift.
func inOrder(units []unit, finer bool, shift int64) bool {
	slices.SortStableFunc(units, func(a, b unit) int {
		if a.Good == 0 || b.Good == 0 {
			return cmp.Compare(min(a.Good, 1), min(b.Good, 1))
		}
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	follows := func(before, u *unit) bool {
		if finer {
			return before.Last <= u.First
		}
		return hourOf(before.Last+shift) <= hourOf(u.First+shift)
	}
	for i := range units {
		u := &units[i]
		if u.Good == 0 {
			continue
		}
		if u.Ambiguous || !u.byHour || finer && !u.byTime || i > 0 && units[i-1].Good > 0 && !follows(&units[i-1], u) {
			return false
		}
	}
	return true
}

// isFiner reports whether records have different offsets from the full hour, so that a drive may
// have several records in an hour.
func isFiner(units []unit) bool {
	offset := int64(mixed)
	for i := range units {
		u := &units[i]
		switch {
		case u.Good == 0:
		case u.offset == mixed:
			return true
		case offset == mixed:
			offset = u.offset
		case offset != u.offset:
			return true
		}
	}
	return false
}

// This file cuts the files of a fleet into what is read in one go, shares
// that out to workers, and remembers what a survey found of each: how many
// rows, from when to when, and whether they are in order.
//
// It stands below source, beside hours, and knows no drives.

package source

import (
	"cmp"
	"slices"
	"time"
)

// A unit is a part of a file, which is read in one go, and what the survey
// found there.
type unit struct {
	File  int // index of its file
	Part  int
	Bytes int64

	Rows      int64 // lines of CSV
	Good      int64 // rows that are not left out
	First     int64 // earliest time, in nanoseconds
	Last      int64
	Broken    bool  // it cannot be read to its end
	Ambiguous bool  // it has local times that come twice
	byHour    bool  // hours do not fall
	byTime    bool  // times do not
	offset    int64 // into the hour, of all its times; mixed where they differ
}

const (
	unitsNsPerHour = int64(time.Hour)
	mixed          = -1
)

// hourOf is the hour of a time, since the epoch.
func hourOf(ns int64) int32 { return int32(ns / unitsNsPerHour) }

// Note takes the times of some rows, and counts the rows of each quarter of an
// hour.
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

// step takes one time after another.
func (u *unit) step(before, ns int64) {
	u.byTime = u.byTime && ns >= before
	u.byHour = u.byHour && hourOf(ns) >= hourOf(before)
	if ns%unitsNsPerHour != u.offset {
		u.offset = mixed
	}
	u.First = min(u.First, ns)
}

// inOrder sorts units by time and reports whether their records, one unit
// after the other, then are in order: by the hour, which times that are put
// forward by shift belong to, or by time where hours are to be folded.
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

// isFiner reports whether drives have records at more than one time of an
// hour, as far as times tell.
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

package source

import (
	"cmp"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/tabular"
)

// A unit is a part of a file, which is read in one go, and what the survey
// found there.
type unit struct {
	file  int // index of its file
	part  int
	bytes int64

	rows      int64 // lines of CSV
	good      int64 // rows that are not left out
	first     int64 // earliest time, in nanoseconds
	last      int64
	byHour    bool  // hours do not fall
	byTime    bool  // times do not
	offset    int64 // into the hour, of all its times; mixed where they differ
	ambiguous bool  // it has local times that come twice
}

const (
	nsPerHour = int64(time.Hour)
	mixed     = -1
)

// hourOf is the hour of a time, since the epoch.
func hourOf(ns int64) int32 { return int32(ns / nsPerHour) }

// note takes the times of some rows, and counts the rows of each quarter of an
// hour.
func (u *unit) note(times []int64, rows map[int32]int64) {
	if len(times) == 0 {
		return
	}
	if u.good == 0 {
		u.first, u.last, u.offset = times[0], times[0], times[0]%nsPerHour
		u.byHour, u.byTime = true, true
	}
	newest, run := u.last, int64(0)
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
	u.good += int64(len(times))
	u.last = newest
}

// step takes one time after another.
func (u *unit) step(before, ns int64) {
	u.byTime = u.byTime && ns >= before
	u.byHour = u.byHour && hourOf(ns) >= hourOf(before)
	if ns%nsPerHour != u.offset {
		u.offset = mixed
	}
	u.first = min(u.first, ns)
}

// inOrder sorts units by time and reports whether their records, one unit
// after the other, then are in order: by the hour, or by time where hours
// are to be folded.
func (s *Source) inOrder(units []unit) bool {
	slices.SortStableFunc(units, func(a, b unit) int {
		if a.good == 0 || b.good == 0 {
			return cmp.Compare(min(a.good, 1), min(b.good, 1))
		}
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last))
	})
	for i := range units {
		u := &units[i]
		if u.good == 0 {
			continue
		}
		if u.ambiguous || !u.byHour || s.finer && !u.byTime {
			return false
		}
		if i > 0 && units[i-1].good > 0 && !s.follows(&units[i-1], u) {
			return false
		}
	}
	return true
}

func (s *Source) follows(before, u *unit) bool {
	if s.finer {
		return before.last <= u.first
	}
	return s.hourOf(before.last) <= s.hourOf(u.first)
}

// isFiner reports whether drives have records at more than one time of an
// hour, as far as times tell.
func isFiner(units []unit) bool {
	offset := int64(mixed)
	for i := range units {
		u := &units[i]
		switch {
		case u.good == 0:
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

// openFile keeps the file open that units are read of one after the other.
type openFile struct {
	*tabular.File
	index int
}

func (f *openFile) open(index int, path string, separator byte) error {
	if f.File != nil && f.index == index {
		return nil
	}
	f.Close()
	file, err := tabular.Open(path, tabular.Options{Separator: separator})
	if err != nil {
		return err
	}
	f.File, f.index = file, index
	return nil
}

func (f *openFile) Close() {
	if f.File != nil {
		f.File.Close()
		f.File = nil
	}
}

package tabular

import "time"

// When clocks are put back, a wall shows an hour twice. What the records of a
// series mean there is told by those before them:
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
// A series whose records are not in the order of time has the second where it
// had the very time before.

// Walls remembers what the walls of many series have shown. The zero value is
// ready for use.
type Walls struct {
	walls []wall          // by series
	again map[moment]bool // of times that come twice, what has come once
}

// A wall is what is remembered of the clock of a series.
type wall struct {
	last   int64 // the time of its last record; 0: it has none
	least  int64 // between two of its records, but an hour at most; 0: it had but one
	file   int   // of its last record
	mixed  bool  // its records are not in the order of time
	folded bool  // it has had a time that comes twice
}

// A moment of a series.
type moment struct {
	series int32
	ns     int64
}

// Forget drops the times that have come once. It may be called between files
// of which the next has no time that comes twice.
func (w *Walls) Forget() { clear(w.again) }

// Tell takes the time of a record of a series, in a file, and the later time
// that it may stand for, or 0. It returns which of them is meant. A record is
// unsure where nobody can tell it from those of the series before it.
func (w *Walls) Tell(series int32, ns, later int64, file int) (at int64, unsure bool) {
	for int(series) >= len(w.walls) {
		w.walls = append(w.walls, wall{})
	}
	s := &w.walls[series]
	if later == 0 {
		s.order(ns, file)
	} else {
		ns, unsure = w.choose(s, moment{series, ns}, later, file)
	}
	s.step(ns, file)
	return ns, unsure
}

// choose decides between two times.
func (w *Walls) choose(s *wall, m moment, later int64, file int) (ns int64, unsure bool) {
	s.order(later, file)
	ns = m.ns
	if s.mixed && w.again[m] || !s.mixed && s.wentBack(ns) {
		ns = later
	}
	if w.again == nil {
		w.again = make(map[moment]bool)
	}
	w.again[m] = true
	unsure = s.folded && ns != s.last && (s.mixed || s.least == 0)
	s.folded = true
	return ns, unsure
}

// order notes that a record is older than the one before it. Another file may
// be of an earlier time, and begins anew.
func (s *wall) order(ns int64, file int) {
	switch {
	case ns >= s.last:
	case file != s.file:
		*s = wall{}
	default:
		s.mixed = true
	}
}

// wentBack reports whether a time is not after the last record, or so soon
// after it as no two records of the series are.
func (s *wall) wentBack(ns int64) bool {
	const tooSoon = 2 // one in so many of the least between two records
	return s.last > 0 && (ns <= s.last || tooSoon*(ns-s.last) < s.least)
}

// step takes the time of a record.
func (s *wall) step(ns int64, file int) {
	if apart := min(ns-s.last, int64(time.Hour)); s.last > 0 && apart > 0 && (s.least == 0 || apart < s.least) {
		s.least = apart
	}
	s.last, s.file = ns, file
}

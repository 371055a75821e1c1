package tabular

import "time"

// When clocks are put back, the local times of one hour occur twice. The earlier records of a
// series show which of the two hours a record is in. Here the clocks were put back from 3 o'clock
// to 2 o'clock, and the drives a and b have a record every hour:
//
//	time,drive
//	01:00:02,a
//	02:00:04,a   the first 2 o'clock
//	02:00:01,a   the second 2 o'clock: the time is before the last record
//	03:00:03,a
//
//	01:00:02,b
//	02:00:01,b   the first 2 o'clock
//	02:00:04,b   the second 2 o'clock: hourly records are not 3 seconds apart
//
// If the records of a series are not ordered by time, the earlier records do not show the hour. In
// such a series, the first record with an ambiguous local time counts as a record of the first hour.
// A second record with the same local time counts as a record of the second hour.

// Walls chooses one of the two possible times of each ambiguous local time, for many series. The zero
// value of Walls is ready for use.
type Walls struct {
	walls    []wall          // state of each series
	repeated map[moment]bool // ambiguous times that have already occurred
}

// A wall is the state of a series.
type wall struct {
	last     int64 // time of the last record in ns; 0 if there is no record yet
	shortest int64 // shortest interval between two records in ns, at most an hour; 0 if there are fewer than two records
	file     int   // file of the last record
	mixed    bool  // true if records are not in the order of time
	folded   bool  // true if the series had an ambiguous time
}

// A moment identifies an ambiguous local time of a series.
type moment struct {
	series int32
	ns     int64
}

// Forget drops the ambiguous times that have occurred so far, to save memory. Call it only before a
// file without ambiguous times.
func (w *Walls) Forget() { clear(w.repeated) }

// TimeOf returns the time of a record of a series. The caller passes the parsed time of the record,
// and the number of the file that has the record. If the local time is ambiguous, the parameter
// `later` is the later of the two possible times. Otherwise it is 0. The second result is true if
// the earlier records do not show which time is right.
func (w *Walls) TimeOf(series int32, ns, later int64, file int) (at int64, unsure bool) {
	for int(series) >= len(w.walls) {
		w.walls = append(w.walls, wall{})
	}
	s := &w.walls[series]
	if later == 0 {
		s.checkOrder(ns, file)
	} else {
		ns, unsure = w.choose(s, moment{series, ns}, later, file)
	}
	s.addRecord(ns, file)
	return ns, unsure
}

// choose returns one of the two possible times of a record, m.ns or `later`. The second result is
// true if the choice is not certain.
func (w *Walls) choose(s *wall, m moment, later int64, file int) (ns int64, unsure bool) {
	s.checkOrder(later, file)
	ns = m.ns
	if s.mixed && w.repeated[m] || !s.mixed && s.wentBack(ns) {
		ns = later
	}
	if w.repeated == nil {
		w.repeated = make(map[moment]bool)
	}
	w.repeated[m] = true
	unsure = s.folded && ns != s.last && (s.mixed || s.shortest == 0)
	s.folded = true
	return ns, unsure
}

// checkOrder handles a record that is older than the last record of the series. If both records are
// in the same file, the records are not in the order of time, and checkOrder sets s.mixed.
// Otherwise another file has begun, and checkOrder resets the state of the series.
func (s *wall) checkOrder(ns int64, file int) {
	switch {
	case ns >= s.last:
	case file != s.file:
		*s = wall{}
	default:
		s.mixed = true
	}
}

// wentBack reports whether the time ns is too early for the next record of the series. A time is too
// early if it is not after the last record. It is also too early if the time since the last record is
// less than half of the shortest interval.
func (s *wall) wentBack(ns int64) bool {
	const tooSoon = 2 // an interval is too short if tooSoon × interval < shortest interval
	return s.last > 0 && (ns <= s.last || tooSoon*(ns-s.last) < s.shortest)
}

// addRecord stores the time of a record in s.last, and updates the shortest interval.
func (s *wall) addRecord(ns int64, file int) {
	if apart := min(ns-s.last, int64(time.Hour)); s.last > 0 && apart > 0 && (s.shortest == 0 || apart < s.shortest) {
		s.shortest = apart
	}
	s.last, s.file = ns, file
}

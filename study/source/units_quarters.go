package source

import "math"

// Hourly records are rarely written exactly at the full hour:
//
//	time,drive   meant    by the clock
//	00:59:58,a   hour 1   hour 0
//	01:59:57,a   hour 2   hour 1
//	03:00:02,a   hour 3   hour 3
//
// By the clock, hour 2 has no record, and other hours may have two. So records around full
// hours belong to the nearest full hour. limpet recognises such records by the quarters of the
// hour in which they lie: few lie in the two middle quarters. Of records at even intervals
// that are finer than hours, about half lie in the middle quarters.

// quarterRows counts the rows of each quarter of an hour since the epoch.
type quarterRows map[int32]int64

// quartersPerHour is the number of quarters of an hour. The first and the last are next to a
// full hour.
const quartersPerHour = 4

// quarterOf returns the quarter of an hour of a time, since the epoch.
func quarterOf(ns int64) int32 { return int32(ns / (unitsNsPerHour / quartersPerHour)) }

// maxMiddle limits the records in the two middle quarters: at most 1/maxMiddle of all records
// may lie there. Of finer records, 1/2 lie there.
const maxMiddle = 4

// leastAround is the number of quarters that records must span, so that they repeat at a full
// hour.
const leastAround = 2 * quartersPerHour

// AroundFullHours reports whether records lie around full hours, both before and after them.
func (r quarterRows) AroundFullHours() bool {
	var of [quartersPerHour]int64
	first, last := int32(math.MaxInt32), int32(0)
	for q, rows := range r {
		of[q%quartersPerHour] += rows
		first, last = min(first, q), max(last, q)
	}
	before, after, middle := of[quartersPerHour-1], of[0], of[1]+of[2]
	return before > 0 && after > 0 && maxMiddle*middle <= before+after+middle && last-first >= leastAround
}

// Hours returns the number of rows in each hour after shift is added to all times. shift is in
// nanoseconds, a multiple of a quarter of an hour.
func (r quarterRows) Hours(shift int64) map[int32]int64 {
	hours := make(map[int32]int64)
	for q, rows := range r {
		hours[(q+quarterOf(shift))/quartersPerHour] += rows
	}
	return hours
}

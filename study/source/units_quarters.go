package source

import "math"

// Hourly records are rarely written at the stroke of the hour:
//
//	time,drive
//	00:59:58,a   of the hour from 1 o'clock
//	01:59:57,a   of the hour from 2 o'clock
//	03:00:02,a   of the hour from 3 o'clock
//
// By the clock, the hour from 1 would have one of these, the hour from 2 none,
// and so on: hours would be lost and others counted double. So records that
// lie around the full hours belong to the nearest one. Whether they do is told
// by the quarters of an hour that they lie in: of records at even intervals
// that are finer than hours, about half lie in the two quarters in the middle.

// quarterRows counts the rows of each quarter of an hour, since the epoch.
type quarterRows map[int32]int64

// quartersPerHour are the quarters of an hour: the first and the last are around full
// hours.
const quartersPerHour = 4

// quarterOf is the quarter of an hour of a time, since the epoch.
func quarterOf(ns int64) int32 { return int32(ns / (unitsNsPerHour / quartersPerHour)) }

// maxMiddle is one in so many records that may lie in the quarters in the
// middle: half of what finer records have there.
const maxMiddle = 4

// leastAround is how many quarters records must span to show that they come
// back to the full hour.
const leastAround = 2 * quartersPerHour

// AroundFullHours reports whether records lie around the full hours, on both sides.
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

// Hours counts the rows of each hour that times belong to which are put forward by
// shift, whole quarters of an hour in nanoseconds.
func (r quarterRows) Hours(shift int64) map[int32]int64 {
	hours := make(map[int32]int64)
	for q, rows := range r {
		hours[(q+quarterOf(shift))/quartersPerHour] += rows
	}
	return hours
}

package tabular

import "time"

// A zone turns the time on a wall into UTC. When clocks are put back, a wall
// shows an hour twice, and both times are returned; when they are put forward
// it never shows the hour between, and what claims to is no time.
type zone struct {
	location *time.Location
	isUTC    bool
	asked    bool     // for a time
	slot     int64    // of the walls below
	offsets  [2]int64 // seconds ahead of UTC a day before and a day after
}

// Zones change their clocks on quarters of an hour, at the least.
const slotSeconds = 900

func newZone(location *time.Location) zone {
	return zone{location: location, isUTC: location == time.UTC, slot: -1}
}

// utc returns the time at which the wall shows wall, which is in nanoseconds
// as if it were UTC, and the later one, or 0 where there is none.
func (z *zone) utc(wall int64) (ns, again int64) {
	z.asked = true
	if z.isUTC || wall < 0 {
		return wall, 0
	}
	z.look(wall / int64(time.Second))
	before, isBefore := z.shown(wall, z.offsets[0])
	if z.offsets[0] == z.offsets[1] {
		return before, 0
	}
	after, isAfter := z.shown(wall, z.offsets[1])
	switch {
	case isBefore && isAfter:
		return before, after
	case isBefore:
		return before, 0
	case isAfter:
		return after, 0
	}
	return NoTime, 0
}

// look finds the offsets around a wall, unless they are those of the last one.
func (z *zone) look(wall int64) {
	const day = 24 * 3600
	if slot := wall / slotSeconds; slot != z.slot {
		z.slot = slot
		z.offsets = [2]int64{z.offset(wall - day), z.offset(wall + day)}
	}
}

func (z *zone) offset(unix int64) int64 {
	_, seconds := time.Unix(unix, 0).In(z.location).Zone()
	return int64(seconds)
}

// shown is the time at which the wall is right if it is ahead by offset, and
// whether that is the offset then.
func (z *zone) shown(wall, offset int64) (ns int64, ok bool) {
	ns = wall - offset*int64(time.Second)
	if ns < 0 {
		return strange, false
	}
	return ns, z.offset(ns/int64(time.Second)) == offset
}

package tabular

import "time"

// A zone converts local times to UTC. When daylight saving time ends, the local times of one hour
// occur twice, and the zone returns both times. When daylight saving time begins, the local times
// of one hour do not exist, and the zone returns skippedTime.
type zone struct {
	location *time.Location
	isUTC    bool
	used     bool     // true if a time was converted
	slot     int64    // number of the quarter of an hour, since 1970, for which zone.offsets is valid
	offsets  [2]int64 // offsets from UTC, in seconds, one day before and one day after the local time
}

// slotSeconds is a quarter of an hour. Zones change their offset only at multiples of a quarter of
// an hour. So the offsets of a zone are the same during the whole quarter.
const slotSeconds = 900

func newZone(location *time.Location) zone {
	return zone{location: location, isUTC: location == time.UTC, slot: -1}
}

// utc converts a local time to UTC. The parameter `wall` has the digits of the local time, read as
// if they were UTC, in ns since the epoch. If the local time occurs twice, the first result is the
// earlier and the second result is the later of the two times. Otherwise the second result is 0.
func (z *zone) utc(wall int64) (ns, again int64) {
	z.used = true
	if z.isUTC || wall < 0 {
		return wall, 0
	}
	z.setOffsets(wall / int64(time.Second))
	before, isBefore := z.atOffset(wall, z.offsets[0])
	if z.offsets[0] == z.offsets[1] {
		return before, 0
	}
	after, isAfter := z.atOffset(wall, z.offsets[1])
	switch {
	case isBefore && isAfter:
		return before, after
	case isBefore:
		return before, 0
	case isAfter:
		return after, 0
	}
	return skippedTime, 0
}

// setOffsets sets z.offsets to the offsets for a local time. It does nothing if z.offsets is valid
// for this time. The parameter `wall` is the local time in seconds.
func (z *zone) setOffsets(wall int64) {
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

// atOffset converts a local time with the given offset from UTC. The second result is true if the
// zone has that offset at the resulting time.
func (z *zone) atOffset(wall, offset int64) (ns int64, ok bool) {
	ns = wall - offset*int64(time.Second)
	if ns < 0 {
		return strangeTime, false
	}
	return ns, z.offset(ns/int64(time.Second)) == offset
}

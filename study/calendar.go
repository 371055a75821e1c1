package study

import "time"

const (
	hourSeconds = 3600
	dayHours    = 24
	yearHours   = 8766 // 365.25 days
)

// A calendar tells the hour of the day and the month of an hour by the clock
// of a zone. It remembers how long its last answer holds, since hours mostly
// follow one another.
type calendar struct {
	zone     *time.Location
	from, to int32 // hours with the offset and month below
	offset   int64 // seconds east of UTC
	month    int32 // since the year 0
}

// look makes the answers good for an hour.
func (c *calendar) look(hour int32) {
	if hour >= c.from && hour < c.to {
		return
	}
	t := time.Unix(int64(hour)*hourSeconds, 0).In(c.zone)
	_, offset := t.Zone()
	c.offset = int64(offset)
	c.month = MonthIndex(t)
	begin := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, c.zone)
	end := time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, c.zone)
	start, stop := t.ZoneBounds()
	c.from, c.to = ceilHour(latest(begin, start)), ceilHour(earliest(end, stop))
}

// hourOfDay is that of an hour that was looked for.
func (c *calendar) hourOfDay(hour int32) int {
	h := floorDiv(int64(hour)*hourSeconds+c.offset, hourSeconds) % dayHours
	return int((h + dayHours) % dayHours)
}

// MonthIndex counts months since the year 0, by the time's own zone.
func MonthIndex(t time.Time) int32 { return int32(t.Year()*12 + int(t.Month()) - 1) }

// lifeYear is the year of a drive's life at an hour, and the hour at which it
// ends; 0, and never, where the drive's age is not known.
func lifeYear(deployed, hour int32) (year, end int32) {
	if deployed == neverHour {
		return 0, endlessHour
	}
	year = max(0, hour-deployed)/yearHours + 1
	return year, deployed + year*yearHours
}

// Hours that stand for none.
const (
	neverHour   = -1 << 31
	endlessHour = 1<<31 - 1
)

func latest(a, b time.Time) time.Time {
	if b.IsZero() || a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// ceilHour is the first hour that begins at the time or after.
func ceilHour(t time.Time) int32 { return int32(floorDiv(t.Unix()+hourSeconds-1, hourSeconds)) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

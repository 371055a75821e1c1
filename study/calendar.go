package study

import "time"

const (
	hourSeconds = 3600
	dayHours    = 24
	yearHours   = 8766 // 365.25 days
)

// A calendar finds the hour of the day and the month of an hour in a time zone. It keeps the
// range of hours for which its last offset and month are valid, because hours mostly follow
// one another.
type calendar struct {
	zone     *time.Location
	from, to int32 // hours with the offset and month below
	offset   int64 // seconds east of UTC
	month    int32 // since the year 0
}

// look sets the offset and the month for an hour.
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

// hourOfDay returns the hour of the day, 0 to 23. Call look with the same hour first.
func (c *calendar) hourOfDay(hour int32) int {
	h := floorDiv(int64(hour)*hourSeconds+c.offset, hourSeconds) % dayHours
	return int((h + dayHours) % dayHours)
}

// MonthIndex returns the number of months since the year 0, in the time zone of t.
func MonthIndex(t time.Time) int32 { return int32(t.Year()*12 + int(t.Month()) - 1) }

// lifeYear returns the year of a drive's life at an hour, from 1 on, and the hour at which that
// year ends; 0 and endlessHour if the age of the drive is unknown.
func lifeYear(deployed, hour int32) (year, end int32) {
	if deployed == neverHour {
		return 0, endlessHour
	}
	year = max(0, hour-deployed)/yearHours + 1
	return year, deployed + year*yearHours
}

// Special hours, which no record has.
const (
	neverHour   = -1 << 31  // before all hours: unknown, or not yet
	endlessHour = 1<<31 - 1 // after all hours: never ends
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

// ceilHour returns the first hour that begins at or after t.
func ceilHour(t time.Time) int32 { return int32(floorDiv(t.Unix()+hourSeconds-1, hourSeconds)) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

package clickhouse

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/study/source"
)

// A clock converts the times of a table to ticks since the epoch, by SQL.
type clock struct {
	column string
	sql    string
	hour   int64  // ticks per hour
	back   int64  // ticks to subtract from the time of a record
	raw    string // SQL that converts ticks to the column's type, so that an index works
}

// hourSeconds is the number of seconds in an hour.
const hourSeconds = 3600

const (
	yearHours   = 8766 // 365.25 days, a year of a drive's life
	nsPerSecond = 1_000_000_000
)

// clock returns the clock of the column of times.
func (s *schema) clock(d *source.Description) (clock, error) {
	kind, nullable, err := s.require(d.Time.Column)
	if err != nil {
		return clock{}, err
	}
	name := identifier(d.Time.Column)
	c := clock{column: name, hour: hourSeconds}
	if d.Time.AtEnd() {
		c.back = 1
	}
	switch unit, _ := d.Time.Clock.Copy().Integer(1); {
	case strings.HasPrefix(kind, "DateTime64"):
		c.sql, c.hour = fmt.Sprintf("toUnixTimestamp64Nano(toDateTime64(%s, 9))", name), hourSeconds*nsPerSecond
		c.raw = "fromUnixTimestamp64Nano(toInt64(%d))"
	case strings.HasPrefix(kind, "DateTime"):
		c.sql, c.raw = fmt.Sprintf("toInt64(toUnixTimestamp(%s))", name), "toDateTime(%d)"
	case isInteger(kind) && unit > 0:
		c.sql, c.hour, c.raw = fmt.Sprintf("toInt64(%s)", name), hourSeconds*nsPerSecond/unit, "%d"
	default:
		return c, fmt.Errorf("table %s: column %s has the type %s, which is not a time; change the type to DateTime; or change the type to a whole number, and name its time format in the description file", s.Table, d.Time.Column, kind)
	}
	if nullable {
		c.sql = fmt.Sprintf("ifNull(%s, -1)", c.sql)
	}
	return c, nil
}

// hourSQL returns SQL for the hour since the epoch.
func (c clock) hourSQL() string { return fmt.Sprintf("intDiv(%s - %d, %d)", c.sql, c.back, c.hour) }

// believable returns an SQL condition for a plausible time: not before the epoch and not after
// the year 2200. Milliseconds that were read as seconds are later.
func (c clock) believable() string {
	const years = 230
	return fmt.Sprintf("%s >= %d AND %s < %d", c.sql, c.back, c.sql, years*yearHours*c.hour)
}

// within returns an SQL condition for the records of the hours from ≤ hour < to.
func (c clock) within(from, to int32) string {
	bound := func(hour int32) string { return fmt.Sprintf(c.raw, int64(hour)*c.hour+c.back) }
	return fmt.Sprintf("%s >= %s AND %s < %s", c.column, bound(from), c.column, bound(to))
}

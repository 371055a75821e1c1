// This file reads times, whatever they are written as: numbers since the
// epoch, texts with a zone, and the time on a wall, which comes twice when
// clocks are put back and never when they are put forward.
//
// It stands below tabular and knows nothing of tables.

package tabular

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Clock reads times. It is told the format of times that are written as
// text or numbers, and the zone of those that name none.
type Clock struct {
	format string
	unit   int64  // nanoseconds of a number
	layout string // of text, empty: RFC 3339
	zone   zone
	stated bool // which zone it is
}

// The end of believable times is the year 2200: later ones are milliseconds
// taken for seconds.
const endOfTimes = 7_258_118_400 * int64(time.Second)

// Times that are none are below zero.
const (
	NoTime  = math.MinInt64     // it is missing or cannot be read
	strange = math.MinInt64 + 1 // it is not between 1970 and 2200
)

// NewClock takes unix, unix_ms, unix_us, unix_ns, rfc3339 or a layout of
// package time or strftime(3). Without a format, numbers are Unix seconds, but
// for days such as 20260101, and other texts RFC 3339, or without its zone, or
// days. Without a zone, times that name none are UTC.
func NewClock(format, zoneName string) (*Clock, error) {
	location, err := time.LoadLocation(zoneName)
	if err != nil {
		return nil, fmt.Errorf("zone %q is not known here; write a name such as Europe/Berlin, or leave it out for UTC", zoneName)
	}
	c := &Clock{format: format, unit: int64(unixUnits[format]), zone: newZone(location), stated: zoneName != ""}
	switch {
	case format == "":
		c.unit = int64(time.Second)
	case c.unit == 0 && format != rfc3339:
		c.layout, err = layoutOf(format)
	}
	return c, err
}

// Format is what times are expected to be, in words.
func (c *Clock) Format() string {
	if c.format == "" {
		return "Unix seconds or RFC 3339"
	}
	return c.format
}

// IsLocal reports whether times that name no zone are those of a wall that may
// show an hour twice.
func (c *Clock) IsLocal() bool { return !c.zone.isUTC }

// AssumesUTC reports whether times were read that name no zone, and no one has said
// which it is.
func (c *Clock) AssumesUTC() bool { return !c.stated && c.zone.asked }

// In returns a copy that takes times which name no zone for those of another.
func (c *Clock) In(location *time.Location) *Clock {
	other := *c
	other.zone, other.stated = newZone(location), true
	return &other
}

// UnitSeconds is the length of the units that numbers count, 0 where times are
// not numbers.
func (c *Clock) UnitSeconds() float64 { return float64(c.unit) / float64(time.Second) }

// Own returns a copy for a reader of its own, as a clock remembers.
func (c *Clock) Own() *Clock {
	own := *c
	return &own
}

// Parse reads a time, in nanoseconds since the epoch, and the later one that it
// may stand for too, or 0. What is no time is [NoTime] or [Strange].
func (c *Clock) Parse(text []byte) (ns, again int64) {
	if c.format == "" {
		if ns, ok := parseUTC(text); ok {
			return ns, 0
		}
	}
	if c.format == "" && len(text) == len(digitsOfDay) {
		if t, err := time.Parse(digitsOfDay, string(text)); err == nil && believable(t) >= 0 {
			return c.zone.utc(believable(t))
		}
	}
	if c.unit != 0 {
		if ns, ok := parseUnix(text, c.unit); ok {
			return ns, 0
		}
		if c.format != "" {
			return NoTime, 0
		}
	}
	if c.layout == "" {
		ns = parseRFC3339(text)
		if ns == NoTime && c.format == "" {
			return c.parseDay(text)
		}
		return ns, 0
	}
	trimmed := strings.TrimSpace(string(text))
	t, err := time.Parse(c.layout, trimmed)
	switch {
	case err != nil:
		return NoTime, 0
	case strings.Contains(c.layout, "-07") || strings.Contains(c.layout, "Z07"):
		return believable(t), 0
	case strings.Contains(c.layout, "MST"):
		t, _ = time.ParseInLocation(c.layout, trimmed, c.zone.location)
		return believable(t), 0
	}
	return c.zone.utc(believable(t))
}

// digitsOfDay is a day without a sign between its parts. As Unix seconds these
// numbers would be of the year 1970, of which nobody has records.
const digitsOfDay = "20060102"

// Hint says what to do about a text that is no time.
func (c *Clock) Hint(text []byte) string {
	v, err := strconv.ParseFloat(string(text), 64)
	for _, format := range []string{"unix_ms", "unix_us", "unix_ns"} {
		if err == nil && c.unit != 0 && scaleFloat(v, int64(unixUnits[format])) >= 0 {
			return "state its format, which may be " + format
		}
	}
	return cmp.Or(formatHint(string(text)), "state its format or zone")
}

// parseRFC3339 reads UTC times to the second by hand, as there are so many:
// 2026-01-01T00:00:00Z.
func parseRFC3339(text []byte) int64 {
	if ns, ok := parseUTC(text); ok {
		return ns
	}
	var t time.Time
	if t.UnmarshalText(text) != nil {
		return NoTime
	}
	return believable(t)
}

// parseDay reads a day, or a day and time of no zone.
func (c *Clock) parseDay(text []byte) (ns, again int64) {
	for _, layout := range []string{time.DateTime, time.DateOnly, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(string(text))); err == nil {
			return c.zone.utc(believable(t))
		}
	}
	return NoTime, 0
}

func believable(t time.Time) int64 {
	if s := t.Unix(); s < 0 || s >= endOfTimes/int64(time.Second) {
		return strange
	}
	return t.UnixNano()
}

// parseUTC reads what is exactly of the form 2026-01-01T00:00:00Z.
func parseUTC(text []byte) (ns int64, ok bool) {
	if len(text) != 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != 'Z' {
		return 0, false
	}
	bad := false
	two := func(at int) int {
		a, b := text[at]-'0', text[at+1]-'0'
		bad = bad || a > 9 || b > 9
		return 10*int(a) + int(b)
	}
	year, month, day, h, m, s := 100*two(0)+two(2), two(5), two(8), two(11), two(14), two(17)
	if bad || year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1 || day > 28 || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	return time.Date(year, time.Month(month), day, h, m, s, 0, time.UTC).UnixNano(), true
}

// parseUnix reads a number of units since the epoch, with a fraction or not.
func parseUnix(text []byte, unit int64) (ns int64, ok bool) {
	const digits = 18 // of a number that surely fits into 64 bits
	whole, i := int64(0), 0
	for ; i < len(text) && i < digits && text[i]-'0' <= 9; i++ {
		whole = whole*10 + int64(text[i]-'0')
	}
	if i > 0 && i == len(text) {
		return scale(whole, unit), true
	}
	return parseUnixPlain(text, unit)
}

// parseUnixPlain is parseUnix by the standard library.
func parseUnixPlain(text []byte, unit int64) (ns int64, ok bool) {
	trimmed := strings.TrimSpace(string(text))
	if whole, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
		return scale(whole, unit), true
	}
	v, err := strconv.ParseFloat(trimmed, 64)
	return scaleFloat(v, unit), (err == nil || math.IsInf(v, 0)) && v == v
}

// scale is a time of so many units since the epoch.
func scale(v, unit int64) int64 {
	if v < 0 || v >= endOfTimes/unit {
		return strange
	}
	return v * unit
}

// scaleFloat keeps whole units exact, which a product of floats would not.
func scaleFloat(v float64, unit int64) int64 {
	whole, fraction := math.Modf(v)
	if !(whole >= 0 && whole < float64(endOfTimes/unit)) || fraction < 0 {
		return strange
	}
	return int64(whole)*unit + int64(math.Round(fraction*float64(unit)))
}

// Integer reads a number of the clock's units, or one that is written out as
// 20260101.
func (c *Clock) Integer(v int64) (ns, again int64) {
	const firstDay, lastDay = 1970_01_01, 2199_12_31
	if c.unit != 0 && (c.format != "" || v < firstDay || v > lastDay) {
		return scale(v, c.unit), 0
	}
	return c.Parse(strconv.AppendInt(nil, v, 10))
}

// Float reads a number of the clock's units, with a fraction.
func (c *Clock) Float(v float64) (ns, again int64) {
	if c.unit != 0 {
		return scaleFloat(v, c.unit), 0
	}
	return c.Parse(strconv.AppendFloat(nil, v, 'f', -1, 64))
}

// Wall is the time, and the later one or 0, at which a wall in the clock's zone
// shows what is given as if it were UTC.
func (c *Clock) Wall(wall int64) (ns, again int64) { return c.zone.utc(wall) }

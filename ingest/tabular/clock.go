package tabular

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Clock parses times: numbers since the epoch, texts with a zone, and local times. A Clock has one
// format of times, and one zone for times without a zone. When daylight saving time ends, the local
// times of one hour occur twice, and the Clock returns both times. When daylight saving time
// begins, the local times of one hour do not exist, and the Clock returns skippedTime.
type Clock struct {
	format string
	unit   int64  // unit of times that are numbers, in ns; 0 if times are not numbers
	layout string // layout of texts; empty means RFC 3339
	zone   zone
	stated bool   // true if the user has stated the zone; false if the zone is the default, UTC
	named  string // the first text that names an offset from UTC, such as 2026-01-01T00:00:00+01:00
}

// endOfTimes is the beginning of the year 2200, in ns since the epoch. A later time is
// probably a number of milliseconds that was parsed as seconds.
const endOfTimes = 7_258_118_400 * int64(time.Second)

// Values that the clock returns instead of a time. They are negative. A valid time is 0 or more.
const (
	NoTime      = math.MinInt64     // the time is missing or cannot be parsed
	strangeTime = math.MinInt64 + 1 // the time is not between 1970 and 2200
	skippedTime = math.MinInt64 + 2 // the local time does not exist, because clocks were set forward
)

// NewClock returns a clock for a format and a zone. The format is unix, unix_ms, unix_us, unix_ns,
// rfc3339, or a layout of package time or strftime(3). An empty format allows four forms: Unix
// seconds, days such as 20260101, days such as 2026-01-01, and RFC 3339 with or without a zone. If
// zoneName is empty, the clock reads times without a zone as UTC.
func NewClock(format, zoneName string) (*Clock, error) {
	location, err := time.LoadLocation(zoneName)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is unknown; write a name such as Europe/Berlin, or remove the setting \"zone\" for UTC", zoneName)
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

// Format returns the expected format of times, for messages.
func (c *Clock) Format() string {
	if c.format == "" {
		return "Unix seconds or RFC 3339"
	}
	return c.format
}

// IsLocal reports whether times without a zone are local times of a zone other than UTC.
// Such times may occur twice.
func (c *Clock) IsLocal() bool { return !c.zone.isUTC }

// AssumesUTC reports whether the clock has parsed a time without a zone as UTC, because the user has
// stated no zone for such times.
func (c *Clock) AssumesUTC() bool { return !c.stated && c.zone.used }

// NamedZone returns the text of the first parsed time that has its own offset from UTC, such as
// +01:00. It returns an empty text if no parsed time has an offset.
func (c *Clock) NamedZone() string { return c.named }

// InLocation returns a copy of the clock that reads times without a zone as local times of the given
// location.
func (c *Clock) InLocation(location *time.Location) *Clock {
	other := *c
	other.zone, other.stated = newZone(location), true
	return &other
}

// UnitSeconds returns the number of seconds in one unit of a time that is a number: 0.001 for the
// format unix_ms. It returns 0 if times are not numbers.
func (c *Clock) UnitSeconds() float64 { return float64(c.unit) / float64(time.Second) }

// Copy returns a copy of the clock for one reader. Readers cannot share a clock, because a
// clock caches the last zone offset.
func (c *Clock) Copy() *Clock {
	own := *c
	return &own
}

// Parse parses a time and returns nanoseconds since the epoch. If a local time occurs twice, the
// first result is the earlier and the second result is the later of the two times. Otherwise the
// second result is 0. If the text is not a time, the first result is [NoTime]. If the time is not
// between 1970 and 2200, the first result is strangeTime.
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
		c.noteZone(ns, text)
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

// digitsOfDay is the layout of a day without punctuation. A number such as 20260101 is read as a
// day. As Unix seconds it would be a time in the year 1970, for which no table has data.
const digitsOfDay = "20060102"

// Hint returns advice on how to describe the format of a text that the clock cannot parse.
func (c *Clock) Hint(text []byte) string {
	v, err := strconv.ParseFloat(string(text), 64)
	for _, format := range []string{"unix_ms", "unix_us", "unix_ns"} {
		if err == nil && c.unit != 0 && scaleFloat(v, int64(unixUnits[format])) >= 0 {
			return "write the format of the time, probably " + format
		}
	}
	return cmp.Or(formatHint(string(text)), "write the format or the time zone of the time")
}

// parseRFC3339 parses RFC 3339. The common form, 2026-01-01T00:00:00Z, takes the fast
// path of parseUTC.
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

// noteZone keeps the first text that names an offset from UTC. A text that ends with Z does not count,
// because Z means the default zone, UTC.
func (c *Clock) noteZone(ns int64, text []byte) {
	if c.named == "" && ns >= 0 && text[len(text)-1] != 'Z' {
		c.named = string(text)
	}
}

// dateTimeZone is RFC 3339 with a space between day and time.
const dateTimeZone = "2006-01-02 15:04:05Z07:00"

// parseDay parses three forms: a day, a day and time without a zone, and the form dateTimeZone.
func (c *Clock) parseDay(text []byte) (ns, again int64) {
	if t, err := time.Parse(dateTimeZone, strings.TrimSpace(string(text))); err == nil {
		c.noteZone(believable(t), bytes.TrimSpace(text))
		return believable(t), 0
	}
	for _, layout := range []string{time.DateTime, time.DateOnly, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(string(text))); err == nil {
			return c.zone.utc(believable(t))
		}
	}
	return NoTime, 0
}

func believable(t time.Time) int64 {
	if s := t.Unix(); s < 0 || s >= endOfTimes/int64(time.Second) {
		return strangeTime
	}
	return t.UnixNano()
}

// parseUTC parses only the form 2026-01-01T00:00:00Z, and is faster than time.Parse. The
// result `ok` is false for all other texts. It is also false for days after the 28th, because some
// months have no such day.
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

// parseUnix parses a number of units since the epoch. The number may have a fraction.
func parseUnix(text []byte, unit int64) (ns int64, ok bool) {
	const digits = 18 // a number of 18 digits fits into 64 bits
	whole, i := int64(0), 0
	for ; i < len(text) && i < digits && text[i]-'0' <= 9; i++ {
		whole = whole*10 + int64(text[i]-'0')
	}
	if i > 0 && i == len(text) {
		return scale(whole, unit), true
	}
	return parseUnixPlain(text, unit)
}

// parseUnixPlain returns the same results as parseUnix, which calls it for less common texts. It
// always uses the standard library, which is slower.
func parseUnixPlain(text []byte, unit int64) (ns int64, ok bool) {
	trimmed := strings.TrimSpace(string(text))
	if whole, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
		return scale(whole, unit), true
	}
	v, err := strconv.ParseFloat(trimmed, 64)
	return scaleFloat(v, unit), (err == nil || math.IsInf(v, 0)) && v == v
}

// scale returns the time that is v units after the epoch, in ns. It returns strangeTime for times
// that are not plausible.
func scale(v, unit int64) int64 {
	if v < 0 || v >= endOfTimes/unit {
		return strangeTime
	}
	return v * unit
}

// scaleFloat does the same as scale, for a number with a fraction. It multiplies the whole part of
// the number as an integer, because a product of floats would be rounded.
func scaleFloat(v float64, unit int64) int64 {
	whole, fraction := math.Modf(v)
	if !(whole >= 0 && whole < float64(endOfTimes/unit)) || fraction < 0 {
		return strangeTime
	}
	return int64(whole)*unit + int64(math.Round(fraction*float64(unit)))
}

// Integer converts an integer to a time. The integer is a number of the clock's units
// since the epoch, or a day such as 20260101.
func (c *Clock) Integer(v int64) (ns, again int64) {
	const firstDay, lastDay = 1970_01_01, 2199_12_31
	if c.unit != 0 && (c.format != "" || v < firstDay || v > lastDay) {
		return scale(v, c.unit), 0
	}
	return c.Parse(strconv.AppendInt(nil, v, 10))
}

// Float converts a float to a time. The float is a number of the clock's units since the
// epoch.
func (c *Clock) Float(v float64) (ns, again int64) {
	if c.unit != 0 {
		return scaleFloat(v, c.unit), 0
	}
	return c.Parse(strconv.AppendFloat(nil, v, 'f', -1, 64))
}

// Wall converts a local time in the clock's zone to UTC. The parameter `wall` has the digits of the
// local time, read as if they were UTC, in ns since the epoch. If the local time occurs twice, the
// first result is the earlier and the second result is the later of the two times. Otherwise the
// second result is 0.
func (c *Clock) Wall(wall int64) (ns, again int64) { return c.zone.utc(wall) }

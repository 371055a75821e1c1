package tables

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A clock reads the times of a table, as nanoseconds since the epoch.
type clock struct {
	column string
	format string         // as described
	unit   int64          // nanoseconds of a number; 0 where times are written out
	layout string         // of times that are written out; empty: RFC 3339
	zone   *time.Location // of layouts without one
}

// The end of believable times is the year 2200: later ones are milliseconds
// taken for seconds.
const endOfTimes = 7_258_118_400 * int64(time.Second)

var unixUnits = map[string]time.Duration{
	"unix": time.Second, "unix_ms": time.Millisecond, "unix_us": time.Microsecond, "unix_ns": time.Nanosecond,
}

func newClock(format, zone string) (clock, error) {
	c := clock{format: format, unit: int64(unixUnits[format])}
	var err error
	if c.zone, err = time.LoadLocation(zone); err != nil {
		return c, fmt.Errorf("zone %q is not known here; write a name such as Europe/Berlin, or leave it out for UTC", zone)
	}
	switch {
	case c.unit != 0 || format == "rfc3339":
		return c, nil
	case strings.Contains(format, "%"):
		c.layout, err = goLayout(format)
	default:
		c.layout = format
	}
	if err == nil && !tellsTheDay(c.layout) {
		err = fmt.Errorf("format %q does not tell year, month and day; write unix, unix_ms, rfc3339, or a layout such as %%Y-%%m-%%d %%H:%%M:%%S", format)
	}
	return c, err
}

// tellsTheDay reports whether a layout reads back the day that it writes.
func tellsTheDay(layout string) bool {
	day := time.Date(2021, time.November, 23, 0, 0, 0, 0, time.UTC)
	back, err := time.Parse(layout, day.Format(layout))
	return err == nil && back.Equal(day)
}

// strftimeLayouts are the conversions of strftime(3) in the layout of package
// time, which also reads a fraction where none is written after seconds.
var strftimeLayouts = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'j': "002", 'b': "Jan", 'B': "January", 'h': "Jan",
	'a': "Mon", 'A': "Monday", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'f': "000000", 'z': "-0700", 'Z': "MST",
	'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06", '%': "%", 't': "\t", 'n': "\n",
}

// goLayout translates strftime(3).
func goLayout(format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) || strftimeLayouts[format[i]] == "" {
			return "", fmt.Errorf("format %q has a %% that is not known; use %%Y %%m %%d %%H %%M %%S %%z and the like", format)
		}
		b.WriteString(strftimeLayouts[format[i]])
	}
	return b.String(), nil
}

// parse reads a time; ok says whether it is one, whatever its range.
func (c *clock) parse(text []byte) (ns int64, ok bool) {
	switch {
	case c.unit != 0:
		return parseUnix(text, c.unit)
	case c.layout == "":
		var t time.Time
		err := t.UnmarshalText(text)
		return nanoseconds(t), err == nil
	}
	t, err := time.ParseInLocation(c.layout, strings.TrimSpace(string(text)), c.zone)
	return nanoseconds(t), err == nil
}

// nanoseconds are out of range, not wrapped, for times that they cannot hold.
func nanoseconds(t time.Time) int64 {
	if s := t.Unix(); s < 0 || s >= endOfTimes/int64(time.Second) {
		return endOfTimes
	}
	return t.UnixNano()
}

// parseUnix reads a number of units since the epoch, with a fraction or not.
func parseUnix(text []byte, unit int64) (ns int64, ok bool) {
	const digits = 19 // of nanoseconds, in 64 bits
	whole, i := uint64(0), 0
	for ; i < len(text) && text[i]-'0' <= 9 && i < digits; i++ {
		whole = whole*10 + uint64(text[i]-'0')
	}
	if i == 0 || i < len(text) {
		v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		return scaleTime(v, unit), err == nil && !math.IsNaN(v)
	}
	if whole >= uint64(endOfTimes/unit) {
		return endOfTimes, true
	}
	return int64(whole) * unit, true
}

// scaleTime keeps whole units exact, which a product of floats would not.
func scaleTime(v float64, unit int64) int64 {
	whole, fraction := math.Modf(v)
	if !(whole >= 0 && whole < float64(endOfTimes/unit)) || fraction < 0 {
		return endOfTimes
	}
	return int64(whole)*unit + int64(math.Round(fraction*float64(unit)))
}

// inRange reports whether a time can be believed.
func inRange(ns int64) bool { return 0 <= ns && ns < endOfTimes }

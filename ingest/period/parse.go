package period

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/internal/zoned"
)

// Clock has the present time, and the time zone for times that are written
// without a zone. Relative times, such as 2h, are counted back from the present
// time.
type Clock struct {
	Now  time.Time
	Zone *time.Location // nil means UTC
}

// layouts are the formats of absolute times without a zone. Formats with
// seconds come first.
var layouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
}

// Parse parses a time. The text is one of these:
//
//   - a day: 2026-05-09, today, yesterday
//   - a time with or without a zone: 2026-05-09 08:00, 2026-05-09T08:00Z
//   - the word "now"
//   - an age: 2h, 90m, 3d, 1w
//   - @ and seconds since 1970
//
// For a day, the result is the beginning of the day, or the end of the day if the parameter `end`
// is true.
func (c Clock) Parse(text string, end bool) (time.Time, error) {
	t, err := c.parse(strings.TrimSpace(text), end)
	if err == nil && t.Unix() < 0 {
		err = fmt.Errorf("%q is before 1970: give a later time", text)
	}
	return t, err
}

func (c Clock) parse(text string, end bool) (time.Time, error) {
	zone := c.zone()
	if day, ok := c.day(text); ok {
		if end {
			day = day.AddDate(0, 0, 1)
		}
		return day, nil
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return checkExists(t, layout, text)
		}
	}
	if t, err := zoned.Parse(text); err == nil {
		return t, nil
	}
	if t, ok := c.relative(text); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("%q is not a time: write 2026-05-09, \"2026-05-09 08:00\", 2026-05-09T08:00Z, yesterday, or how long ago, such as 2h or 3d", text)
}

// checkExists returns an error for a local time that does not exist. When daylight saving time
// begins, clocks skip an hour.
func checkExists(t time.Time, layout, text string) (time.Time, error) {
	if t.Format(layout) != text {
		return t, fmt.Errorf("the time %q does not exist in time zone %s, because clocks are set forward at that time; give another time", text, t.Location())
	}
	return t, nil
}

// day parses a day: today, yesterday, or a date. It returns the beginning of the day.
func (c Clock) day(text string) (time.Time, bool) {
	now := c.Now.In(c.zone())
	begin := func(ago int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()-ago, 0, 0, 0, 0, c.zone())
	}
	switch text {
	case "today":
		return begin(0), true
	case "yesterday":
		return begin(1), true
	}
	t, err := time.ParseInLocation(time.DateOnly, text, c.zone())
	return t, err == nil
}

// parts matches the first number and its unit in a duration: 1d in 1d12h.
var parts = lazyregexp.New(`^(\d+(?:\.\d+)?)(w|d|h|min|m|s)`)

var unitSeconds = map[string]float64{"w": 7 * 86400, "d": 86400, "h": 3600, "min": 60, "m": 60, "s": 1}

// mostSeconds is the longest age in seconds: a century. No data are older than
// a century.
const mostSeconds = 100 * 366 * 86400

// relative parses the word "now", an age such as 2h, or @ and the seconds since
// 1970.
func (c Clock) relative(text string) (time.Time, bool) {
	if text == "now" {
		return c.Now, true
	}
	if epoch, ok := strings.CutPrefix(text, "@"); ok {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		return time.Unix(seconds, 0), err == nil && seconds >= 0 && seconds <= math.MaxUint32
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "-"), "ago"))
	var seconds float64
	for text != "" {
		part := parts.FindStringSubmatch(text)
		if part == nil {
			return time.Time{}, false
		}
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return time.Time{}, false
		}
		seconds += n * unitSeconds[part[2]]
		text = strings.TrimSpace(text[len(part[0]):])
	}
	if seconds == 0 || seconds > mostSeconds {
		return time.Time{}, false
	}
	return c.Now.Add(-time.Duration(seconds * float64(time.Second))), true
}

func (c Clock) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// show formats a time with its zone.
func (c Clock) show(t time.Time) string { return t.In(c.zone()).Format("2006-01-02 15:04:05Z07:00") }

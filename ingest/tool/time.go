package tool

import (
	"strconv"
	"strings"
	"time"
)

// timeLayouts lists the layouts in which tools print times, in several locales. In dates
// with slashes the month is first, as in the C locale and the American locale.
var timeLayouts = []string{
	"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05-0700", "2006-01-02 03:04:05 PM",
	"01/02/06 15:04:05", "01/02/2006 15:04:05", "01/02/06 03:04:05 PM", "01/02/2006 03:04:05 PM",
	"02.01.2006 15:04:05", "02.01.06 15:04:05",
	"Mon Jan _2 15:04:05 MST 2006", "Mon Jan _2 15:04:05 2006", "Mon _2 Jan 2006 15:04:05 MST", "Mon _2 Jan 2006 03:04:05 PM MST",
}

// longestTime is the largest number of bytes of a time, without repeated spaces. The number leaves
// space for long names of time zones.
const longestTime = 40

const (
	localLayout = "2006-01-02T15:04:05"
	utcLayout   = "2006-01-02T15:04:05Z"
)

// normalTime converts a time to the default format of times in tables. If the text names a time
// zone, the result is in UTC (utcLayout). If not, the result is a local time (localLayout). Seconds
// since the epoch stay unchanged. The result `ok` is false if the text is not a time.
func normalTime(text string) (string, bool) {
	if len(text) > 2*longestTime {
		return "", false
	}
	text = strings.Join(strings.Fields(text), " ")
	if s, err := strconv.ParseInt(text, 10, 64); err == nil && s >= leastEpoch && s <= lastEpoch {
		return text, true
	}
	if len(text) > longestTime || !strings.Contains(text, ":") {
		return "", false
	}
	for _, layout := range timeLayouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		name, offset := t.Zone()
		switch {
		case strings.Contains(layout, "MST") && name != "UTC" && name != "GMT" && offset == 0:
			return t.Format(localLayout), true // the offset of this zone is unknown, so the time counts as local time
		case strings.Contains(layout, "-0700"), strings.Contains(layout, "Z07:00"), strings.Contains(layout, "MST"):
			return t.UTC().Format(utcLayout), true
		}
		return t.Format(localLayout), true
	}
	return "", false
}

// leastEpoch and lastEpoch are the first and the last plausible time, in seconds since the epoch.
// They are in the years 2001 and 2200. Numbers outside of this range are not times.
const (
	leastEpoch = 1_000_000_000
	lastEpoch  = 7_258_118_400
)

// parseNumber parses a number with a decimal point or, as in some locales, a decimal
// comma.
func parseNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return v, err == nil
}

// parseHuman parses a number as the tools of sysstat print it with -h or --human. If the number is
// a size, the result is in kB: "31.5k" gives 31.5, and "2.6M" gives 2.6 × 1,024. For a percentage,
// parseHuman only removes the sign: "0.2%" gives 0.2.
func parseHuman(text string) (float64, bool) {
	factor := 1.0
	switch n := len(text); {
	case n < 2:
	case text[n-1] == '%' || text[n-1] == 'k':
		text = text[:n-1]
	case text[n-1] == 'M':
		text, factor = text[:n-1], 1<<10
	case text[n-1] == 'G':
		text, factor = text[:n-1], 1<<20
	case text[n-1] == 'T':
		text, factor = text[:n-1], 1<<30
	}
	v, ok := parseNumber(text)
	return v * factor, ok
}

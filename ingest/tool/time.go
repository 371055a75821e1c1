package tool

import (
	"strconv"
	"strings"
	"time"
)

// Layouts that tools print times in, by locale. Dates with slashes are those
// of the C and the American locale: the month stands first.
var layouts = []string{
	"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05-0700", "2006-01-02 03:04:05 PM",
	"01/02/06 15:04:05", "01/02/2006 15:04:05", "01/02/06 03:04:05 PM", "01/02/2006 03:04:05 PM",
	"02.01.2006 15:04:05", "02.01.06 15:04:05",
	"Mon Jan _2 15:04:05 MST 2006", "Mon Jan _2 15:04:05 2006", "Mon _2 Jan 2006 15:04:05 MST", "Mon _2 Jan 2006 03:04:05 PM MST",
}

// longestTime is that of the longest layout, with room for zones.
const longestTime = 40

const (
	local = "2006-01-02T15:04:05"
	zoned = "2006-01-02T15:04:05Z"
)

// Time writes a time as descriptions of tables read it without being told: in
// UTC where it names its zone, and as it stands on the wall where it does not.
// Text may be seconds since the epoch too.
func Time(text string) (string, bool) {
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
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		name, offset := t.Zone()
		switch {
		case strings.Contains(layout, "MST") && name != "UTC" && name != "GMT" && offset == 0:
			return t.Format(local), true // a zone that only its own host knows
		case strings.Contains(layout, "-0700"), strings.Contains(layout, "Z07:00"), strings.Contains(layout, "MST"):
			return t.UTC().Format(zoned), true
		}
		return t.Format(local), true
	}
	return "", false
}

// Epochs that are believed: from 2001 to 2200.
const (
	leastEpoch = 1_000_000_000
	lastEpoch  = 7_258_118_400
)

// Number reads a number with a decimal point or, as some locales print it, a
// comma.
func Number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return v, err == nil
}

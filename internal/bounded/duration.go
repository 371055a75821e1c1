package bounded

import (
	"math"
	"strings"
	"time"
)

// Duration returns a value for a time, such as 5m. A number without a unit is in seconds.
func Duration(to *time.Duration, low, high time.Duration) Value {
	return &scalar[time.Duration]{kind: &durations, to: to, low: low, high: high}
}

var durations = kind[time.Duration]{
	"duration", "a time", " (such as 30s or 5m)", parseDuration, FormatDuration,
	func(a, b time.Duration) bool { return a < b },
}

func parseDuration(text string) (d time.Duration, beyond, ok bool) {
	if seconds, beyond, ok := parseFloat(text); ok {
		ns := math.Round(seconds * float64(time.Second))
		if beyond || math.Abs(ns) >= math.MaxInt64 {
			return 0, true, true
		}
		return time.Duration(ns), false, true
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, false, false
	}
	return d, false, true
}

// FormatDuration returns a time without zero parts: 1h, not 1h0m0s.
func FormatDuration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

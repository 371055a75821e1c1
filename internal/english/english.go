package english

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Scale returns the unit in which people read a metric, and the factor that
// leads to it. Plots use it, so that they agree with sentences.
func Scale(unit string) (factor float64, read string) {
	switch unit {
	case "sectors/s":
		return 512 / 1e6, "MB/s"
	case "B/s":
		return 1 / 1e6, "MB/s"
	case "us":
		return 1e-3, "ms"
	}
	return 1, unit
}

// ladders are the units that people change to, and the value from which on.
var ladders = map[string][]struct {
	unit       string
	size, from float64
}{
	"ms":   {{"h", 3600e3, 7200e3}, {"min", 60e3, 120e3}, {"s", 1e3, 999.5}, {"ms", 1, 0.1}, {"µs", 1e-3, 0}},
	"MB/s": {{"GB/s", 1e3, 999.5}, {"MB/s", 1, 0.1}, {"kB/s", 1e-3, 0}},
}

// Quantity prints a value with three digits and its unit. It is empty where the
// value is missing.
func Quantity(v float64, unit string) string {
	if math.IsNaN(v) {
		return ""
	}
	factor, unit := Scale(unit)
	v *= factor
	for _, rung := range ladders[unit] {
		if math.Abs(v) >= rung.from && v != 0 {
			return Digits(v/rung.size) + " " + rung.unit
		}
	}
	if per, isRate := strings.CutPrefix(unit, "1/"); isRate { // 10.1/s, not 10.1 1/s
		return Digits(v) + "/" + per
	}
	return strings.TrimSpace(Digits(v) + " " + unit)
}

// Digits prints three of them, and large numbers whole.
func Digits(v float64) string {
	switch size := math.Abs(v); {
	case size >= 999.5:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size > 0 && size < 0.001:
		return "less than 0.001"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Times prints a ratio.
func Times(r float64) string { return Digits(r) + " times" }

// Thousands prints 9216 as 9,216.
func Thousands[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(max(n, -n)), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}

// Count prints a number of things.
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, Verb(n, "", "s"))
}

// List joins texts: "a", "a and b", "a, b and c".
func List(texts []string) string {
	n := len(texts)
	if n < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:n-1], ", ") + " and " + texts[n-1]
}

// Verb chooses a form by number.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Age prints how old something is: in days from two on.
func Age(seconds int64) string {
	const day = 86400
	if seconds < 2*day {
		return Seconds(seconds / 60 * 60)
	}
	return Count(int(seconds/day), "day")
}

// Seconds prints a duration: 22 min 30 s.
func Seconds(n int64) string {
	text := (time.Duration(n) * time.Second).String() + " "
	text = strings.Replace(strings.Replace(text, "m0s ", "m ", 1), "h0m ", "h ", 1)
	return strings.TrimSpace(units.Replace(text))
}

// units are those of Go's durations, as people write them.
var units = strings.NewReplacer("h", " h ", "m", " min ", "s", " s")

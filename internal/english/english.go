package english

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Scale returns the unit in which a metric is printed, and the factor that converts values to this
// unit. Plots use it, so that they have the same units as sentences.
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

// ladders holds, for each unit, the units that replace it. The first unit is used whose from is not
// above the value.
var ladders = map[string][]struct {
	unit       string
	size, from float64
}{
	"ms":   {{"h", 3600e3, 7200e3}, {"min", 60e3, 120e3}, {"s", 1e3, 999.5}, {"ms", 1, 0.1}, {"µs", 1e-3, 0}},
	"MB/s": {{"GB/s", 1e3, 999.5}, {"MB/s", 1, 0.1}, {"kB/s", 1e-3, 0}},
}

// Quantities returns two values that a sentence compares, as Quantity does. Both have the unit of the
// smaller value if the larger value then has at most three digits before the point: 197 µs and
// 57.7 µs, but 1.7 s and 719 ms.
func Quantities(a, b float64, unit string) (first, second string) {
	factor, base := Scale(unit)
	small, large := math.Min(math.Abs(a), math.Abs(b))*factor, math.Max(math.Abs(a), math.Abs(b))*factor
	for _, rung := range ladders[base] {
		if small >= rung.from && small > 0 { // false if a value is NaN
			if large/rung.size >= 999.5 {
				break
			}
			return Digits(a*factor/rung.size) + " " + rung.unit, Digits(b*factor/rung.size) + " " + rung.unit
		}
	}
	return Quantity(a, unit), Quantity(b, unit)
}

// Quantity returns a value with three digits and its unit; "" if the value is NaN.
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

// Digits returns a number with three digits. It rounds a number of 1000 or more to a whole number.
func Digits(v float64) string {
	switch size := math.Abs(v); {
	case size >= 999.5:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size > 0 && size < 0.001:
		return "less than 0.001"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Sentence returns a text with a period and, if it begins with one of the words that limpet's
// sentences begin with, with a capital letter. Other first words may be names, which stay.
func Sentence(text string) string {
	if first, _, _ := strings.Cut(text, " "); slices.Contains(firstWords, first) {
		text = strings.ToUpper(first[:1]) + text[1:]
	}
	return text + "."
}

var firstWords = []string{"a", "also", "before", "during", "in", "its", "most", "no", "of", "on", "standby", "since", "the", "this"}

// Times returns a ratio as text: "2.5 times".
func Times(r float64) string { return Digits(r) + " times" }

// Thousands returns 9216 as "9,216".
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

// Count returns a number with its noun: "1 drive", "2 drives".
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

// Verb returns one if n is 1, and many otherwise.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Age returns an age as text: in days from two days on, otherwise in hours and minutes.
func Age(seconds int64) string {
	const day = 86400
	if seconds < 2*day {
		return Seconds(seconds / 60 * 60)
	}
	return Count(int(seconds/day), "day")
}

// Seconds returns a duration as text: "22 min 30 s".
func Seconds(n int64) string {
	text := (time.Duration(n) * time.Second).String() + " "
	text = strings.Replace(strings.Replace(text, "m0s ", "m ", 1), "h0m ", "h ", 1)
	return strings.TrimSpace(units.Replace(text))
}

// units replaces the units of Go's durations by common ones.
var units = strings.NewReplacer("h", " h ", "m", " min ", "s", " s")

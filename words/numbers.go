package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/table"
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
	"ms":   {{"min", 60e3, 120e3}, {"s", 1e3, 999.5}, {"ms", 1, 0.1}, {"µs", 1e-3, 0}},
	"MB/s": {{"GB/s", 1e3, 999.5}, {"MB/s", 1, 0.1}, {"kB/s", 1e-3, 0}},
}

// Quantity prints a value with three digits and its unit. It is empty where the
// value is missing.
func Quantity(v float64, unit string) string {
	if table.IsMissing(v) {
		return ""
	}
	factor, unit := Scale(unit)
	v *= factor
	for _, rung := range ladders[unit] {
		if math.Abs(v) >= rung.from && v != 0 {
			return digits(v/rung.size) + " " + rung.unit
		}
	}
	return strings.TrimSpace(digits(v) + " " + unit)
}

// digits prints three of them, and large numbers whole.
func digits(v float64) string {
	switch size := math.Abs(v); {
	case size >= 999.5:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size > 0 && size < 0.001:
		return "less than 0.001"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// times prints a ratio.
func times(r float64) string { return digits(r) + " times" }

// count prints a number of things.
func count(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, verb(n, "", "s"))
}

// verb chooses a form by number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Seconds prints a duration: 22 min 30 s.
func Seconds(n int64) string {
	text := (time.Duration(n) * time.Second).String() + " "
	text = strings.Replace(strings.Replace(text, "m0s ", "m ", 1), "h0m ", "h ", 1)
	return strings.TrimSpace(strings.NewReplacer("h", " h ", "m", " min ", "s", " s").Replace(text))
}

// A stamp formats times in a zone: to the minute for components, which are judged
// every few minutes, and to the second for resources of servers. Each says how far it
// is from UTC; Z is UTC itself.
type stamp struct {
	clock string
	zone  *time.Location
}

const (
	day      = "2006-01-02 "
	toMinute = "15:04Z07:00"
	toSecond = "15:04:05Z07:00"
)

// minute and second are the stamps of a voice.
func (v *Voice) minute() stamp { return stamp{toMinute, v.zone()} }
func (v *Voice) second() stamp { return stamp{toSecond, v.zone()} }

// zone is that of the voice, UTC where it has none.
func (v *Voice) zone() *time.Location {
	if v.Zone == nil {
		return time.UTC
	}
	return v.Zone
}

func (s stamp) in(t int64) time.Time { return time.Unix(t, 0).In(s.zone) }

func (s stamp) at(t int64) string { return s.in(t).Format(day + s.clock) }

// later formats a time that follows another: without the day where it is the same.
func (s stamp) later(first, t int64) string {
	if s.in(first).Format(day) == s.in(t).Format(day) {
		return s.in(t).Format(s.clock)
	}
	return s.at(t)
}

// Time prints a time to the minute.
func (v *Voice) Time(t int64) string { return v.minute().at(t) }

// Span prints a stretch of time to the second.
func (v *Voice) Span(from, to int64) string {
	return v.second().at(from) + " to " + v.second().later(from, to)
}

package page

import (
	"math"
	"strconv"
	"time"
)

// A clock places times (seconds since the epoch) along a drawing of any width. Places are
// percentages of the width.
type clock struct{ begin, end float64 }

// newClock returns a clock from begin to end. If they are equal, it adds a minute on both sides.
func newClock(begin, end float64) clock {
	if begin == end {
		return clock{begin - 60, end + 60}
	}
	return clock{begin, end}
}

// place returns the place of a time. A time beyond an end has the place of this end.
func (c clock) place(t float64) float64 {
	return 100 * min(max((t-c.begin)/(c.end-c.begin), 0), 1)
}

// shows reports whether any part of a time span lies on the drawing.
func (c clock) shows(from, to float64) bool { return to >= c.begin && from <= c.end }

// percent formats a place. The rounding is smaller than a hundredth of a pixel on a wide screen.
func percent(place float64) string {
	return strconv.FormatFloat(math.Round(place*1000)/1000, 'f', -1, 64) + "%"
}

// A tick is a round time. Below is its date or its year, if it differs from that of the tick
// before.
type tick struct {
	X, Text, Below string
	Anchor         string // start, middle or end: alignment that keeps the text on the drawing
}

// paces lists the steps between ticks up to two weeks, in seconds. Longer steps are months.
var paces = []float64{
	1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
	3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600,
	day, 2 * day, 7 * day, 14 * day,
}

const day = 86400.0

// ticks returns round times along the drawing, at most the given number.
func (c clock) ticks(most int) []tick {
	times, format, below := c.roundTimes(most)
	var ticks []tick
	last := ""
	for _, t := range times {
		next := tick{X: percent(c.place(seconds(t))), Text: t.Format(format), Anchor: anchorAt(c.place(seconds(t)))}
		if under := t.Format(below); under != last {
			next.Below, last = under, under
		}
		ticks = append(ticks, next)
	}
	return ticks
}

// anchorAt returns the alignment of a text, so that a text near an end does not reach beyond it.
func anchorAt(place float64) string {
	switch {
	case place < 6:
		return "start"
	case place > 94:
		return "end"
	}
	return "middle"
}

// roundTimes returns the times of ticks, and the formats of the times and of the texts below them.
func (c clock) roundTimes(most int) (times []time.Time, format, below string) {
	for _, pace := range paces {
		if times := c.every(pace); len(times) <= most {
			switch {
			case pace < 60:
				return times, time.TimeOnly, time.DateOnly
			case pace < day:
				return times, "15:04", time.DateOnly
			}
			return times, "01-02", "2006"
		}
	}
	for months := 1; ; months *= 2 {
		if times := c.everyMonths(months); len(times) <= most {
			return times, "2006-01", ""
		}
	}
}

// every returns the multiples of a step. Weeks begin on Mondays.
func (c clock) every(pace float64) []time.Time {
	const monday = 4 * day // 1970-01-05
	var times []time.Time
	if (c.end-c.begin)/pace > 1000 {
		return make([]time.Time, 1000) // more than the largest number of ticks
	}
	shift := math.Mod(monday, pace)
	for n := math.Ceil((c.begin - shift) / pace); n*pace+shift <= c.end; n++ {
		times = append(times, moment(n*pace+shift))
	}
	return times
}

func (c clock) everyMonths(months int) []time.Time {
	var times []time.Time
	t := time.Date(moment(c.begin).Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	for ; seconds(t) <= c.end; t = t.AddDate(0, months, 0) {
		if seconds(t) >= c.begin {
			times = append(times, t)
		}
	}
	return times
}

func moment(epoch float64) time.Time {
	return time.UnixMilli(int64(math.Round(epoch * 1000))).UTC()
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

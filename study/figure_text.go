package study

import (
	"math"
	"strconv"
	"strings"
)

// Text writes a number with its unit.
func (u Unit) Text(x float64) string {
	switch u {
	case Share:
		return digits(100*x) + " %"
	case Points:
		return percentagePoints(100 * x)
	case Times:
		return times(x) + "×"
	case InHours:
		return digits(x) + " h"
	}
	return digits(x)
}

// times writes a slowdown. A slowdown just below Slow has as many digits as it needs to look smaller:
// a drive with no hour at 2× must not have a largest slowdown of 2×.
func times(x float64) string {
	text := digits(x)
	for places := 2; x < Slow && text == digits(Slow) && places < 9; places++ {
		text = strconv.FormatFloat(x, 'f', places, 64)
		if n, err := strconv.ParseFloat(text, 64); err == nil && n >= Slow {
			text = digits(Slow)
		}
	}
	return text
}

// percentagePoints writes a difference of two shares, in percentage points.
func percentagePoints(x float64) string {
	if text := digits(x); text == "1" || text == "-1" {
		return text + " percentage point"
	}
	return digits(x) + " percentage points"
}

// digits writes two significant digits, and all digits before the decimal point. More digits
// would be noise.
func digits(x float64) string {
	if x == 0 || math.Abs(x) >= 10 {
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	places := max(0, 1-int(math.Floor(math.Log10(math.Abs(x)))))
	text := strconv.FormatFloat(x, 'f', places, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Words writes a number with its unit for a sentence. It writes the sign as a word: a
// difference of shares is "higher" or "lower", and hours are "less slowness" or "more
// slowness".
func (u Unit) Words(x float64) string {
	up, down := "", ""
	switch u {
	case Points:
		up, down = " higher", " lower"
	case InHours:
		up, down = " less slowness", " more slowness"
	}
	if x < 0 && down != "" {
		return u.Text(-x) + down
	}
	return u.Text(x) + up
}

// between writes the ends of an interval; with a word for the sign if an end and the number x
// have different signs.
func (u Unit) between(x float64, i *Interval) string {
	switch {
	case x >= 0 && i.Low >= 0:
		return u.Text(i.Low) + " to " + u.Text(i.High)
	case x < 0 && i.High <= 0:
		return u.Text(-i.Low) + " to " + u.Text(-i.High)
	}
	return u.Words(i.Low) + " to " + u.Words(i.High)
}

// Say returns the sentence of a figure: its number, the phrase, its confidence interval, and
// the number of T16. A phrase that begins with a colon compares two values.
func (f *Figure) Say(phrase string) string {
	text := f.Unit.Words(f.Number)
	if !strings.HasPrefix(phrase, ":") {
		text += " "
	}
	text += phrase
	if i := f.Interval; i != nil {
		text += " (" + f.Unit.between(f.Number, i) + ")"
	} else if f.Unsure != "" {
		text += " (no confidence interval: " + f.Unsure + ")"
	}
	if f.T16 != nil {
		text += "; in T16: " + f.Unit.Words(*f.T16)
	}
	return text + "."
}

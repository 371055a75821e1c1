package study

import (
	"math"
	"strconv"
	"strings"
)

// Text is a number with its unit.
func (u Unit) Text(x float64) string {
	switch u {
	case Share:
		return digits(100*x) + " %"
	case Points:
		return percentagePoints(100 * x)
	case Times:
		return digits(x) + "×"
	case InHours:
		return digits(x) + " h"
	}
	return digits(x)
}

// percentagePoints is a difference of two shares.
func percentagePoints(x float64) string {
	if text := digits(x); text == "1" || text == "-1" {
		return text + " percentage point"
	}
	return digits(x) + " percentage points"
}

// digits are two and what stands before the point: more is noise.
func digits(x float64) string {
	if x == 0 || math.Abs(x) >= 10 {
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	places := max(0, 1-int(math.Floor(math.Log10(math.Abs(x)))))
	text := strconv.FormatFloat(x, 'f', places, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Words are a number with its unit in a sentence, where a difference is more or
// less, and what a replacement brings is saved or lost.
func (u Unit) Words(x float64) string {
	up, down := "", ""
	switch u {
	case Points:
		up, down = " more", " fewer"
	case InHours:
		up, down = " avoided", " added"
	}
	if x < 0 && down != "" {
		return u.Text(-x) + down
	}
	return u.Text(x) + up
}

// between are the ends of an interval, in words where one of them is not on the
// side of the number.
func (u Unit) between(x float64, i *Interval) string {
	switch {
	case x >= 0 && i.Low >= 0:
		return u.Text(i.Low) + " to " + u.Text(i.High)
	case x < 0 && i.High <= 0:
		return u.Text(-i.Low) + " to " + u.Text(-i.High)
	}
	return u.Words(i.Low) + " to " + u.Words(i.High)
}

// Say is the figure in a sentence: its number, what it is of, how sure it is,
// and what T16 has.
func (f *Figure) Say(phrase string) string {
	text := f.Unit.Words(f.Number) + " " + phrase
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

package finding

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
		return digits(100*x) + " points"
	case Times:
		return digits(x) + "×"
	case Hours:
		return digits(x) + " h"
	}
	return digits(x)
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

// Say is the figure in a sentence: its number, what it is of, how sure it is,
// and what T16 has.
func (f *Figure) Say(phrase string) string {
	text := f.Unit.Text(f.Number) + " " + phrase
	if i := f.Interval; i != nil {
		text += " (" + f.Unit.Text(i.Low) + " to " + f.Unit.Text(i.High) + ")"
	}
	if f.T16 != nil {
		text += "; T16 found " + f.Unit.Text(*f.T16)
	}
	return text + "."
}

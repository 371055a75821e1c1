package say

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
)

// Dash stands where there is nothing to show.
const Dash = "–"

// Value is a number with its unit.
func Value(v finding.Value) string {
	switch {
	case v.None:
		return Dash
	case v.Unit == finding.Number && v.Number == math.Trunc(v.Number):
		return Thousands(int64(v.Number))
	}
	return v.Unit.Text(v.Number)
}

// Words are a value in a sentence, where a difference is more or less.
func Words(v finding.Value) string {
	if v.None || v.Unit == finding.Number {
		return Value(v)
	}
	return v.Unit.Words(v.Number)
}

// Between is an interval, its unit once; a dash where there is none.
func Between(v finding.Value) string {
	if v.Interval == nil {
		return Dash
	}
	return between(v.Unit, v.Interval)
}

// Why is an interval, or why there is none.
func Why(v finding.Value) string {
	if v.Interval == nil && v.Unsure != "" {
		return "none: " + v.Unsure
	}
	return Between(v)
}

func between(u finding.Unit, i *boot.Interval) string {
	unit := strings.TrimPrefix(u.Text(0), "0")
	return strings.TrimSuffix(u.Text(i.Low), unit) + " to " + u.Text(i.High)
}

// WithInterval is a value and in brackets how sure it is.
func WithInterval(v finding.Value) string {
	if v.Interval == nil {
		return Value(v)
	}
	return Value(v) + " (" + between(v.Unit, v.Interval) + ")"
}

// Published is T16's number, a dash where it has none.
func Published(v finding.Value) string {
	if v.T16 == nil {
		return Dash
	}
	return v.Unit.Text(*v.T16)
}

// Phrase is what a figure is a number of: its sentence without numbers.
func Phrase(f *finding.Figure) string {
	empty := finding.Figure{Value: f.Value}
	before, after, _ := strings.Cut(empty.Say("\x00"), "\x00")
	return strings.TrimSuffix(strings.TrimPrefix(f.Sentence, before), after)
}

// Titled is a title and where T16 has the like.
func Titled(title, source string) string {
	if source == "" {
		return title
	}
	return title + " (" + source + ")"
}

// Thousands writes a number in groups of three digits.
func Thousands(n int64) string {
	digits := strconv.FormatInt(max(n, -n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}

// Count is a number of things.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", Thousands(n), noun)
}

// Capital makes a word the first of a line.
func Capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

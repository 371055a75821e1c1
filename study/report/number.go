package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
)

// dash stands where there is nothing to show.
const dash = "–"

// said is a value for people.
func said(v finding.Value) string {
	switch {
	case v.None:
		return dash
	case v.Unit == finding.Number && v.Number == math.Trunc(v.Number):
		return thousands(int64(v.Number))
	}
	return v.Unit.Text(v.Number)
}

// between is an interval, its unit once; empty where there is none.
func between(u finding.Unit, i *boot.Interval) string {
	if i == nil {
		return ""
	}
	return strings.TrimSuffix(u.Text(i.Low), suffix(u)) + " to " + u.Text(i.High)
}

// suffix is what stands behind numbers of a unit.
func suffix(u finding.Unit) string { return strings.TrimPrefix(u.Text(0), "0") }

// withInterval is a value and in brackets how sure it is.
func withInterval(v finding.Value) string {
	text := said(v)
	if i := between(v.Unit, v.Interval); i != "" {
		text += " (" + i + ")"
	}
	return text
}

// published is T16's number.
func published(v finding.Value) string {
	if v.T16 == nil {
		return dash
	}
	return v.Unit.Text(*v.T16)
}

// phrase is what a figure is a number of: its sentence without numbers.
func phrase(f *finding.Figure) string {
	empty := finding.Figure{Value: f.Value}
	around := empty.Say("\x00")
	before, after, _ := strings.Cut(around, "\x00")
	return strings.TrimSuffix(strings.TrimPrefix(f.Sentence, before), after)
}

// thousands writes a number in groups of three digits.
func thousands(n int64) string {
	digits := strconv.FormatInt(max(n, -n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}

// counted is a number of things.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", thousands(n), noun)
}

package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// dash is the text for a missing value.
const dash = "–"

// value writes a number with its unit.
func value(v study.Value) string {
	switch {
	case v.None:
		return dash
	case v.Unit == study.Number && v.Number == math.Trunc(v.Number):
		return english.Thousands(int64(v.Number))
	}
	return v.Unit.Text(v.Number)
}

// words writes a value for a sentence, with a word for the sign of a difference.
func words(v study.Value) string {
	if v.None || v.Unit == study.Number {
		return value(v)
	}
	return v.Unit.Words(v.Number)
}

// betweenText writes the interval of a value, with the unit once; a dash if there is none.
func betweenText(v study.Value) string {
	if v.Interval == nil {
		return dash
	}
	return between(v.Unit, v.Interval)
}

// why writes the interval of a value, or the reason why there is none.
func why(v study.Value) string {
	if v.Interval == nil && v.Unsure != "" {
		return "none: " + v.Unsure
	}
	return betweenText(v)
}

func between(u study.Unit, i *study.Interval) string {
	unit := strings.TrimPrefix(u.Text(0), "0")
	return strings.TrimSuffix(u.Text(i.Low), unit) + " to " + u.Text(i.High)
}

// withInterval writes a value, and its interval in brackets.
func withInterval(v study.Value) string {
	if v.Interval == nil {
		return value(v)
	}
	return value(v) + " (" + between(v.Unit, v.Interval) + ")"
}

// published writes T16's number; a dash if T16 has none.
func published(v study.Value) string {
	if v.T16 == nil {
		return dash
	}
	return v.Unit.Text(*v.T16)
}

// phrase returns the sentence of a figure without its numbers.
func phrase(f *study.Figure) string {
	empty := study.Figure{Value: f.Value}
	before, after, _ := strings.Cut(empty.Say(":\x00"), ":\x00")
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(f.Sentence, before), " "), after)
}

// titled returns a title, with the place in T16 that shows the same.
func titled(title, source string) string {
	if source == "" {
		return title
	}
	return title + " (" + source + ")"
}

// count writes a number with a noun, in the singular or plural.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", english.Thousands(n), noun)
}

// capital writes the first letter of a text in upper case.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

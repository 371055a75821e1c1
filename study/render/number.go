package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// dash stands where there is nothing to show.
const dash = "–"

// value is a number with its unit.
func value(v study.Value) string {
	switch {
	case v.None:
		return dash
	case v.Unit == study.Number && v.Number == math.Trunc(v.Number):
		return english.Thousands(int64(v.Number))
	}
	return v.Unit.Text(v.Number)
}

// words are a value in a sentence, where a difference is more or less.
func words(v study.Value) string {
	if v.None || v.Unit == study.Number {
		return value(v)
	}
	return v.Unit.Words(v.Number)
}

// betweenText is an interval, its unit once; a dash where there is none.
func betweenText(v study.Value) string {
	if v.Interval == nil {
		return dash
	}
	return between(v.Unit, v.Interval)
}

// why is an interval, or why there is none.
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

// withInterval is a value and in brackets how sure it is.
func withInterval(v study.Value) string {
	if v.Interval == nil {
		return value(v)
	}
	return value(v) + " (" + between(v.Unit, v.Interval) + ")"
}

// published is T16's number, a dash where it has none.
func published(v study.Value) string {
	if v.T16 == nil {
		return dash
	}
	return v.Unit.Text(*v.T16)
}

// phrase is what a figure is a number of: its sentence without numbers.
func phrase(f *study.Figure) string {
	empty := study.Figure{Value: f.Value}
	before, after, _ := strings.Cut(empty.Say("\x00"), "\x00")
	return strings.TrimSuffix(strings.TrimPrefix(f.Sentence, before), after)
}

// titled is a title and where T16 has the like.
func titled(title, source string) string {
	if source == "" {
		return title
	}
	return title + " (" + source + ")"
}

// count is a number of things.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", english.Thousands(n), noun)
}

// capital makes a word the first of a line.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

package manual

import (
	"strings"
	"testing"
)

// TestNamePapers: a paper is named if a text has its short name as a word, and not as a part of one.
func TestNamePapers(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"the tables of L13":        "L13",
		"T16, and (F10):":          "F10 T16",
		"F100 XF10 F10_a MLL13":    "",
		"F10F10 then the bare F10": "F10",
	} {
		var got []string
		for line := range strings.SplitSeq(NamePapers(text), "\n") {
			if short, _, is := strings.Cut(line, " is "); is {
				got = append(got, short)
			}
		}
		if names := strings.Join(got, " "); names != want {
			t.Errorf("%q names %q, want %q", text, names, want)
		}
	}
}

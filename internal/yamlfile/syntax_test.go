package yamlfile

import (
	"regexp"
	"strings"
	"testing"
)

// TestSyntaxInPlainWords: what the YAML reader says of tokens and contexts is said
// for people, on the right line, with what to do.
func TestSyntaxInPlainWords(t *testing.T) {
	jargon := regexp.MustCompile(`token|anchor|mapping|scalar|stream|context|expected|violates|yaml:`)
	for text, want := range map[string]string{
		"name: a\n\tkind: b\n":            "f:2: the line is indented with a tab; indent the line with spaces",
		"name: a\nkind:\n  x: \t- b\n":    "f:3: ",
		"name: a\nkind:\n\t- b\n":         "f:3: there is a tab before the first word of the line; replace the tab with spaces",
		"name: @a\n":                      "f:1: a value begins with %, @ or `, which have a special meaning in YAML; put the value into quotes",
		"name: `a`\n":                     "f:1: a value begins with %, @ or `, which have a special meaning in YAML; put the value into quotes",
		"name: [a\n":                      "f:1: a list begins with [ and has no ] at its end; add ]",
		"name: {a: b\n":                   "f:1: a value begins with { and has no } at its end; add }",
		"name: {a: b[1-3]}\n":             "f:1: a value begins with { and has no } at its end; add }. If a text inside contains [, ], { or }, put this text into quotes",
		"name: a\nkind: {b}/c\n":          "f:2: the line does not fit the lines above it; check its indentation, check that a colon follows each key, and put values that begin with { into quotes",
		"name: \"a\n":                     "f:1: a quoted text has no closing quote; add the quote",
		"name: a: b\n":                    "f:1: there is a second colon on the line; put the value with the colon into quotes",
		"name: a\n  kind: b\n":            "f:2: the line is indented too far; indent the line like the other lines of its block",
		"name: *a\n":                      "f:1: a value begins with *",
		"name: a\x1b[31m\n":               "f:1: the line has a character that cannot be printed; delete this character",
		"name: a\nkind\nlist: b\n":        "f:2: ",
		"name: a\nlist:\n  - a\n  b: c":   "f:4: ",
		"name: [a\nkind: x\n\tlist: b\n":  "f:3: the line is indented with a tab; indent the line with spaces",
		"name: [a\nkind: @x\n":            "f:2: a value begins with %, @ or `",
		"name: [a,\n  b]\nkind: x\n\ty\n": "f:4: the line is indented with a tab; indent the line with spaces",
		"name: [a,\n  b\nkind: x\x1b\n":   "f:3: the line has a character that cannot be printed",
		"name: \xff\xfe\n":                "f:1: the file is not UTF-8 text; save the file as UTF-8",
	} {
		d := New("f")
		d.Root([]byte(text), "name:")
		err := d.Err()
		if err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, want) || jargon.MatchString(got) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

package site

import (
	"iter"
	"strings"
)

// A Text is what one command printed, or a file of which it is not known
// which commands did.
type Text struct {
	File     string
	Host     string // who printed it; empty where unknown
	HostFrom string // how Host is known: "prompt", "banner", "prefix", "file name"
	Command  string // empty where unknown

	lines   []string
	numbers []int // of the lines in their file
	used    []bool
	claimed int // of them

	searched  bool // for JSON
	documents []Document
	broken    []Note
}

func (t *Text) add(number int, line string) {
	t.lines = append(t.lines, line)
	t.numbers = append(t.numbers, number)
	t.used = append(t.used, false)
}

// Len is how many lines there are.
func (t *Text) Len() int { return len(t.lines) }

// Line is the i-th line, empty where there is none or where another parser has
// claimed it.
func (t *Text) Line(i int) string {
	if i < 0 || i >= len(t.lines) || t.used[i] {
		return ""
	}
	return t.lines[i]
}

// All yields the lines that are not empty and that nobody has claimed.
func (t *Text) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range t.lines {
			if line := t.Line(i); line != "" && !yield(i, line) {
				return
			}
		}
	}
}

// At is where the i-th line stands.
func (t *Text) At(i int) At {
	if i < 0 || i >= len(t.numbers) {
		return At{File: t.File}
	}
	return At{t.File, t.numbers[i]}
}

// Claim says that lines from first to last are understood.
func (t *Text) Claim(first, last int) {
	for i := max(first, 0); i <= min(last, len(t.used)-1); i++ {
		if !t.used[i] {
			t.claimed++
		}
		t.used[i] = true
	}
}

// A Span is a run of lines.
type Span struct {
	First, Last At
	Lines       int    // that are not blank
	Text        string // the first of them
}

// Unclaimed lists the lines that nobody has claimed, in runs.
func (t *Text) Unclaimed() []Span {
	var spans []Span
	open := false
	for i, line := range t.lines {
		switch blank := isBlank(line) || strings.HasPrefix(line, "# "); {
		case t.used[i]:
			open = false
		case blank:
		case open:
			s := &spans[len(spans)-1]
			s.Last, s.Lines = t.At(i), s.Lines+1
		default:
			spans = append(spans, Span{First: t.At(i), Last: t.At(i), Lines: 1, Text: line})
			open = true
		}
	}
	return spans
}

// isBlank reports whether a line says nothing: spaces, rules, fences.
func isBlank(line string) bool {
	for i := range len(line) {
		switch line[i] {
		case ' ', '\t', '-', '=', '~', '_', '*', '#', '.', '+', '|', '`':
		default:
			return false
		}
	}
	return true
}

// Claimed is how many lines are claimed.
func (t *Text) Claimed() int { return t.claimed }

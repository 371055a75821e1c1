package site

import (
	"iter"
	"strings"
)

// A Text is the output of one command, or a whole file if its commands are not known.
type Text struct {
	File     string
	Host     string // server on which the command ran; empty: unknown
	HostFrom string // source of Host: "prompt", "banner", "prefix", "file name"
	Command  string // empty: unknown

	lines   []string
	numbers []int  // line numbers in the file
	used    []bool // by line: a parser has claimed the line
	claimed int    // number of claimed lines

	searched  bool // documents and broken are filled in
	documents []Document
	broken    []Note
}

func (t *Text) add(number int, line string) {
	t.lines = append(t.lines, line)
	t.numbers = append(t.numbers, number)
	t.used = append(t.used, false)
}

// Len returns the number of lines.
func (t *Text) Len() int { return len(t.lines) }

// Line returns the i-th line; empty if there is no such line, or if a parser has claimed it.
func (t *Text) Line(i int) string {
	if i < 0 || i >= len(t.lines) || t.used[i] {
		return ""
	}
	return t.lines[i]
}

// All yields the lines that are neither empty nor claimed.
func (t *Text) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range t.lines {
			if line := t.Line(i); line != "" && !yield(i, line) {
				return
			}
		}
	}
}

// At returns the file and the line number of the i-th line.
func (t *Text) At(i int) At {
	if i < 0 || i >= len(t.numbers) {
		return At{File: t.File}
	}
	return At{t.File, t.numbers[i]}
}

// Claim marks the lines from first to last as understood, so that no other parser reads them.
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
	Lines       int    // number of lines that are not blank
	Text        string // of the first line
}

// Unclaimed lists the runs of lines that no parser has claimed.
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

// isBlank reports whether a line has only spaces and the characters of rules and fences.
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

// Claimed returns the number of claimed lines.
func (t *Text) Claimed() int { return t.claimed }

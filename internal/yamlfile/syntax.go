package yamlfile

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readDocuments parses YAML. read is the number of lines that the parser had read when it ended or
// failed.
func readDocuments(lines []string) (documents []*yaml.Node, read int, err error) {
	source := &lineReader{lines: lines}
	stream := yaml.NewDecoder(source)
	for {
		document := &yaml.Node{}
		err = stream.Decode(document)
		switch {
		case errors.Is(err, io.EOF):
			return documents, source.given, nil
		case err != nil:
			return nil, source.given, err
		}
		documents = append(documents, document)
	}
}

// A lineReader returns at most one line for each Read.
type lineReader struct {
	lines []string
	given int
	rest  string
}

func (r *lineReader) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.given == len(r.lines) {
			return 0, io.EOF
		}
		r.rest = r.lines[r.given] + "\n"
		r.given++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// syntaxError notes the error of the YAML parser. The parser stops at the first mistake, which is
// on one of the lines that it has read.
func (d *Decoder) syntaxError(err error, read int) {
	said := yamlPrefix.ReplaceAllString(err.Error(), "")
	n := firstBadLine(d.lines[:read])
	n = lineOf(said, d.lines[:read], n)
	d.ErrorAt(n, 0, "%s", inPlainWords(said, d.lines[n-1]))
}

// lineOf returns the first line from n on that can have the error of the parser. If a list above has
// no end, n is the line of this list, and the parser has stopped below at another mistake.
func lineOf(said string, lines []string, n int) int {
	for _, place := range places {
		if !strings.Contains(said, place.said) {
			continue
		}
		for i, line := range lines[n-1:] {
			if place.in.MatchString(line) {
				return n + i
			}
		}
	}
	return n
}

// places holds what a line with an error of the parser must have.
var places = []struct {
	said string
	in   *regexp.Regexp
}{
	{"tab character", regexp.MustCompile(`^[ -]*\t`)},
	{"cannot start any token", regexp.MustCompile("^[ -]*\t|(^|[-:,{\\[])[ -]*[%@`]")},
	{"unknown anchor", regexp.MustCompile(`(^|[-:,{\[])[ -]*\*`)},
	{"control characters are not allowed", regexp.MustCompile(`[^\P{Cc}\t\r]`)},
}

// plainWords holds plain texts with hints for errors of the YAML parser, which speak of tokens,
// anchors and contexts. If the parser has one error for two mistakes, in matches the lines with the
// first mistake.
var plainWords = []struct {
	said  string
	in    *regexp.Regexp
	means string
}{
	{said: "tab character", means: "the line is indented with a tab; indent the line with spaces"},
	{said: "cannot start any token", in: regexp.MustCompile(`^[ -]*\t`), means: "there is a tab before the first word of the line; replace the tab with spaces"},
	{said: "cannot start any token", means: "a value begins with %, @ or `, which have a special meaning in YAML; put the value into quotes"},
	{said: "mapping values are not allowed", in: regexp.MustCompile(`:\s.*:(\s|$)`), means: "there is a second colon on the line; put the value with the colon into quotes"},
	{said: "mapping values are not allowed", means: "the line is indented too far; indent the line like the other lines of its block"},
	{said: "did not find expected ',' or ']'", means: "a list begins with [ and has no ] at its end; add ]. If a value in the list contains [ or ], put this value into quotes"},
	{said: "did not find expected ',' or '}'", means: "a value begins with { and has no } at its end; add }. If a text inside contains [, ], { or }, put this text into quotes"},
	{said: "unexpected end of stream", means: "a quoted text has no closing quote; add the quote"},
	{said: "found unexpected document indicator", means: "a quoted text has no closing quote; add the quote"},
	{said: "unknown anchor", means: "a value begins with *, which has a special meaning in YAML; put the value into quotes"},
	{said: "control characters are not allowed", means: "the line has a character that cannot be printed; delete this character"},
	{said: "could not find expected ':'", means: "a colon is missing after a key; write key: value"},
	{said: "did not find expected key", means: "the line does not fit the lines above it; check its indentation, check that a colon follows each key, and put values that begin with { into quotes"},
	{said: "did not find expected '-' indicator", means: "a line of a list has no -; begin the line with -, or check the indentation"},
	{said: "block sequence entries are not allowed", means: "a list cannot begin here; begin the list on a new line"},
	{said: "invalid leading UTF-8", means: "the file is not UTF-8 text; save the file as UTF-8"},
	{said: "invalid trailing UTF-8", means: "the file is not UTF-8 text; save the file as UTF-8"},
}

// inPlainWords returns the plain text for an error of the parser on a line.
func inPlainWords(said, line string) string {
	for _, w := range plainWords {
		if strings.Contains(said, w.said) && (w.in == nil || w.in.MatchString(line)) {
			return w.means
		}
	}
	return said + "; check the indentation, and put values that begin with { or contain brackets into quotes"
}

// maxRereadBytes is the largest number of bytes that are read again to find a line with a mistake:
// a megabyte takes a tenth of a second.
const maxRereadBytes = 2 << 20

// firstBadLine returns the first line with a mistake: the line after the longest beginning of the
// file that can be parsed. The line number of the parser is often the first line of the enclosing
// block, or one less. In a long file, only the last lines are tried.
func firstBadLine(lines []string) int {
	size, left := 0, maxRereadBytes
	for _, line := range lines {
		size += len(line) + 1
	}
	for n := len(lines) - 1; n > 0; n-- {
		size -= len(lines[n]) + 1
		if left -= size; left < 0 {
			return len(lines)
		}
		if _, _, err := readDocuments(lines[:n]); err == nil {
			return n + 1
		}
	}
	return 1
}

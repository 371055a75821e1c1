package yamlfile

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readDocuments reads YAML and tells how many lines the reader had asked for
// when it was done or failed.
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

// A lineReader gives out one line a call.
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

// syntaxError notes what the YAML reader says; it stops at the first mistake,
// on one of the lines read or before.
func (d *Decoder) syntaxError(err error, read int) {
	said := yamlPrefix.ReplaceAllString(err.Error(), "")
	d.ErrorAt(firstBadLine(d.lines[:read]), 0, "%s", inPlainWords(said))
}

// plainWords say what the YAML reader means, and what to do. Its own words are of
// tokens, anchors and contexts.
var plainWords = []struct{ said, means string }{
	{said: "tab character", means: "the line is indented with a tab; indent the line with spaces"},
	{said: "cannot start any token", means: "a value begins with a tab, %, @ or `, which have a special meaning in YAML; use spaces, and put the value into quotes"},
	{said: "mapping values are not allowed", means: "there is a second colon on the line, or the line is indented too far; put values with a colon into quotes"},
	{said: "did not find expected ',' or ']'", means: "a list begins with [ and has no ] at its end; add ], and write a value in quotes if it contains [ or ]"},
	{said: "did not find expected ',' or '}'", means: "a value begins with { and has no } at its end; add }, and write a value in quotes if it contains [, ], { or }"},
	{said: "unexpected end of stream", means: "a quoted text has no closing quote; add the quote"},
	{said: "found unexpected document indicator", means: "a quoted text has no closing quote; add the quote"},
	{said: "unknown anchor", means: "a value begins with *, which has a special meaning in YAML; put the value into quotes"},
	{said: "control characters are not allowed", means: "the line has a character that cannot be printed; delete this character"},
	{said: "could not find expected ':'", means: "a colon is missing after a key; write key: value"},
	{said: "did not find expected key", means: "the line does not fit the lines before; check its indentation, check that a colon follows each key, and put values that begin with { into quotes"},
	{said: "did not find expected '-' indicator", means: "a line of a list has no -; begin the line with -, or check the indentation"},
	{said: "block sequence entries are not allowed", means: "a list cannot begin here; begin the list on a new line"},
	{said: "invalid leading UTF-8", means: "the file is not UTF-8 text; save the file as UTF-8"},
	{said: "invalid trailing UTF-8", means: "the file is not UTF-8 text; save the file as UTF-8"},
}

func inPlainWords(said string) string {
	for _, w := range plainWords {
		if strings.Contains(said, w.said) {
			return w.means
		}
	}
	return said + "; check the indentation, and put values that begin with { or contain brackets into quotes"
}

// maxRereadBytes bounds what is read again to find a bad line: a megabyte takes
// a tenth of a second.
const maxRereadBytes = 2 << 20

// firstBadLine is the line after the longest beginning that reads well. The
// YAML reader's own number is often that of the enclosing block, or one less.
// In a long file only the last lines are tried.
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

package yamlfile

import (
	"errors"
	"io"
	"regexp"

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
	d.ErrorAt(firstBadLine(d.lines[:read]), 0, "%s; check the indentation, and quote values that begin with { or have brackets inside",
		yamlPrefix.ReplaceAllString(err.Error(), ""))
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

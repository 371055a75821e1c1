// This file cuts tables into records and fields, as encoding/csv does, but
// more than twice as fast where no field has a quote within, and without
// losing more than a line to a quote that does not end. A file can be cut
// anywhere: whatever the cuts, each record is read once.
//
// It stands below tabular and knows nothing of what tables hold.

package tabular

import (
	"bytes"
	"errors"
	"io"
	"math"
)

// MaxRecord is the longest record believed: a stray quote at the beginning of
// a field would otherwise make the rest of a file one field.
const MaxRecord = 256 << 10

// maxQuotedLines is how far a quoted field may run on, for the same reason.
const maxQuotedLines = 100

// Errors of a line that was left out; the next record can be read.
var (
	errQuotes = errors.New("quotes do not end")
	errLong   = errors.New("line is too long")
)

// A reader reads records. Empty lines are passed over. A quote inside a field
// that does not begin with one is a letter like any other.
type reader struct {
	Record []byte // the record last read, or the beginning of a line left out; valid until the next
	Line   int    // on which the record begins, from 1

	// fields are those of the record last read, as places in text: writing
	// slices down would keep the garbage collector busy.
	fields []span
	text   []byte
	joined []byte // text of a record with quotes within fields

	src      io.Reader
	sep      byte
	buf      []byte
	pos, end int // what is read of src and not yet cut
	lines    int // before pos
	done     bool
	at       int64 // bytes before pos
	limit    int64 // records that begin there or later are not read
}

// A span is a field of a text.
type span struct{ from, to int }

// Fields counts those of the record last read.
func (r *reader) Fields() int { return len(r.fields) }

// Field is one of those of the record last read, valid until the next.
func (r *reader) Field(i int) []byte { return r.text[r.fields[i].from:r.fields[i].to] }

// newReader returns a reader of fields between separators; 0 stands for the
// one of comma, semicolon and tab that the first line has most of.
func newReader(src io.Reader, separator byte) *reader {
	return &reader{src: src, sep: separator, buf: make([]byte, 64<<10), limit: math.MaxInt64}
}

// Separator is what fields stand between, once the header has been read.
func (r *reader) Separator() byte { return r.sep }

// Lines counts those read so far, empty ones too.
func (r *reader) Lines() int { return r.lines }

// Header reads the first record, after a byte-order mark. It belongs to the
// first part of a file, however short that is.
func (r *reader) Header() error {
	limit := r.limit
	r.limit = math.MaxInt64
	defer func() { r.limit = limit }()
	if _, err := r.find(0); err != nil {
		return err
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(r.buf[r.pos:r.end], mark) {
		r.take(len(mark), 0)
	}
	if err := r.findSeparator(); err != nil {
		return err
	}
	return r.Next()
}

// findSeparator takes what the first line that is not empty has most of.
func (r *reader) findSeparator() error {
	for r.sep == 0 {
		n, err := r.find(0)
		if err != nil {
			return err
		}
		if line := trimEnd(r.buf[r.pos : r.pos+n]); len(line) > 0 {
			r.sep = commonSeparator(line)
			return nil
		}
		r.take(n, 1)
	}
	return nil
}

func commonSeparator(header []byte) byte {
	counts, quoted := [256]int{}, false
	for _, c := range header {
		quoted = quoted != (c == '"')
		if !quoted {
			counts[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t") {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return best
}

// Next reads a record. Its error is io.EOF at the end, [ErrQuotes] or
// [ErrLong] where a line was left out, or that of the source.
func (r *reader) Next() error {
	for {
		if r.at >= r.limit {
			return io.EOF
		}
		n, err := r.find(0)
		if err == errLong {
			return r.skipLine()
		}
		if err != nil {
			return err
		}
		r.Line = r.lines + 1
		r.Record = trimEnd(r.buf[r.pos : r.pos+n])
		if len(r.Record) == 0 {
			r.take(n, 1)
			continue
		}
		if !r.cut(r.Record) {
			return r.nextQuoted(n)
		}
		r.take(n, 1)
		return nil
	}
}

func (r *reader) take(n, lines int) {
	r.pos += n
	r.at += int64(n)
	r.lines += lines
}

// find gives the length of what is unread up to the first newline after from
// bytes, or up to the end; io.EOF where nothing is left after from, ErrLong
// where the newline is too far.
func (r *reader) find(from int) (int, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.pos+from:r.end], '\n'); i >= 0 {
			return from + i + 1, nil
		}
		unread := r.end - r.pos
		switch {
		case r.done && unread == from:
			return 0, io.EOF
		case r.done:
			return unread, nil
		case unread >= MaxRecord:
			return 0, errLong
		}
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
}

// fill reads more, and makes room for it where there is none.
func (r *reader) fill() error {
	if r.pos > 0 {
		copy(r.buf, r.buf[r.pos:r.end])
		r.pos, r.end = 0, r.end-r.pos
	}
	if r.end == len(r.buf) {
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	n, err := r.src.Read(r.buf[r.end:])
	r.end += n
	if err == io.EOF {
		r.done, err = true, nil
	}
	return err
}

// skipLine passes over a line that is too long and keeps its beginning.
func (r *reader) skipLine() error {
	const beginning = 80
	r.Line = r.lines + 1
	r.Record = bytes.Clone(r.buf[r.pos : r.pos+beginning])
	for {
		if i := bytes.IndexByte(r.buf[r.pos:r.end], '\n'); i >= 0 {
			r.take(i+1, 1)
			return errLong
		}
		r.take(r.end-r.pos, 0)
		if r.done {
			return errLong
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// cut splits a line of which no field has a quote within, or reports false.
func (r *reader) cut(line []byte) bool {
	fields, at := r.fields[:0], 0
	for {
		if at < len(line) && line[at] == '"' {
			end := at + 1 + bytes.IndexByte(line[at+1:], '"')
			if end == at || end+1 < len(line) && line[end+1] != r.sep {
				return false
			}
			fields = append(fields, span{at + 1, end})
			if at = end + 1; at == len(line) {
				break
			}
			at++
			continue
		}
		i := bytes.IndexByte(line[at:], r.sep)
		if i < 0 {
			fields = append(fields, span{at, len(line)})
			break
		}
		fields = append(fields, span{at, at + i})
		at += i + 1
	}
	r.fields, r.text = fields, line
	return true
}

// trimEnd takes off the newline, or carriage return and newline.
func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

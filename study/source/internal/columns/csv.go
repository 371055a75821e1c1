package columns

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// A table of lines:
//
//	time,group,drive,role,ios,latency_us,size_bytes
//	2026-01-01T00:00:00Z,d00001,d00001-01,data,51234,4310,32768
//
// A record is a line: fields may stand in quotes, but none runs over lines, as
// no name of a drive does. So plain files can be cut anywhere, a stray quote
// costs its line, and a fault is found where it is said to be.
type csvFormat struct {
	packing   packing
	separator byte
	width     int   // fields of the header
	part      int64 // bytes
}

const (
	// partBytes is how much plain CSV is read in one go: some tenths of a
	// second, so that all cores have some.
	partBytes = 32 << 20
	// maxLine is the longest line believed.
	maxLine = 64 << 10
)

func (c *csvFormat) parts(size int64) int {
	if c.packing != unpacked {
		return 1
	}
	return max(1, int((size+c.part-1)/c.part))
}

func (f *File) beginCSV(p packing, separator byte) error {
	f.lines = &csvFormat{packing: p, separator: separator, part: partBytes}
	r, err := f.openLines(0)
	if err != nil {
		return err
	}
	defer r.Close()
	line, err := r.line()
	switch {
	case err == io.EOF:
		return &BrokenError{f.path, string(p), errors.New("it is empty")}
	case err == errLong:
		return &BrokenError{f.path, string(p), errors.New("its first line is no header")}
	case err != nil:
		return err
	}
	if separator == 0 {
		f.lines.separator = commonSeparator(line)
	}
	fields, ok := cutLine(nil, line, f.lines.separator)
	if !ok {
		return &BrokenError{f.path, string(p), errors.New("quotes in its header do not end")}
	}
	for _, field := range fields {
		f.names = append(f.names, strings.TrimSpace(string(field)))
	}
	f.lines.width = len(fields)
	return nil
}

// commonSeparator is what a header has most of.
func commonSeparator(header []byte) byte {
	best := byte(',')
	for _, c := range []byte(";\t") {
		if bytes.Count(header, []byte{c}) > bytes.Count(header, []byte{best}) {
			best = c
		}
	}
	return best
}

// A lineReader reads the lines that begin in a part of a file.
type lineReader struct {
	path   string
	kind   packing
	src    *bufio.Reader
	unpack func()
	left   int64 // bytes of the part
	number int64 // lines read
}

// openLines begins to read a part, after a byte-order mark.
func (f *File) openLines(part int) (*lineReader, error) {
	from := int64(part) * f.lines.part
	r := &lineReader{path: f.path, kind: f.lines.packing, left: 1 << 62}
	if f.lines.packing == unpacked {
		r.left = min(f.lines.part, f.size-from)
	}
	start := max(0, from-1)
	section := io.NewSectionReader(f.file, start, f.size-start)
	src, unpack, err := f.lines.packing.open(section)
	if err != nil {
		return nil, &BrokenError{f.path, string(r.kind), err}
	}
	r.src, r.unpack = bufio.NewReaderSize(src, maxLine), unpack
	if part > 0 {
		return r, r.toNextLine()
	}
	if mark, _ := r.src.Peek(3); string(mark) == "\ufeff" {
		_, _ = r.src.Discard(len(mark)) // it was just peeked at
		r.left -= int64(len(mark))
	}
	return r, nil
}

// toNextLine passes over what belongs to the line that began in the part
// before. The last byte of that part was read too: where it is a newline, a
// line begins here.
func (r *lineReader) toNextLine() error {
	for {
		text, err := r.src.ReadSlice('\n')
		r.left -= int64(len(text))
		switch {
		case err == nil:
			r.left++
			return nil
		case err == io.EOF:
			r.left = 0
			return nil
		case err != bufio.ErrBufferFull:
			return r.broken(err)
		}
	}
}

func (r *lineReader) broken(err error) error { return &BrokenError{r.path, string(r.kind), err} }

var errLong = errors.New("the line is too long")

// line returns the next line without its end, valid until the next call;
// io.EOF after the last, errLong where one was passed over.
func (r *lineReader) line() ([]byte, error) {
	if r.left <= 0 {
		return nil, io.EOF
	}
	text, err := r.src.ReadSlice('\n')
	r.left -= int64(len(text))
	switch {
	case err == bufio.ErrBufferFull:
		r.number++
		if err := r.skip(); err != nil {
			return nil, err
		}
		return nil, errLong
	case err == io.EOF && len(text) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, r.broken(err)
	}
	r.number++
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")), nil
}

// skip passes over the rest of a line.
func (r *lineReader) skip() error {
	for {
		text, err := r.src.ReadSlice('\n')
		r.left -= int64(len(text))
		switch {
		case err == nil || err == io.EOF:
			return nil
		case err != bufio.ErrBufferFull:
			return r.broken(err)
		}
	}
}

func (r *lineReader) Close() error {
	r.unpack()
	return nil
}

// cutLine appends the fields of a line, or reports that its quotes do not add
// up. A quote within a field that does not begin with one is a letter.
func cutLine(fields [][]byte, line []byte, separator byte) ([][]byte, bool) {
	for {
		if len(line) > 0 && line[0] == '"' {
			field, rest, ok := cutQuoted(line[1:])
			if !ok || len(rest) > 0 && rest[0] != separator {
				return fields, false
			}
			fields = append(fields, field)
			if len(rest) == 0 {
				return fields, true
			}
			line = rest[1:]
			continue
		}
		i := bytes.IndexByte(line, separator)
		if i < 0 {
			return append(fields, line), true
		}
		fields = append(fields, line[:i])
		line = line[i+1:]
	}
}

// cutQuoted cuts a field up to its closing quote; "" within is one quote.
func cutQuoted(text []byte) (field, rest []byte, ok bool) {
	i := bytes.IndexByte(text, '"')
	if i < 0 {
		return nil, nil, false
	}
	if i+1 == len(text) || text[i+1] != '"' {
		return text[:i], text[i+1:], true
	}
	more, rest, ok := cutQuoted(text[i+2:])
	return append(append(bytes.Clone(text[:i]), '"'), more...), rest, ok
}

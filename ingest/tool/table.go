package tool

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A TableFormat reads the output of a tool as a table.
type TableFormat struct {
	Name    string   // name of the format; package ingest/tables has a preset of the same name
	Command string   // the command that prints the output; used in messages
	Columns []string // columns of the table
	Signs   []Sign   // one of these signs is enough to recognise the output
	Devices bool     // true if the column `device` has the names that the server uses for its devices
	Open    func(src *bufio.Reader) rowSource
}

// A rowSource reads the output of a tool piece by piece. Next reads one piece and adds lines of CSV
// to `rows`. A piece may give no line. Next returns io.EOF at the end of the output.
type rowSource interface {
	Next(rows *csvRows) error
}

// csvRows collects lines of CSV.
type csvRows struct {
	Dates   Dates // parses the dates in the text
	buf     []byte
	count   int
	leftOut map[string]bool // names of devices that are not drives
	prints  *printBuilder   // if nil, samples become lines of CSV; if not nil, samples become looks, and a look needs no time
}

// mostLeftOut is the largest number of names in csvRows.leftOut. Without this limit, a file with
// many devices could take all memory.
const mostLeftOut = 1000

// LeaveOut notes the name of a device that is left out. A warning later lists these names.
func (r *csvRows) LeaveOut(name string) {
	if r.leftOut == nil {
		r.leftOut = map[string]bool{}
	}
	if len(r.leftOut) < mostLeftOut {
		r.leftOut[name] = true
	}
}

// Add adds a line of CSV with the given values.
func (r *csvRows) Add(values ...string) {
	for i, v := range values {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		if strings.ContainsAny(v, ",\"\r\n") {
			v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
		}
		r.buf = append(r.buf, v...)
	}
	r.buf = append(r.buf, '\n')
	r.count++
}

// blank adds an empty line of CSV, for a line of the text that has no values.
func (r *csvRows) blank() { r.buf = append(r.buf, '\n') }

const (
	maxLine    = 1 << 20 // largest number of bytes of a line; no tool prints longer lines
	readBuffer = 64 << 10
)

// Reader returns a reader that converts src to CSV with a header.
func (f *TableFormat) Reader(src io.Reader) *CSVReader {
	r := &CSVReader{format: f, source: f.Open(bufio.NewReaderSize(src, readBuffer))}
	r.rows.Add(f.Columns...)
	return r
}

// An Error reports that a text is not the output of the tool. The message contains advice for the
// user.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// A CSVReader reads the output of a tool as lines of CSV.
type CSVReader struct {
	format *TableFormat
	source rowSource
	rows   csvRows
	err    error
}

// Read reads lines of CSV.
func (r *CSVReader) Read(b []byte) (int, error) {
	for len(r.rows.buf) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.err = r.judge(r.source.Next(&r.rows))
	}
	n := copy(b, r.rows.buf)
	r.rows.buf = append(r.rows.buf[:0], r.rows.buf[n:]...)
	return n, nil
}

// LeftOut returns the names of the devices that were left out so far because they are not drives.
// The names are sorted.
func (r *CSVReader) LeftOut() []string { return slices.Sorted(maps.Keys(r.rows.leftOut)) }

// Dates returns the parser of dates. The parser also finds out whether the day or the month is
// first in the dates that were read so far. The caller must set the field Assumed of the result
// before the first call of Read.
func (r *CSVReader) Dates() *Dates { return &r.rows.Dates }

// judge turns the error of a source into the error that Read returns. If the text gave at least one
// row of CSV, io.EOF stays io.EOF. If the text gave no row, io.EOF becomes an [Error]. Any other
// error becomes an [Error] too.
func (r *CSVReader) judge(err error) error {
	switch {
	case err == io.EOF && r.rows.count == 1 && len(r.rows.leftOut) > 0:
		return &Error{fmt.Errorf("the file has no drives, only other devices such as %s, which limpet does not judge: give output that includes drives", r.LeftOut()[0])}
	case err == io.EOF && r.rows.count == 1: // the only line is the header
		return &Error{fmt.Errorf("the file has no samples of drives; give the output of %s over several intervals", r.format.Command)}
	case err == nil || err == io.EOF:
		return err
	}
	return &Error{err}
}

// firstByte returns the first byte of src that is not a space. It consumes no byte of src. It
// returns 0 if src has no such byte.
func firstByte(src *bufio.Reader) byte {
	for n := 1; ; n++ {
		b, err := src.Peek(n)
		if err != nil {
			return 0
		}
		if c := b[n-1]; !bytes.ContainsRune([]byte(" \t\r\n\ufeff"), rune(c)) {
			return c
		}
	}
}

// newLineSource returns a source that calls the given function for each line of a text.
func newLineSource(src *bufio.Reader, take func(line string, rows *csvRows) error) rowSource {
	return &lineSource{src: src, readLine: take}
}

type lineSource struct {
	src      *bufio.Reader
	readLine func(line string, rows *csvRows) error
	number   int
}

var errLongLine = fmt.Errorf("the line has more than %d kB", maxLine>>10)

// Next reads one line of the text. If the line gives no line of CSV, Next adds an empty line of
// CSV. So a line has the same number in the CSV as in the text. Line 1 of the CSV is the header. So
// if the first line of the text gives no line of CSV, Next adds nothing.
func (l *lineSource) Next(rows *csvRows) error {
	line, err := l.read()
	if err != nil {
		return err
	}
	l.number++
	before := rows.count
	if err := l.readLine(line, rows); err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	if rows.count == before && l.number > 1 {
		rows.blank()
	}
	return nil
}

func (l *lineSource) read() (string, error) {
	var line []byte
	for {
		part, err := l.src.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return "", fmt.Errorf("line %d: %w", l.number+1, errLongLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(line) > 0, err == nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		default:
			return "", err
		}
	}
}

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

// A TableForm is what a tool prints.
type TableForm struct {
	Name    string
	Command string   // that prints it
	Columns []string // of the table that it is made into
	Open    func(src *bufio.Reader) Source
}

// A Source adds the rows that come next, and returns io.EOF where none do.
// It may add none.
type Source interface {
	Next(rows *Rows) error
}

// Rows are lines of CSV.
type Rows struct {
	Dates   Dates // of the text
	buf     []byte
	count   int
	leftOut map[string]bool
}

// mostLeftOut bounds the names that are remembered: they are anyone's to give.
const mostLeftOut = 1000

// LeaveOut notes a device whose rows are not added, so that somebody is told.
func (r *Rows) LeaveOut(name string) {
	if r.leftOut == nil {
		r.leftOut = map[string]bool{}
	}
	if len(r.leftOut) < mostLeftOut {
		r.leftOut[name] = true
	}
}

// Add adds a row.
func (r *Rows) Add(values ...string) {
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

// blank stands for a line that is no row.
func (r *Rows) blank() { r.buf = append(r.buf, '\n') }

const (
	maxLine    = 1 << 20 // bytes: no tool prints longer lines
	readBuffer = 64 << 10
)

// Reader reads src as CSV.
func (f *TableForm) Reader(src io.Reader) *Reader {
	r := &Reader{form: f, source: f.Open(bufio.NewReaderSize(src, readBuffer))}
	r.rows.Add(f.Columns...)
	return r
}

// An Error is text that is not what the tool prints. It says what to do.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// A Reader hands out lines as they are asked for.
type Reader struct {
	form   *TableForm
	source Source
	rows   Rows
	err    error
}

// Read reads lines of CSV.
func (r *Reader) Read(b []byte) (int, error) {
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

// LeftOut are the devices so far whose rows were not added.
func (r *Reader) LeftOut() []string { return slices.Sorted(maps.Keys(r.rows.leftOut)) }

// Dates are those of the text, as far as it was read. Their order is assumed before
// the first is.
func (r *Reader) Dates() *Dates { return &r.rows.Dates }

// judge tells the end of a text from text of another kind.
func (r *Reader) judge(err error) error {
	switch {
	case err == io.EOF && r.rows.count == 1 && len(r.rows.leftOut) > 0:
		return &Error{fmt.Errorf("nothing in it is of a drive: %s and the like are left out", r.LeftOut()[0])}
	case err == io.EOF && r.rows.count == 1: // the header
		return &Error{fmt.Errorf("nothing in it is of a drive and a time; it should be what %s prints, over some intervals", r.form.Command)}
	case err == nil || err == io.EOF:
		return err
	}
	return &Error{err}
}

// First is the first byte that is no space, 0 where there is none.
func First(src *bufio.Reader) byte {
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

// Lines is the source of a text that is taken line by line.
func Lines(src *bufio.Reader, take func(line string, rows *Rows) error) Source {
	return &lines{src: src, take: take}
}

type lines struct {
	src    *bufio.Reader
	take   func(line string, rows *Rows) error
	number int
}

var errLong = fmt.Errorf("it has more than %d kB", maxLine>>10)

// Next takes one line. The table's header stands for the first line; each that
// gives no row leaves an empty one, which keeps the numbers in step.
func (l *lines) Next(rows *Rows) error {
	line, err := l.read()
	if err != nil {
		return err
	}
	l.number++
	before := rows.count
	if err := l.take(line, rows); err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	if rows.count == before && l.number > 1 {
		rows.blank()
	}
	return nil
}

func (l *lines) read() (string, error) {
	var line []byte
	for {
		part, err := l.src.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return "", fmt.Errorf("line %d: %w", l.number+1, errLong)
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(line) > 0, err == nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		default:
			return "", err
		}
	}
}

package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// A Format is a format of traces.
type Format string

// The formats.
const (
	readBlkparse Format = "blkparse" // output of blkparse without options
	readMSR      Format = "msr"      // Microsoft Research Cambridge, as published by SNIA
	readTraceCSV Format = "csv"      // seconds,op,offset,bytes
)

const (
	maxLine   = 1 << 16 // far longer than a line of any format
	maxPlaces = 10      // number of malformed lines whose places are kept

	// maxLength is the length of the longest accepted request in bytes. The block layer splits
	// requests at a few megabytes, and a replay holds each request in flight in memory.
	maxLength = 64 << 20
)

// A Reader reads a trace.
type Reader struct {
	name      string
	lines     *bufio.Reader
	parse     parser
	number    int // number of the line
	started   bool
	first     time.Duration
	last      time.Duration
	malformed int
	places    []string
	backwards int
}

// A parser reads one line. ok is false if a valid line has no record.
type parser interface {
	line(text string) (r Record, ok bool, err error)
}

// NewReader returns a reader of a trace; name is the name of the trace in errors. If format is
// empty, the first line decides.
func NewReader(name string, r io.Reader, format Format) (*Reader, error) {
	lines := bufio.NewReaderSize(r, maxLine)
	if format == "" {
		head, err := lines.Peek(maxLine)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		format = detect(string(head))
	}
	t := &Reader{name: name, lines: lines}
	switch format {
	case readBlkparse:
		t.parse = &blkparse{}
	case readMSR:
		t.parse = msr{}
	case readTraceCSV:
		t.parse = plain{}
	case "":
		return nil, fmt.Errorf("trace %s: the format of the first line is unknown: name the format (%s, %s or %s)", name, readBlkparse, readMSR, readTraceCSV)
	default:
		return nil, fmt.Errorf("trace %s: the format %q is unknown: write %s, %s or %s", name, format, readBlkparse, readMSR, readTraceCSV)
	}
	return t, nil
}

// detect returns the format of the first line that is not empty. For an empty trace it returns CSV,
// because any format will do.
func detect(head string) Format {
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case line == plainHeader || strings.Count(line, ",") == 3:
			return readTraceCSV
		case strings.Count(line, ",") == 6:
			return readMSR
		case len(strings.Fields(line)) >= 6 && isDevice(strings.Fields(line)[0]):
			return readBlkparse
		}
		return ""
	}
	return readTraceCSV
}

// Next returns the next record, or io.EOF.
func (t *Reader) Next() (Record, error) {
	for {
		text, err := t.line()
		if err != nil {
			return Record{}, err
		}
		r, ok, err := t.parse.line(text)
		if err == nil && ok {
			err = check(r)
		}
		switch {
		case err != nil:
			t.mistake(err)
		case ok:
			return t.place(r), nil
		}
	}
}

// line reads the next line. A line that is too long counts as malformed.
func (t *Reader) line() (string, error) {
	for {
		t.number++
		text, err := t.lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			t.mistake(fmt.Errorf("the line is longer than %d bytes", maxLine))
			if err := t.skip(); err != nil {
				return "", err
			}
		case err == nil || errors.Is(err, io.EOF) && len(text) > 0:
			return strings.TrimSpace(string(text)), nil
		case errors.Is(err, io.EOF):
			return "", io.EOF
		default:
			return "", fmt.Errorf("%s:%d: %w", t.name, t.number, err)
		}
	}
}

// skip reads to the end of the line.
func (t *Reader) skip() error {
	for {
		_, err := t.lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return err
	}
}

func check(r Record) error {
	switch {
	case r.Length <= 0:
		return fmt.Errorf("the length of the request is %d bytes: write a length above 0", r.Length)
	case r.Length > maxLength:
		return fmt.Errorf("the length of the request is %d bytes, but a block device accepts at most %d bytes at once", r.Length, maxLength)
	case r.Offset < 0 || r.Offset > math.MaxInt64-r.Length:
		return fmt.Errorf("the offset %d of the request is negative or too large", r.Offset)
	}
	return nil
}

// place makes times relative to the first record. In traces merged from several processors, a
// record can be a little earlier than the record before it; then it gets the time of that record.
func (t *Reader) place(r Record) Record {
	if !t.started {
		t.started, t.first, t.last = true, r.At, r.At
	}
	if r.At < t.last {
		t.backwards++
		r.At = t.last
	}
	t.last = r.At
	r.At -= t.first
	return r
}

func (t *Reader) mistake(err error) {
	t.malformed++
	if len(t.places) < maxPlaces {
		t.places = append(t.places, fmt.Sprintf("%s:%d: %v", t.name, t.number, err))
	}
}

// Malformed returns the number of lines that could not be read, and the places of the first of
// them.
func (t *Reader) Malformed() (lines int, places []string) { return t.malformed, t.places }

// Backwards returns the number of records that were earlier than the record before.
func (t *Reader) Backwards() int { return t.backwards }

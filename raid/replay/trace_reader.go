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

// A Format is a form of traces.
type Format string

// The formats.
const (
	readBlkparse Format = "blkparse" // what blkparse prints without options
	readMSR      Format = "msr"      // of Microsoft Research Cambridge, as SNIA has them
	readTraceCSV Format = "csv"      // seconds,op,offset,bytes
)

const (
	maxLine   = 1 << 16 // far longer than a line of any format
	maxPlaces = 10      // how many places of malformed lines are kept

	// maxLength is the longest request believed, in bytes: the block layer
	// cuts them to a few megabytes, and who replays one holds it in memory.
	maxLength = 64 << 20
)

// A Reader reads a trace.
type Reader struct {
	name      string
	lines     *bufio.Reader
	parse     parser
	number    int // of the line
	started   bool
	first     time.Duration
	last      time.Duration
	malformed int
	places    []string
	backwards int
}

// A parser reads one line. A line that has no record is no mistake.
type parser interface {
	line(text string) (r Record, ok bool, err error)
}

// NewReader reads a trace; name is what mistakes are reported under. Where the
// format is empty, the first line tells it.
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
		return nil, fmt.Errorf("trace %s: the format of the first line is unknown: name one of the formats %s, %s and %s", name, readBlkparse, readMSR, readTraceCSV)
	default:
		return nil, fmt.Errorf("trace %s: the format %q is unknown: write %s, %s or %s", name, format, readBlkparse, readMSR, readTraceCSV)
	}
	return t, nil
}

// detect tells the format by the first line that says anything; that of an
// empty trace does not matter.
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

// line reads one, and counts one that is too long as a mistake.
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

// place sets times relative to the first record. Traces merged from several
// processors step back a little: then time stands still.
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

// Malformed is how many lines could not be read, and where the first of them
// are.
func (t *Reader) Malformed() (lines int, places []string) { return t.malformed, t.places }

// Backwards is how many records were earlier than the one before.
func (t *Reader) Backwards() int { return t.backwards }

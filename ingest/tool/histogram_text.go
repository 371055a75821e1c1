package tool

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Text reads the output of a tool line by line.
type Text struct {
	File string // path of the file, for messages
	src  *bufio.Reader
	line int
}

// NewText returns a reader of src. Error messages contain the name of the file.
func NewText(file string, src io.Reader) *Text {
	return &Text{File: file, src: bufio.NewReaderSize(src, 1<<16)}
}

// Stem returns the name of the file up to the first dot. In some formats this is the name of a
// server, in other formats the name of a drive or controller.
func (t *Text) Stem() string {
	name, _, _ := strings.Cut(filepath.Base(t.File), ".")
	return name
}

// Next returns the next line. The result `ok` is false at the end of the text.
func (t *Text) Next() (line string, ok bool, err error) {
	var whole []byte
	for {
		part, err := t.src.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case len(whole) > maxLine:
			t.line++
			return "", false, t.Errorf("the line has more than %d kB", maxLine>>10)
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(whole) == 0:
			return "", false, nil
		case err == nil || err == io.EOF:
			t.line++
			return strings.TrimRight(string(whole), "\r\n"), true, nil
		default:
			return "", false, fmt.Errorf("%s: %w", t.File, err)
		}
	}
}

// Errorf returns an error that contains the name of the file and the number of the line that was
// read last.
func (t *Text) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: line %d: %w", t.File, t.line, fmt.Errorf(format, args...))
}

// parseClockLine parses a line that contains only a time, in the format of the command `date -u
// +%FT%TZ`, or in the format of zpool. A time without a zone is UTC. The result `ok` is false if
// the line is not a time, or if the time is before 1970.
func parseClockLine(line string) (unix int64, ok bool) {
	text, ok := normalTime(strings.TrimSpace(line))
	if !ok {
		return 0, false
	}
	if s, err := strconv.ParseInt(text, 10, 64); err == nil {
		return s, s > 0
	}
	at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(text, "Z"))
	return at.Unix(), err == nil && at.Unix() > 0
}

// durationUnits lists units of time, with their length in ns.
var durationUnits = []struct {
	name string
	ns   float64
}{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// parseDuration parses a duration with its unit: 512us, 1ms, 137s.
func parseDuration(text string) (ns float64, ok bool) {
	for _, u := range durationUnits {
		if number, has := strings.CutSuffix(text, u.name); has {
			if v, err := strconv.ParseFloat(number, 64); err == nil && v >= 0 && !math.IsInf(v, 0) {
				return v * u.ns, true
			}
		}
	}
	return 0, false
}

// parseCount parses a number of requests. The number may end in K, M, G or T, which mean powers of
// 1024.
func parseCount(text string) (n float64, ok bool) {
	factor := 1.0
	if i := strings.IndexByte("KMGT", lastByte(text)); i >= 0 && text != "" {
		text = text[:len(text)-1]
		factor = math.Exp2(float64(10 * (i + 1)))
	}
	n, err := strconv.ParseFloat(text, 64)
	return n * factor, err == nil && n >= 0 && !math.IsInf(n, 0)
}

func lastByte(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

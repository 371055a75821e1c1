// This file reads block traces: the bytes of a device that were read or written, and the times.
//
// Traces come from other systems and are long. So they are read record by record. If a line cannot
// be read, it is counted with its place, and the other lines are still read. Times count from the
// first record.

package replay

// The formats:
//
// blkparse: only the events Q (queued) are used, which are requests before they are merged or
// split:
//
//	8,0    3        1     0.000000000   697  Q   R 223490 + 8 [kjournald]
//
// MSR: time in units of 100 ns since 1601, host, disk, operation, offset and
// size in bytes, response time:
//
//	128166372003061629,usr,0,Read,7014609920,24576,41286
//
// CSV: time in seconds, R or W, offset and size in bytes:
//
//	seconds,op,offset,bytes
//	0.25,R,1048576,524288

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// sector is the unit of blkparse, in bytes.
const sector = 512

// blkparse reads the output of blkparse. The summary at its end has no records.
type blkparse struct{ summary bool }

func (p *blkparse) line(text string) (Record, bool, error) {
	f := strings.Fields(text)
	if len(f) == 0 {
		return Record{}, false, nil
	}
	if !isDevice(f[0]) {
		p.summary = p.summary || isSummary(f[0])
		if p.summary {
			return Record{}, false, nil
		}
		return Record{}, false, fmt.Errorf("%q is not a device number: a device number looks like 8,16", f[0])
	}
	p.summary = false
	return parseEvent(f)
}

// isDevice reports whether text is a major and a minor number.
func isDevice(text string) bool {
	major, minor, ok := strings.Cut(text, ",")
	return ok && isNumber(major) && isNumber(minor)
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

// isSummary reports whether a line that begins with word belongs to the summary.
func isSummary(word string) bool {
	switch word {
	case "Total", "Throughput", "Events", "Skips:":
		return true
	}
	return strings.HasPrefix(word, "CPU")
}

func parseEvent(f []string) (Record, bool, error) {
	if len(f) < 7 {
		return Record{}, false, errors.New("the line has too few fields")
	}
	write := strings.Contains(f[6], "W")
	if f[5] != "Q" || strings.Contains(f[6], "D") || !write && !strings.Contains(f[6], "R") {
		return Record{}, false, nil // not a read or write: another action, a discard, or a flush
	}
	if len(f) > 7 && strings.HasPrefix(f[7], "[") {
		return Record{}, false, nil // a flush that is marked as a write, and has no sectors
	}
	if len(f) < 10 || f[8] != "+" {
		return Record{}, false, errors.New("the line has no sector and no number of sectors: write these two numbers as in 1024 + 8")
	}
	at, err := parseSeconds(f[3])
	if err != nil {
		return Record{}, false, err
	}
	offset, length, err := parseExtent(f[7], f[9], sector)
	if err != nil || length == 0 { // a flush has length 0
		return Record{}, false, err
	}
	return Record{At: at, Offset: offset, Length: length, Write: write}, true, nil
}

type msr struct{}

func (msr) line(text string) (Record, bool, error) {
	if text == "" {
		return Record{}, false, nil
	}
	f := strings.Split(text, ",")
	if len(f) != 7 {
		return Record{}, false, fmt.Errorf("the line has %d fields, but a line of this format has 7 fields", len(f))
	}
	ticks, err := strconv.ParseUint(f[0], 10, 64)
	if err != nil {
		return Record{}, false, fmt.Errorf("the time %q is not a whole number", f[0])
	}
	write, err := operation(f[3], "Read", "Write")
	if err != nil {
		return Record{}, false, err
	}
	offset, length, err := parseExtent(f[4], f[5], 1)
	return Record{At: filetime(ticks), Offset: offset, Length: length, Write: write}, err == nil, err
}

// filetime returns the time since the day on which MSR's traces begin, because a Duration cannot go
// back to 1601.
func filetime(ticks uint64) time.Duration {
	const begin = 128_166_048_000_000_000 // 2007-02-22
	since := int64(ticks - begin)
	return time.Duration(min(max(since, math.MinInt64/200), math.MaxInt64/200)) * 100
}

const plainHeader = "seconds,op,offset,bytes"

type plain struct{}

func (plain) line(text string) (Record, bool, error) {
	if text == "" || text == plainHeader {
		return Record{}, false, nil
	}
	f := strings.Split(text, ",")
	if len(f) != 4 {
		return Record{}, false, fmt.Errorf("the line has %d fields, but a line of this format has 4 fields", len(f))
	}
	at, err := parseSeconds(f[0])
	if err != nil {
		return Record{}, false, err
	}
	write, err := operation(f[1], "R", "W")
	if err != nil {
		return Record{}, false, err
	}
	offset, length, err := parseExtent(f[2], f[3], 1)
	return Record{At: at, Offset: offset, Length: length, Write: write}, err == nil, err
}

// parseSeconds reads a time of at most a century, positive or negative.
func parseSeconds(text string) (time.Duration, error) {
	const century = 100 * 365 * 24 * 3600
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(math.Abs(v) <= century) {
		return 0, fmt.Errorf("the time %q is not a number of seconds", text)
	}
	return time.Duration(math.Round(v * 1e9)), nil
}

func operation(text, read, write string) (isWrite bool, err error) {
	switch {
	case strings.EqualFold(text, read):
		return false, nil
	case strings.EqualFold(text, write):
		return true, nil
	}
	return false, fmt.Errorf("the operation %q is unknown: write %s or %s", text, read, write)
}

// parseExtent reads an offset and a length in units of unit bytes.
func parseExtent(offset, length string, unit int64) (o, l int64, err error) {
	if o, err = parseBytes(offset, unit); err != nil {
		return 0, 0, fmt.Errorf("the offset cannot be read: %w", err)
	}
	if l, err = parseBytes(length, unit); err != nil {
		return 0, 0, fmt.Errorf("the length cannot be read: %w", err)
	}
	return o, l, nil
}

func parseBytes(text string, unit int64) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 || v > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is not a number of bytes", text)
	}
	return v * unit, nil
}

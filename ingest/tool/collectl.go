package tool

import (
	"bufio"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// collectlTable reads the output of collectl -sD about drives. It reads the plot format
// (-P) with any separator, and the detail format with dates (-oD).
//
//	# Host: store-1 …
//	# Date:       20261115-231220  Secs: 1794784340 TZ: +0100
//	#Date Time [DSK:sda]Name [DSK:sda]Reads … [DSK:sda]Wait [DSK:sda]SvcTim [DSK:sda]Util
//	20261115 23:12:30.001 sda 112.41 … 47.28 6.29 98.70
//
//	#Date    Time          Name       KBytes Merged  IOs Size  Wait  KBytes Merged  IOs …
//	20261115 23:12:30.001 sda           2076      0  112   18 …
//
// Wait is the mean wait of all requests, in ms. The time zone is in the header.
var collectlTable = TableFormat{
	Name:    "collectl",
	Command: "collectl -sD -P",
	Columns: driveColumns,
	Devices: true,
	Signs: []Sign{
		{[]string{"[DSK:"}, "text of collectl"},
		{[]string{"DISK STATISTICS", "SvcTim"}, "text of collectl"},
	},
	Open: func(src *bufio.Reader) rowSource {
		r := &collectlRecording{}
		return newLineSource(src, r.line)
	},
}

var errCollectlDate = errors.New("the output has no date: run collectl with -P or -oD")

// collectlRecording is the state of the reader for the output of collectl.
type collectlRecording struct {
	host, zone string
	separator  string   // separator of the plot format; empty means any space
	plot       []string // plot format: columns of one drive; nil if the text has the detail format
	detail     []string // detail format: columns of a line
}

var (
	collectlHost       = lazyregexp.New(`\bHost:\s+(\S+)`)
	collectlZone       = lazyregexp.New(`\bTZ:\s+([+-]\d{4})`)
	collectlPlotPrefix = lazyregexp.New(`^\[DSK:[^\]]*\]`)
)

func (r *collectlRecording) line(line string, rows *csvRows) error {
	switch {
	case strings.HasPrefix(line, "#Date") && strings.Contains(line, "[DSK:"):
		r.plotHeader(line)
	case strings.HasPrefix(line, "#"):
		return r.comment(line)
	case r.plot != nil:
		r.plotLine(line, rows)
	case r.detail != nil:
		r.detailLine(strings.Fields(line), rows)
	}
	return nil
}

// comment reads the host and the time zone from a line of the header. In the detail format, it also
// reads the names of the columns.
func (r *collectlRecording) comment(line string) error {
	if m := collectlHost.FindStringSubmatch(line); m != nil {
		r.host = m[1]
	}
	if m := collectlZone.FindStringSubmatch(line); m != nil {
		r.zone = m[1]
	}
	f := strings.Fields(strings.TrimPrefix(line, "#"))
	isTitle := strings.Contains(line, "SvcTim")
	switch {
	case isTitle && len(f) > 2 && f[0] == "Date" && f[1] == "Time" && f[2] == "Name":
		r.detail = f
	case isTitle:
		return errCollectlDate
	case strings.Contains(line, "STATISTICS"), strings.Contains(line, "SUMMARY"):
		r.detail = nil
	}
	return nil
}

// plotHeader reads the separator and the columns of the first drive from the header line of the
// plot format. All drives have the same columns.
func (r *collectlRecording) plotHeader(line string) {
	r.separator = strings.TrimPrefix(line, "#Date")[:1]
	r.plot = nil
	for _, name := range r.split(line)[2:] {
		column := collectlPlotPrefix.ReplaceAllString(name, "")
		if column == "Name" && len(r.plot) > 0 || column == name {
			break
		}
		r.plot = append(r.plot, column)
	}
}

func (r *collectlRecording) split(line string) []string {
	if strings.TrimSpace(r.separator) == "" {
		return strings.Fields(line)
	}
	return strings.Split(line, r.separator)
}

// plotLine reads a line of the plot format. A line has the values of all drives, one
// drive after the other. The first value of a drive is its name.
func (r *collectlRecording) plotLine(line string, rows *csvRows) {
	f := r.split(line)
	if len(f) < 2 {
		return
	}
	at := r.time(f[0], f[1])
	for f = f[2:]; len(f) >= len(r.plot); f = f[len(r.plot):] {
		v := columnValues{}
		for i, column := range r.plot {
			if value, ok := parseNumber(f[i]); ok {
				v[column] = value
			}
		}
		s := newDriveSample(at, r.host, f[0])
		s.TPS, s.Await = v.Value("Reads")+v.Value("Writes"), v.Value("Wait")
		s.ReadAwait, s.WriteAwait = v.Value("WaitR"), v.Value("WaitW")
		s.ReadKB, s.WriteKB = v.Value("RKBytes"), v.Value("WKBytes")
		s.Queue, s.Util = v.Value("QueLen"), v.Value("Util")
		s.Add(rows)
	}
}

// detailLine reads a line of the detail format. The line has the columns of reads, then columns
// with the same names for writes, then columns of all requests. To distinguish equal names,
// detailLine appends apostrophes: one apostrophe to the second column with a name, and two
// apostrophes to the third column with this name.
func (r *collectlRecording) detailLine(f []string, rows *csvRows) {
	if len(f) < 4 {
		return
	}
	seen := map[string]int{}
	v := columnValues{}
	for i, text := range f {
		if i >= len(r.detail) {
			break
		}
		column := r.detail[i]
		seen[column]++
		if value, ok := parseNumber(text); ok {
			v[column+strings.Repeat("'", seen[column]-1)] = value
		}
	}
	s := newDriveSample(r.time(f[0], f[1]), r.host, f[2])
	s.TPS = v.Value("IOs") + v.Value("IOs'")
	s.Await = v.Value("Wait''", "Wait")
	if !math.IsNaN(v.Value("Wait''")) {
		s.ReadAwait, s.WriteAwait = v.Value("Wait"), v.Value("Wait'")
	}
	s.ReadKB, s.WriteKB = v.Value("KBytes"), v.Value("KBytes'")
	s.Queue, s.Util = v.Value("QLen"), v.Value("Util")
	s.Add(rows)
}

// time returns the time of a line. If the header names the time zone, the result is in UTC. If
// not, the result is a local time. The result is empty if the time cannot be parsed.
func (r *collectlRecording) time(date, clock string) string {
	for _, layout := range []string{"20060102 15:04:05", "2006-01-02 15:04:05", "20060102 15:04:05.000"} {
		text := date + " " + clock
		if r.zone != "" {
			if t, err := time.Parse(layout+" -0700", text+" "+r.zone); err == nil {
				return t.UTC().Format("2006-01-02T15:04:05Z")
			}
			continue
		}
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("2006-01-02T15:04:05")
		}
	}
	return ""
}

// This file is the form of what collectl -sD prints of drives: its plot
// format (-P), with any separator, and its detail format with dates (-oD).
//
//	# Host: store-1 …
//	# Date:       20261115-231220  Secs: 1794784340 TZ: +0100
//	#Date Time [DSK:sda]Name [DSK:sda]Reads … [DSK:sda]Wait [DSK:sda]SvcTim [DSK:sda]Util
//	20261115 23:12:30.001 sda 112.41 … 47.28 6.29 98.70
//
//	#Date    Time          Name       KBytes Merged  IOs Size  Wait  KBytes Merged  IOs …
//	20261115 23:12:30.001 sda           2076      0  112   18 …
//
// Wait is in ms and covers all requests. The zone is that of the header.

package tool

import (
	"bufio"
	"errors"
	"math"
	"regexp"
	"strings"
	"time"
)

// collectlForm is that of collectl.
var collectlForm = TableForm{
	Name:    "collectl",
	Command: "collectl -sD -P",
	Columns: columns,
	Open: func(src *bufio.Reader) Source {
		r := &recording{}
		return Lines(src, r.line)
	},
}

var errDate = errors.New("drives without a date: have collectl print it, with -P or -oD")

// recording is where in the text the reader is.
type recording struct {
	host, zone string
	separator  string   // of the plot format, empty for any space
	plot       []string // columns of each drive, in turn, nil in the detail format
	detail     []string // columns of a line in the detail format
}

var (
	hostName = regexp.MustCompile(`\bHost:\s+(\S+)`)
	zoneName = regexp.MustCompile(`\bTZ:\s+([+-]\d{4})`)
	plotName = regexp.MustCompile(`^\[DSK:[^\]]*\]`)
)

// line takes a line of text.
func (r *recording) line(line string, rows *Rows) error {
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

// comment takes what the header says, and the titles of the detail format.
func (r *recording) comment(line string) error {
	if m := hostName.FindStringSubmatch(line); m != nil {
		r.host = m[1]
	}
	if m := zoneName.FindStringSubmatch(line); m != nil {
		r.zone = m[1]
	}
	f := strings.Fields(strings.TrimPrefix(line, "#"))
	isTitle := strings.Contains(line, "SvcTim")
	switch {
	case isTitle && len(f) > 2 && f[0] == "Date" && f[1] == "Time" && f[2] == "Name":
		r.detail = f
	case isTitle:
		return errDate
	case strings.Contains(line, "STATISTICS"), strings.Contains(line, "SUMMARY"):
		r.detail = nil
	}
	return nil
}

// plotHeader finds the separator and the columns of the first drive: others
// have the same.
func (r *recording) plotHeader(line string) {
	r.separator = strings.TrimPrefix(line, "#Date")[:1]
	r.plot = nil
	for _, name := range r.split(line)[2:] {
		column := plotName.ReplaceAllString(name, "")
		if column == "Name" && len(r.plot) > 0 || column == name {
			break
		}
		r.plot = append(r.plot, column)
	}
}

func (r *recording) split(line string) []string {
	if strings.TrimSpace(r.separator) == "" {
		return strings.Fields(line)
	}
	return strings.Split(line, r.separator)
}

// plotLine has the drives side by side, each with its name.
func (r *recording) plotLine(line string, rows *Rows) {
	f := r.split(line)
	if len(f) < 2 {
		return
	}
	at := r.time(f[0], f[1])
	for f = f[2:]; len(f) >= len(r.plot); f = f[len(r.plot):] {
		v := values{}
		for i, column := range r.plot {
			if value, ok := Number(f[i]); ok {
				v[column] = value
			}
		}
		s := unknown(at, r.host, f[0])
		s.TPS, s.Await = v.Of("Reads")+v.Of("Writes"), v.Of("Wait")
		s.ReadAwait, s.WriteAwait = v.Of("WaitR"), v.Of("WaitW")
		s.ReadKB, s.WriteKB = v.Of("RKBytes"), v.Of("WKBytes")
		s.Queue, s.Util = v.Of("QueLen"), v.Of("Util")
		s.Add(rows)
	}
}

// detailLine has columns of reads, then of the same names those of writes, then
// averages.
func (r *recording) detailLine(f []string, rows *Rows) {
	if len(f) < 4 {
		return
	}
	seen := map[string]int{}
	v := values{}
	for i, text := range f {
		if i >= len(r.detail) {
			break
		}
		column := r.detail[i]
		seen[column]++
		if value, ok := Number(text); ok {
			v[column+strings.Repeat("'", seen[column]-1)] = value
		}
	}
	s := unknown(r.time(f[0], f[1]), r.host, f[2])
	s.TPS = v.Of("IOs") + v.Of("IOs'")
	s.Await = v.Of("Wait''", "Wait")
	if !math.IsNaN(v.Of("Wait''")) {
		s.ReadAwait, s.WriteAwait = v.Of("Wait"), v.Of("Wait'")
	}
	s.ReadKB, s.WriteKB = v.Of("KBytes"), v.Of("KBytes'")
	s.Queue, s.Util = v.Of("QLen"), v.Of("Util")
	s.Add(rows)
}

// time is that of a line, in UTC where the header names the zone; empty where
// it cannot be read.
func (r *recording) time(date, clock string) string {
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

// This file is the form of what darshan-dxt-parser prints of a job's
// trace (DXT): each read and write with its times, and on Lustre the OSTs that
// it went to.
//
//	# start_time: 1441986044
//	# DXT, file_id: 1542…, file_name: /scratch/f
//	# DXT, rank: 0, hostname: nid00511
//	# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]
//	 X_POSIX       0  write        0               0      262144      0.0029      0.0032  [ 12]
//
// A row is made of each that went to one OST; one that was striped over several
// does not say which of them was slow, so its row names none and is counted as
// left out. So are requests to files on other file systems than Lustre.

package tool

import (
	"bufio"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// darshanForm is that of darshan-dxt-parser.
var darshanForm = TableForm{
	Name:    "darshan",
	Command: "darshan-dxt-parser LOG",
	Columns: []string{"time", "ost", "op", "host", "bytes", "ms", "ms_per_MiB"},
	Open: func(src *bufio.Reader) Source {
		t := &trace{}
		return Lines(src, t.line)
	},
}

var errStart = errors.New("requests without the job's start: keep the lines at the beginning, one is # start_time")

// trace is where in the text the reader is.
type trace struct {
	start float64 // of the job, s since the epoch
	host  string
}

var (
	startTime       = regexp.MustCompile(`^# start_time:\s+(\d+)`)
	darshanHostName = regexp.MustCompile(`hostname:\s+(\S+)`)
	osts            = regexp.MustCompile(`\[\s*(\d+)\]`)
)

// line takes a line of text.
func (t *trace) line(line string, rows *Rows) error {
	if strings.HasPrefix(line, "#") {
		t.comment(line)
		return nil
	}
	f := strings.Fields(line)
	if len(f) < 8 || f[0] != "X_POSIX" && f[0] != "X_STDIO" { // MPI-IO tells the same requests again
		return nil
	}
	if t.start == 0 {
		return errStart
	}
	length, ok1 := Number(f[5])
	start, ok2 := Number(f[6])
	end, ok3 := Number(f[7])
	if !ok1 || !ok2 || !ok3 {
		return nil
	}
	ost := ""
	if to := osts.FindAllStringSubmatch(line, -1); len(to) == 1 {
		ost = to[0][1]
	}
	t.add(rows, ost, f[2], length, start, end)
	return nil
}

func (t *trace) comment(line string) {
	if m := startTime.FindStringSubmatch(line); m != nil {
		t.start, _ = Number(m[1])
	}
	if m := darshanHostName.FindStringSubmatch(line); m != nil {
		t.host = m[1]
	}
}

func (t *trace) add(rows *Rows, ost, op string, length, start, end float64) {
	const msPerSecond, mebibyte = 1000, 1 << 20
	ms := (end - start) * msPerSecond
	perMiB := ""
	if length > 0 {
		perMiB = number(ms / (length / mebibyte))
	}
	rows.Add(strconv.FormatFloat(t.start+end, 'f', 4, 64), ost, op, t.host, number(length), number(ms), perMiB)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

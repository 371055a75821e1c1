package darshan

import (
	"bufio"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/tabular/form"
)

// Form is that of darshan-dxt-parser.
var Form = form.Form{
	Name:    "darshan",
	Command: "darshan-dxt-parser LOG",
	Columns: []string{"time", "ost", "op", "host", "bytes", "ms", "ms_per_MiB"},
	Open: func(src *bufio.Reader) form.Source {
		t := &trace{}
		return form.Lines(src, t.line)
	},
}

var errStart = errors.New("requests without the job's start: keep the lines at the beginning, one is # start_time")

// trace is where in the text the reader is.
type trace struct {
	start float64 // of the job, s since the epoch
	host  string
}

var (
	startTime = regexp.MustCompile(`^# start_time:\s+(\d+)`)
	hostName  = regexp.MustCompile(`hostname:\s+(\S+)`)
	osts      = regexp.MustCompile(`\[\s*(\d+)\]`)
)

// line takes a line of text.
func (t *trace) line(line string, rows *form.Rows) error {
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
	length, ok1 := form.Number(f[5])
	start, ok2 := form.Number(f[6])
	end, ok3 := form.Number(f[7])
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
		t.start, _ = form.Number(m[1])
	}
	if m := hostName.FindStringSubmatch(line); m != nil {
		t.host = m[1]
	}
}

func (t *trace) add(rows *form.Rows, ost, op string, length, start, end float64) {
	const msPerSecond, mebibyte = 1000, 1 << 20
	ms := (end - start) * msPerSecond
	perMiB := ""
	if length > 0 {
		perMiB = number(ms / (length / mebibyte))
	}
	rows.Add(strconv.FormatFloat(t.start+end, 'f', 4, 64), ost, op, t.host, number(length), number(ms), perMiB)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

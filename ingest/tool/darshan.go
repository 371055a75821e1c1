package tool

import (
	"bufio"
	"errors"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// darshanTable reads the output of darshan-dxt-parser. The output is the trace of a job (DXT): each
// read and write with its start and its end. On Lustre, a line also has the OSTs of the request.
//
//	# start_time: 1441986044
//	# DXT, file_id: 1542…, file_name: /scratch/f
//	# DXT, rank: 0, hostname: nid00511
//	# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]
//	 X_POSIX       0  write        0               0      262144      0.0029      0.0032  [ 12]
//
// Each request becomes a row of the table. A row has no OST if the file system is not Lustre. It
// also has no OST if the request used several OSTs, because the trace does not show which of them
// was slow. Package tabular leaves out rows without an OST, and counts them.
var darshanTable = TableFormat{
	Name:    "darshan",
	Command: "darshan-dxt-parser LOG",
	Columns: []string{"time", "ost", "op", "host", "bytes", "ms", "ms_per_MiB"},
	Signs:   []Sign{{[]string{"# DXT, "}, "text of darshan-dxt-parser"}},
	Open: func(src *bufio.Reader) rowSource {
		t := &darshanTrace{}
		return newLineSource(src, t.line)
	},
}

var errDarshanStart = errors.New("the start time of the job is missing: keep the first lines of the output, with \"# start_time\"")

// darshanTrace is the state of the reader for a trace.
type darshanTrace struct {
	start float64 // start of the job, in seconds since the epoch
	host  string
}

var (
	darshanStart = lazyregexp.New(`^# start_time:\s+(\d+)`)
	darshanHost  = lazyregexp.New(`hostname:\s+(\S+)`)
	darshanOST   = lazyregexp.New(`\[\s*(\d+)\]`)
)

func (t *darshanTrace) line(line string, rows *csvRows) error {
	if strings.HasPrefix(line, "#") {
		t.comment(line)
		return nil
	}
	f := strings.Fields(line)
	if len(f) < 8 || f[0] != "X_POSIX" && f[0] != "X_STDIO" { // lines of MPI-IO repeat the requests of POSIX and STDIO
		return nil
	}
	if t.start == 0 {
		return errDarshanStart
	}
	length, ok1 := parseNumber(f[5])
	start, ok2 := parseNumber(f[6])
	end, ok3 := parseNumber(f[7])
	if !ok1 || !ok2 || !ok3 {
		return nil
	}
	ost := ""
	if to := darshanOST.FindAllStringSubmatch(line, -1); len(to) == 1 {
		ost = to[0][1]
	}
	t.add(rows, ost, f[2], length, start, end)
	return nil
}

func (t *darshanTrace) comment(line string) {
	if m := darshanStart.FindStringSubmatch(line); m != nil {
		t.start, _ = parseNumber(m[1])
	}
	if m := darshanHost.FindStringSubmatch(line); m != nil {
		t.host = m[1]
	}
}

func (t *darshanTrace) add(rows *csvRows, ost, op string, length, start, end float64) {
	const msPerSecond, mebibyte = 1000, 1 << 20
	ms := (end - start) * msPerSecond
	perMiB := ""
	if length > 0 {
		perMiB = formatSixDigits(ms / (length / mebibyte))
	}
	rows.Add(strconv.FormatFloat(t.start+end, 'f', 4, 64), ost, op, t.host, formatSixDigits(length), formatSixDigits(ms), perMiB)
}

func formatSixDigits(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

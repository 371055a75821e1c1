package testbed

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// truth.csv has the faults of recorded runs, one line for each run:
//
//	run,volume,workload,congestion,fault,server,begin,end,strength,…
//	r1-001,ec,ddw,cubic,disk-busy-w,s2,2026-11-15T17:21:37Z,2026-11-15T17:24:29Z,2,…
//
// A run without a line was not recorded to its end. Columns are found by their names; only
// neededColumns must exist.

// TruthFile is the name of the file with the faults of recorded runs.
const TruthFile = "truth.csv"

var neededColumns = []string{"run", "fault", "server", "begin", "end"}

var truthColumns = []string{
	"run", "volume", "workload", "congestion", "fault", "server", "begin", "end", "strength", "unit",
	"streams", "disk_bytes", "disk_requests", "link_mbit", "link_told", "volfile",
}

// cephColumns follow truthColumns in files with runs of Ceph.
var cephColumns = []string{"system", "osd", "osds_per_host", "db", "pgs", "object_kb", "other_kb"}

// Truth holds the fault of a recorded run, its place and its time.
type Truth struct {
	Run        string
	System     System // GlusterFS if the file has no column system
	OSD        string // OSD that the fault hits, as "osd.3"; empty if the fault hits none, or several
	Volume     Volume // may be empty, like the next three fields
	Workload   Workload
	Congestion string
	Strength   string
	Fault      Fault
	Server     string    // server that the fault hits, or client that causes it; empty if nothing was broken at a single server
	Begin, End time.Time // of the fault
}

// line returns the line of the run in the truth file.
func (r *Run) line(begin, end time.Time) []string {
	stamp := func(t time.Time) string {
		if r.Fault == None {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	line := []string{
		r.Name, string(r.Volume), string(r.Workload), r.Congestion, string(r.Fault), cmp.Or(r.ServerName(), r.ClientName()), stamp(begin), stamp(end),
		strconv.FormatFloat(r.Strength, 'g', -1, 64), r.Fault.Unit(), strconv.Itoa(r.Streams), strconv.Itoa(r.DiskBytes),
		strconv.Itoa(r.DiskRequests), strconv.Itoa(r.LinkMbit), strconv.FormatBool(r.LinkSpeedKnown), fmt.Sprintf("s%d", r.Volfile),
	}
	if r.System != Ceph {
		return line
	}
	c := &r.Ceph
	return append(line, string(r.System), r.OSDName(), strconv.Itoa(c.OSDsPerHost), strconv.FormatBool(c.DB), strconv.Itoa(c.PGs), strconv.Itoa(c.ObjectKB), strconv.Itoa(c.OtherKB))
}

// StartTruth creates a truth file without runs, unless the file exists. The system decides which
// columns the file has.
func StartTruth(path string, system System) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	columns := truthColumns
	if system == Ceph {
		columns = slices.Concat(columns, cephColumns)
	}
	return writeLine(file, columns)
}

// AddTruth appends the line of a complete run to a truth file.
func AddTruth(path string, r *Run, begin, end time.Time) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return writeLine(file, r.line(begin, end))
}

// writeLine writes a line and closes the file. It writes the line with one system call, so that
// lines of several clusters do not mix.
func writeLine(file *os.File, fields []string) error {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	_ = w.Write(fields) // writes into memory
	w.Flush()
	_, err := file.Write(text.Bytes())
	return errors.Join(err, file.Close())
}

// ParseTruth parses the content of a truth file. Error messages contain name as the name of the
// file.
func ParseTruth(name string, data []byte) ([]Truth, error) {
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("file %s is empty: its first line must name the columns %s", name, strings.Join(neededColumns, ", "))
	}
	for _, c := range neededColumns {
		if !slices.Contains(lines[0], c) {
			return nil, fmt.Errorf("%s:1: the column %s is missing: a truth file needs the columns %s", name, c, strings.Join(neededColumns, ", "))
		}
	}
	var all []Truth
	for i, line := range lines[1:] {
		t, err := parseLine(lines[0], line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if slices.ContainsFunc(all, func(o Truth) bool { return o.Run == t.Run }) {
			return nil, fmt.Errorf("%s:%d: run %s is listed twice: remove one of the lines", name, i+2, t.Run)
		}
		all = append(all, t)
	}
	return all, nil
}

func parseLine(header, line []string) (t Truth, err error) {
	field := func(column string) string {
		if i := slices.Index(header, column); i >= 0 {
			return line[i]
		}
		return ""
	}
	t = Truth{
		Run: field("run"), Volume: Volume(field("volume")), Workload: Workload(field("workload")),
		System: cmp.Or(System(field("system")), GlusterFS), OSD: field("osd"),
		Congestion: field("congestion"), Strength: field("strength"), Server: field("server"),
	}
	if t.Run == "" || strings.ContainsAny(t.Run, `/\`) || t.Run == ".." || t.Run == "." {
		return t, fmt.Errorf("run %q is not a directory: give the name of a directory next to this file", t.Run)
	}
	if t.Fault, err = ParseFault(field("fault")); err != nil || t.Fault == None {
		return t, err
	}
	if t.Server == "" && !t.Fault.Harmless() {
		return t, fmt.Errorf("fault %s has no server: name the server that the fault hit", t.Fault)
	}
	if t.Begin, err = parseTime("begin", field("begin")); err != nil {
		return t, err
	}
	t.End, err = parseTime("end", field("end"))
	return t, err
}

func parseTime(column, text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("the value %[2]q of column %[1]s is not a time: write a time such as 2026-11-15T17:21:37Z", column, text)
	}
	return t, nil
}

// This file is the form of what zpool iostat -vly -T u (or -T d) of OpenZFS
// prints at an interval, with -p or without:
//
//	1794784343
//	              capacity     operations     bandwidth    total_wait     disk_wait  …
//	pool        alloc   free   read  write   read  write   read  write   read  write …
//	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  ----- …
//	tank        1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms …
//	  raidz1-0  1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms …
//	    sda         -      -      0     49    564  7.98M   30ms    6ms   29ms    3ms …
//
// A row is made of each drive, none of pools and the groups in them. A drive's
// role is data, or what the pool uses it for: logs, cache, special, dedup. Its
// wait is the time that the drive itself took (disk_wait), of reads and writes
// together.

package tool

import (
	"bufio"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// zpoolForm is that of zpool iostat.
var zpoolForm = TableForm{
	Name:    "zpool",
	Command: "zpool iostat -vly -T u 15",
	Columns: []string{"time", "pool", "role", "group", "device", "ops", "wait", "total_wait", "bytes"},
	Open: func(src *bufio.Reader) Source {
		r := &zpoolReport{}
		return Lines(src, r.line)
	},
}

var (
	zpoolErrTime = errors.New("drives without a time: have zpool iostat print it, with -T u")
	errWaits     = errors.New("drives without their waits: have zpool iostat print them, with -l")
	errColumns   = errors.New("columns that are not known: run zpool iostat -vly -T u, without -c and -q")
)

// zpoolReport is where in the text the reader is.
type zpoolReport struct {
	time    string
	groups  []string // of the first line of a header
	columns []string
	pool    string
	role    string // of the drives that follow
	group   string // the raidz, mirror or draid that they are in
}

// line takes a line of text.
func (r *zpoolReport) line(line string, rows *Rows) error {
	if time, ok := rows.Dates.Time(line); ok {
		r.time = time
		return nil
	}
	f := strings.Fields(line)
	switch {
	case len(f) == 0 || strings.HasPrefix(f[0], "--"):
	case f[0] == "capacity":
		r.groups = f
	case f[0] == "pool" && slices.Contains(f, "alloc"):
		return r.header(len(f) - 1)
	case r.columns == nil: // ahead of all reports
	case line[0] != ' ':
		r.top(f[0])
	case interior.MatchString(f[0]):
		r.group = f[0]
	default:
		return r.drive(f[0], f[1:], len(line)-len(strings.TrimLeft(line, " ")), rows)
	}
	return nil
}

// interior are what drives are grouped in.
var interior = regexp.MustCompile(`^(mirror|raidz\d?|draid\d?(:\S+)?|spare|replacing|indirect)-\d+$`)

// roles are the sections of a pool.
var roles = []string{"logs", "cache", "special", "dedup", "spares"}

// top is a pool, or a section of the pool at hand.
func (r *zpoolReport) top(name string) {
	r.group = ""
	if slices.Contains(roles, name) {
		r.role = name
		return
	}
	r.pool, r.role = name, "data"
}

// header makes the names of columns of the groups that they stand below.
func (r *zpoolReport) header(width int) error {
	r.columns = nil
	for _, group := range r.groups {
		switch group {
		case "scrub", "trim", "rebuild":
			r.columns = append(r.columns, group)
		default:
			r.columns = append(r.columns, group+" read", group+" write")
		}
	}
	switch {
	case !slices.Contains(r.groups, "disk_wait"):
		return errWaits
	case len(r.columns) != width:
		return errColumns
	case r.time == "":
		return zpoolErrTime
	}
	return nil
}

// firstLevel is how far a drive that is in no group is indented.
const firstLevel = 2

func (r *zpoolReport) drive(name string, fields []string, indent int, rows *Rows) error {
	if indent <= firstLevel {
		r.group = ""
	}
	v := values{}
	for i, text := range fields {
		if value, ok := parse(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
	row := []string{r.time, r.pool, r.role, r.group, name}
	for _, value := range r.worth(v) {
		if math.IsNaN(value) {
			row = append(row, "")
			continue
		}
		row = append(row, strconv.FormatFloat(value, 'g', -1, 64))
	}
	rows.Add(row...)
	return nil
}

// worth is what a row tells of a drive: requests and bytes a second, and the
// ms that a request took.
func (r *zpoolReport) worth(v values) []float64 {
	nan := math.NaN()
	rates := []float64{v.Of("operations read"), v.Of("operations write")}
	if math.IsNaN(rates[0] + rates[1]) {
		return []float64{nan, nan, nan, nan}
	}
	ops, wait := mean(rates, []float64{v.Of("disk_wait read"), v.Of("disk_wait write")})
	_, total := mean(rates, []float64{v.Of("total_wait read"), v.Of("total_wait write")})
	const nsPerMs = 1e6
	return []float64{ops, wait / nsPerMs, total / nsPerMs, v.Of("bandwidth read") + v.Of("bandwidth write")}
}

// Units of counts are powers of 1024, those of waits make nanoseconds.
var units = []struct {
	suffix string
	factor float64
}{
	{"ns", 1},
	{"us", 1e3},
	{"ms", 1e6},
	{"s", 1e9},
	{"K", 1 << 10},
	{"M", 1 << 20},
	{"G", 1 << 30},
	{"T", 1 << 40},
	{"P", 1 << 50},
	{"", 1},
}

// parse reads a number with its unit; "-" is none.
func parse(text string) (float64, bool) {
	for _, u := range units {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			v, ok := Number(number)
			return v * u.factor, ok
		}
	}
	return 0, false
}

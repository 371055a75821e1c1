package tool

import (
	"bufio"
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/record/blklat"
)

// zpoolTable reads the output of zpool iostat -vly -T u of OpenZFS with an interval. The
// options -T d and -p are also possible:
//
//	1794784343
//	              capacity     operations     bandwidth    total_wait     disk_wait  …
//	pool        alloc   free   read  write   read  write   read  write   read  write …
//	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  ----- …
//	tank        1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms …
//	  raidz1-0  1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms …
//	    sda         -      -      0     49    564  7.98M   30ms    6ms   29ms    3ms …
//
// Each drive becomes a line of the table. Pools and groups of drives are left out. The role of a
// drive is the section of the pool that the drive is in: logs, cache, special, dedup or spares.
// Outside of these sections the role is data. The wait of a drive is the mean time that reads and
// writes spend in the drive itself (disk_wait).
var zpoolTable = TableFormat{
	Name:    "zpool",
	Command: "zpool iostat -vly -T u 15",
	Columns: []string{"time", "pool", "role", "group", "device", "ops", "wait", "total_wait", "bytes"},
	Signs:   []Sign{{[]string{"capacity", "operations", "bandwidth"}, "text of zpool iostat"}},
	Open: func(src *bufio.Reader) rowSource {
		r := &zpoolReport{}
		return newLineSource(src, r.line)
	},
}

var (
	errZpoolTime    = errors.New("the output has no time: run zpool iostat with -T u")
	errZpoolWaits   = errors.New("the output has no wait times: run zpool iostat with -l")
	errZpoolColumns = errors.New("some columns are unknown: run zpool iostat -vly -T u, without -c and -q")
)

// zpoolReport is the state of the reader for the output of zpool iostat.
type zpoolReport struct {
	time    string
	groups  []string // names of the groups of columns, from the first line of a header
	columns []string
	pool    string
	role    string // role of the drives on the following lines
	group   string // group of the drives on the following lines, such as raidz1-0
	reports int    // number of reports so far; counted only for looks (package engine/look)
	first   string // name of the first pool, with the option -H
}

func (r *zpoolReport) line(line string, rows *csvRows) error {
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
		if rows.prints != nil {
			r.reports++
			return r.begin(rows.prints, len(f)-1)
		}
		return r.header(len(f) - 1)
	case r.columns == nil: // no report has begun yet
	case line[0] != ' ':
		r.top(f[0])
	case zpoolGroup.MatchString(f[0]):
		r.group = f[0]
	default:
		return r.drive(f[0], f[1:], len(line)-len(strings.TrimLeft(line, " ")), rows)
	}
	return nil
}

// zpoolGroup matches the names of groups of drives.
var zpoolGroup = lazyregexp.New(`^(mirror|raidz\d?|draid\d?(:\S+)?|spare|replacing|indirect)-\d+$`)

// zpoolRoles has the names of the sections of a pool.
var zpoolRoles = []string{"logs", "cache", "special", "dedup", "spares"}

// top begins a pool, or a section of the current pool. The line of a pool or section has no indent.
func (r *zpoolReport) top(name string) {
	r.group = ""
	if slices.Contains(zpoolRoles, name) {
		r.role = name
		return
	}
	r.pool, r.role = name, "data"
}

// header makes the names of the columns from the first line of the header, which has the names of
// the groups of columns. The parameter `width` is the number of columns of a line.
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
		return errZpoolWaits
	case len(r.columns) != width:
		return errZpoolColumns
	case r.time == "":
		return errZpoolTime
	}
	return nil
}

// zpoolTopIndent is the number of spaces before the name of a drive that is in no group.
const zpoolTopIndent = 2

func (r *zpoolReport) drive(name string, fields []string, indent int, rows *csvRows) error {
	if indent <= zpoolTopIndent {
		r.group = ""
	}
	v := columnValues{}
	for i, text := range fields {
		if value, ok := parseZpoolValue(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
	if rows.prints != nil {
		r.addSample(name, fields, v, rows.prints)
		return nil
	}
	row := []string{r.time, r.pool, r.role, r.group, name}
	for _, value := range r.driveValues(v) {
		if math.IsNaN(value) {
			row = append(row, "")
			continue
		}
		row = append(row, strconv.FormatFloat(value, 'g', -1, 64))
	}
	rows.Add(row...)
	return nil
}

// driveValues returns the values of a drive: requests per second, mean wait and mean
// total wait of a request in ms, and bytes per second.
func (r *zpoolReport) driveValues(v columnValues) []float64 {
	nan := math.NaN()
	rates := []float64{v.Value("operations read"), v.Value("operations write")}
	if math.IsNaN(rates[0] + rates[1]) {
		return []float64{nan, nan, nan, nan}
	}
	ops, wait := meanWait(rates, []float64{v.Value("disk_wait read"), v.Value("disk_wait write")})
	_, total := meanWait(rates, []float64{v.Value("total_wait read"), v.Value("total_wait write")})
	const nsPerMs = 1e6
	return []float64{ops, wait / nsPerMs, total / nsPerMs, v.Value("bandwidth read") + v.Value("bandwidth write")}
}

// zpoolUnits lists the suffixes of numbers, with the factor of each suffix. The suffixes of counts
// mean powers of 1024. Waits are converted to nanoseconds.
var zpoolUnits = []struct {
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

// parseZpoolValue parses a number with its suffix. The result `ok` is false for other texts, such
// as "-".
func parseZpoolValue(text string) (float64, bool) {
	for _, u := range zpoolUnits {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			v, ok := parseNumber(number)
			return v * u.factor, ok
		}
	}
	return 0, false
}

// zpoolHistograms reads the output of zpool iostat -wvp -T u of OpenZFS with an interval. A report
// has a table for the pool, for each group in the pool, and for each drive.
//
//	zpool iostat -wvpy -T u tank 15 > tank.txt
//
//	1794784343
//
//	sda          total_wait     disk_wait    syncq_wait    asyncq_wait
//	latency      read  write   read  write   read  write   read  write  scrub   trim
//	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
//	1ns             0      0      0      0      0      0      0      0      0      0
//	…
//	2ms             3     25      3     15      0      0      0     17      0      0
//	--------------------------------------------------------------------------------
//
// Only the time that requests spend in the drive (disk_wait) is used. The latency on a line is the
// upper end of a bin. Half of this latency is the lower end. Zpool does not mark the tables of
// drives. The first table of a report is the table of the pool. Tables of groups are recognised by
// their names (mirror-0, raidz1-0, …) and left out. A file must have only one pool. Without -y, the
// first report covers the time since boot. So the first report is always left out.
var zpoolHistograms = HistogramFormat{
	Name:    "zpool-histograms",
	Title:   "latencies of drives of ZFS pools, from zpool iostat -wvpy -T u",
	Command: "zpool iostat -wvpy -T u POOL 15",
	Sign:    Sign{Texts: []string{"total_wait", "disk_wait", "latency ", "1ns"}},
	Read:    readZpoolHistograms,
}

// zpoolNotDrive matches the names of groups and sections of a pool.
var zpoolNotDrive = lazyregexp.New(`^(mirror|raidz\d?|draid\d*|spare|replacing|logs?|cache|special|dedup|indirect)(-\d+)?(:.*)?$`)

// zpoolLatencies is the state of the reader for the output of zpool iostat -w.
type zpoolLatencies struct {
	text    *Text
	reports int
	time    int64
	pool    string
	name    string // name of the current table
	wait    int    // index of the first column of disk_wait; 0 if the current table is left out
	bins    [2][]Bin
}

func readZpoolHistograms(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		r := zpoolLatencies{text: t}
		for {
			line, ok, err := t.Next()
			if err != nil {
				yield(Sample{}, err)
				return
			}
			if !ok {
				r.end(yield)
				return
			}
			if at, isTime := parseClockLine(line); isTime {
				if !r.end(yield) {
					return
				}
				r.time, r.pool = at, ""
				r.reports++
				continue
			}
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[1] == "total_wait" {
				if !r.end(yield) {
					return
				}
				r.begin(fields)
				continue
			}
			if err := r.take(fields); err != nil {
				yield(Sample{}, err)
				return
			}
		}
	}
}

// begin reads the first line of a table and finds the columns of disk_wait. Each kind of wait has
// two columns: one for reads and one for writes.
func (r *zpoolLatencies) begin(fields []string) {
	r.name, r.wait = fields[0], 0
	for i, name := range fields[1:] {
		if name == "disk_wait" {
			r.wait = 1 + 2*i
		}
	}
	if r.pool == "" {
		r.pool, r.wait = r.name, 0
	}
	if zpoolNotDrive.MatchString(r.name) {
		r.wait = 0
	}
}

// take reads a line of a table: the numbers of reads and writes in one range of latencies.
func (r *zpoolLatencies) take(fields []string) error {
	if r.wait == 0 || len(fields) < r.wait+2 {
		return nil
	}
	high, ok := parseDuration(fields[0])
	if !ok {
		return nil // the second line of the header, or a line of dashes
	}
	if r.time == 0 {
		return r.text.Errorf("the output has no time: run zpool iostat with -T u")
	}
	for op := range r.bins {
		n, ok := parseCount(fields[r.wait+op])
		if !ok {
			return r.text.Errorf("the number of requests of %[2]s is printed as %[1]q, which is not a whole number: run zpool iostat with -p", fields[r.wait+op], fields[0])
		}
		r.bins[op] = append(r.bins[op], Bin{LowNs: high / 2, HighNs: high, Requests: n})
	}
	return nil
}

// end yields the samples of the current table: one for reads and one for writes.
func (r *zpoolLatencies) end(yield func(Sample, error) bool) bool {
	for op, bins := range r.bins {
		r.bins[op] = nil
		if len(bins) == 0 || r.reports < 2 {
			continue
		}
		s := Sample{Time: r.time, Component: r.pool + "/" + r.name, Peers: r.pool, Op: blklat.Op(op), Kind: sinceLastSample, Bins: bins}
		if !yield(s, nil) {
			return false
		}
	}
	r.wait = 0
	return true
}

package tool

import (
	"math"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// zpoolPrint reads one or more reports of zpool iostat -vl, with or without times. Without -y, the
// first report is the mean since the pool was imported.
var zpoolPrint = printFormat{
	name:  "zpool iostat -vl",
	signs: []Sign{{Texts: []string{"capacity", "operations", "bandwidth"}}},
	form:  zpoolScript,
	open: func(b *printBuilder) printReader {
		r := &zpoolReport{}
		return printReader{line: func(line string) error {
			if r.scripted(line, &b.rows) {
				return nil
			}
			return r.line(line, &b.rows)
		}}
	},
}

// zpoolScript matches a line of zpool iostat -H -vl: a name, alloc, free, operations, bandwidth,
// and at least nine waits, separated by tabs.
var zpoolScript = lazyregexp.New(`(?m)^[^\t\n]+(?:\t(?:-|[\d.]+[KMGTPE]?)){6}(?:\t(?:-|[\d.]+(?:ns|us|ms|s)?)){9,12}\r?$`)

// zpoolDrive matches names of drives. A drive that belongs to no mirror or RAID-Z group has a
// capacity, like a pool. So only its name shows that it is a drive.
var zpoolDrive = lazyregexp.New(`^(/|sd|vd|xvd|hd|nvme|dm-|loop|wwn-|ata-|scsi-|usb-|pci-|eui|mpath|disk|gptid|c\d+t\d|a?da\d)`)

// zpoolGroups are the groups of columns of zpool iostat -vl. All versions of zpool print the groups
// in this order.
var zpoolGroups = []string{"capacity", "operations", "bandwidth", "total_wait", "disk_wait", "syncq_wait", "asyncq_wait", "scrub", "trim", "rebuild"}

// scripted reads a line of zpool iostat -H. The output of this command has no header and no indents.
// scripted returns false if the line is not a line of this output. A new report begins when
// the name of the first pool occurs again. Drives after an empty line belong to logs, caches and
// other sections.
func (r *zpoolReport) scripted(line string, rows *csvRows) bool {
	if !zpoolScript.MatchString(line) {
		if r.first != "" && strings.TrimSpace(line) == "" {
			r.role, r.group = "other devices", ""
		}
		return false
	}
	f := strings.Split(strings.TrimRight(line, "\r"), "\t")
	name, hasCapacity := f[0], f[1] != "-" && f[1]+f[2] != "00"
	switch {
	case r.first == "" || name == r.first:
		r.groups, r.first = zpoolGroups, name
		_ = r.header(len(f) - 1) // header may not know the last columns of all versions, but their names are not needed
		r.reports++
		span := look.Interval
		if r.reports == 1 {
			span = look.SinceStart
		}
		rows.prints.begin("", r.time, span)
		r.top(name)
	case zpoolGroup.MatchString(name):
		r.group = name
	case hasCapacity && !zpoolDrive.MatchString(name):
		r.top(name)
	default:
		_ = r.drive(name, f[1:], zpoolTopIndent+1, rows) // drive returns no error here
	}
	return true
}

// begin starts a new look (package engine/look) for a report.
func (r *zpoolReport) begin(prints *printBuilder, width int) error {
	if err := r.header(width); err != nil && err != errZpoolTime {
		r.columns = nil
		return err
	}
	span := look.Interval
	if r.reports == 1 {
		span = look.SinceStart
	}
	prints.begin("", r.time, span)
	return nil
}

// addSample adds the sample of a drive. The fields are the texts of the columns. The unit of a wait
// shows how exactly zpool prints the wait.
func (r *zpoolReport) addSample(name string, fields []string, v columnValues, prints *printBuilder) {
	s := look.Sample{Component: name, Kind: "drives of " + r.pool}
	if r.role != "data" {
		s.Kind = r.role + " of " + r.pool
	}
	const nsPerMs = 1e6
	steps := columnValues{}
	for i, text := range fields {
		if i < len(r.columns) {
			steps[r.columns[i]] = zpoolStep(text)
		}
	}
	for _, op := range []struct {
		name   string
		metric look.Metric
	}{{"read", look.ReadLatency}, {"write", look.WriteLatency}} {
		wait, rate, step := v.Value("disk_wait "+op.name), v.Value("operations "+op.name), steps.Value("disk_wait "+op.name)
		if !(wait > 0) || math.IsNaN(rate) {
			continue
		}
		// Zpool prints a wait in whole units, and cuts off the rest. So half a unit is added.
		s.Values = append(s.Values, look.Value{Metric: op.metric, X: (wait + step/2) / nsPerMs, Requests: max(rate, 1), Step: step / nsPerMs})
	}
	ops := v.Value("operations read") + v.Value("operations write")
	kB := (v.Value("bandwidth read") + v.Value("bandwidth write")) / 1024
	value(&s, look.Requests, ops)
	value(&s, look.Bandwidth, kB)
	if ops > 0 {
		value(&s, look.ReqSize, kB/ops)
	}
	ahead := 0.0
	for _, op := range []string{"read", "write"} {
		if d := v.Value("total_wait "+op) - v.Value("disk_wait "+op); d > 0 {
			ahead += d / nsPerMs
		}
	}
	value(&s, look.QueueWait, ahead)
	prints.add(s)
}

// zpoolStep returns the length of the unit of a wait in ns. A wait without a unit is exact, so the
// result is 0.
func zpoolStep(text string) float64 {
	for _, u := range durationUnits {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			if _, isNumber := parseNumber(number); isNumber {
				return u.ns
			}
		}
	}
	return 0
}

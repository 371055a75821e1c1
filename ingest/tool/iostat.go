package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
)

// iostatTable reads the output of iostat -x -t, as text or as JSON (-o JSON). Iostat is part of
// sysstat. iostatTable reads the output of all versions:
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	11/15/26 23:12:20
//	Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s …
//	sda              0.37     69.18     0.02   5.02    0.47   187.76    0.65 …
//
// The first report of a run usually covers the time since the host was started, so it is left out.
// With iostat -y, the first report covers an interval, but it is left out too. Versions from 12 on
// do not print the mean wait of all requests (await). For these versions limpet computes the mean
// wait from the waits of reads, writes and discards. Sar computes await in the same way.
var iostatTable = TableFormat{
	Name:    "iostat",
	Command: "iostat -x -t 15",
	Columns: driveColumns,
	Devices: true,
	Signs: []Sign{
		{[]string{`"disk_device"`}, "JSON of iostat"},
		{[]string{"Linux ", "Device", "%util"}, "text of iostat"},
	},
	Open: openIostat,
}

var (
	errIostatTime  = errors.New("the output has no time: run iostat with -t")
	errIostatWaits = errors.New("the output has no wait times: run iostat with -x")
)

func openIostat(src *bufio.Reader) rowSource {
	if firstByte(src) == '{' {
		return newSysstatJSON(src, addIostatJSON)
	}
	r := &iostatReport{}
	return newLineSource(src, r.line)
}

// iostatReport is the state of the reader for the text output of iostat.
type iostatReport struct {
	host    string
	time    string
	columns []string // columns of the table of devices; nil if the current line is not in a table of devices
	reports int      // number of reports of the run so far
	blanks  int      // number of empty lines directly after the first line of the run; -1 when another line was read
	banner  bool     // true if the first line of the run was read
	skipped bool     // true if iostat ran with -y: two empty lines after the first line show that the report since the start of the host is missing

	// The fields below are used only for iostat -h. In this output the name of the device is the
	// last column. A report has several tables: one for reads, one for writes and others. The
	// values of these tables are collected until the report ends.
	last      bool   // true if the name of the device is the last column
	reported  string // time of the report
	names     []string
	collected map[string]columnValues // for each device: its values in the report so far
}

func (r *iostatReport) line(line string, rows *csvRows) error {
	f := strings.Fields(line)
	if _, rest, ok := cutClock(f); ok && len(rest) > 0 {
		return nil // a line of sar, which begins with the time of day
	}
	if host, _, ok := parseBanner(line); ok && f[0] == "Linux" {
		r.finish(rows)
		*r = iostatReport{host: host, banner: true}
		return nil
	}
	if len(f) == 0 && r.blanks >= 0 {
		r.blanks++
	} else if len(f) > 0 && r.columns == nil && r.reports == 0 {
		r.skipped = r.skipped || r.blanks > 1
		r.blanks = -1
	}
	if time, ok := rows.Dates.Time(line); ok {
		r.time, r.columns = time, nil
		return nil
	}
	switch {
	case len(f) == 0 || f[0] == "avg-cpu:":
		r.columns = nil
	case f[len(f)-1] == "Device" && len(f) > 1 && rows.prints != nil:
		return r.table(f[:len(f)-1], rows)
	case r.columns != nil && r.last:
		r.collect(f)
	case strings.TrimSuffix(f[0], ":") == "Device":
		r.finish(rows)
		r.columns, r.last = f[1:], false
		r.reports++
		if rows.prints != nil {
			return r.begin(rows.prints)
		}
		return r.check()
	case r.columns != nil && (r.reports > 1 || rows.prints != nil):
		r.device(f[0], f[1:], rows)
	}
	return nil
}

func (r *iostatReport) check() error {
	switch {
	case !slices.Contains(r.columns, "r_await") && !slices.Contains(r.columns, "await"):
		return errIostatWaits
	case r.time == "":
		return errIostatTime
	}
	return nil
}

// begin starts a new look (package engine/look), which will have the values of all devices in the
// current report.
func (r *iostatReport) begin(prints *printBuilder) error {
	if !slices.Contains(r.columns, "r_await") && !slices.Contains(r.columns, "await") {
		r.columns = nil
		return errIostatWaits
	}
	span := look.Interval
	if r.reports == 1 && r.banner && !r.skipped {
		span = look.SinceStart
	}
	prints.begin(r.host, r.time, span)
	return nil
}

// table begins a table of iostat -h. If the current report already has the columns of this table,
// the table begins the next report.
func (r *iostatReport) table(columns []string, rows *csvRows) error {
	r.last = true
	isNew := r.collected == nil
	for _, v := range r.collected {
		if _, known := v[columns[0]]; known {
			isNew = true
		}
	}
	if r.columns = columns; !isNew {
		return nil
	}
	r.finish(rows)
	r.reports++
	if err := r.begin(rows.prints); err != nil {
		return err
	}
	r.collected, r.reported = map[string]columnValues{}, r.time
	return nil
}

// collect stores the values of a line of iostat -h until the report ends.
func (r *iostatReport) collect(f []string) {
	name := f[len(f)-1]
	v := r.collected[name]
	if v == nil {
		v = columnValues{}
		r.names = append(r.names, name)
		r.collected[name] = v
	}
	for i, text := range f[:len(f)-1] {
		if value, ok := parseHuman(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
}

// finish adds the values of a report of iostat -h to `rows`.
func (r *iostatReport) finish(rows *csvRows) {
	for _, name := range r.names {
		addIostat(r.reported, r.host, name, r.collected[name], rows)
	}
	r.names, r.collected = nil, nil
}

// device adds the values of one device to `rows`. A line that was cut off has fewer values than
// there are columns.
func (r *iostatReport) device(name string, fields []string, rows *csvRows) {
	v := columnValues{}
	for i, text := range fields {
		if value, ok := parseHuman(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
	addIostat(r.time, r.host, name, v, rows)
}

// addIostat adds the values of a device to `rows`. It computes the values that some versions do not
// print.
func addIostat(time, host, device string, v columnValues, rows *csvRows) {
	s := newDriveSample(time, host, device)
	if rates := []float64{v.Value("r/s"), v.Value("w/s"), v.Value("d/s")}; !math.IsNaN(rates[0] + rates[1]) {
		s.TPS, s.Await = meanWait(rates, []float64{v.Value("r_await"), v.Value("w_await"), v.Value("d_await")})
	}
	if await := v.Value("await"); !math.IsNaN(await) {
		s.Await = await
	}
	if tps := v.Value("tps"); !math.IsNaN(tps) { // iostat -xs prints reads and writes as one number
		s.TPS = tps
	}
	s.ReadAwait, s.WriteAwait = v.Value("r_await"), v.Value("w_await")
	s.ReadRate, s.WriteRate = v.Value("r/s"), v.Value("w/s")
	s.ReadKB, s.WriteKB = v.KB("rkB/s", "rsec/s"), v.KB("wkB/s", "wsec/s")
	if mB := v.Value("rMB/s"); !math.IsNaN(mB) {
		s.ReadKB, s.WriteKB = 1024*mB, 1024*v.Value("wMB/s")
	}
	if kB := v.Value("kB/s"); !math.IsNaN(kB) {
		s.ReadKB, s.WriteKB = kB, 0
	}
	s.Queue, s.Util = v.Value("aqu-sz", "avgqu-sz"), v.Value("%util", "util")
	s.Add(rows)
}

// addIostatJSON adds the values of a report in JSON to `rows`. It leaves out the first report of a
// run.
func addIostatJSON(host string, at int, raw json.RawMessage, rows *csvRows) error {
	var o struct {
		Timestamp string
		Disk      []map[string]any
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if at == 0 && rows.prints == nil || len(o.Disk) == 0 {
		return nil
	}
	time, ok := rows.Dates.Time(o.Timestamp)
	switch {
	case rows.prints != nil && at == 0 && !rows.prints.skipped:
		rows.prints.begin(host, time, look.SinceStart)
	case rows.prints != nil:
		rows.prints.begin(host, time, look.Interval)
	case !ok:
		return errIostatTime
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk_device"].(string)
		v := jsonNumbers(disk)
		if math.IsNaN(v.Value("r_await", "await")) {
			return errIostatWaits
		}
		addIostat(time, host, name, v, rows)
	}
	return nil
}

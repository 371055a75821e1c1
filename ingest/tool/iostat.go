// This file is the form of what sysstat's iostat -x -t prints, as text and
// as JSON (-o JSON), of any version:
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	11/15/26 23:12:20
//	Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s …
//	sda              0.37     69.18     0.02   5.02    0.47   187.76    0.65 …
//
// The first report of a run tells of the time since the host was started, so
// it is left out; iostat -y leaves it out too, and then costs one interval.
// Versions from 12 on print no mean wait of all requests: it is worked out of
// reads, writes and discards, as sar does.

package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
)

// iostatForm is that of iostat.
var iostatForm = TableForm{Name: "iostat", Command: "iostat -x -t 15", Columns: columns, Open: open}

var (
	iostatErrTime = errors.New("drives without a time: have iostat print it, with -t")
	errExtended   = errors.New("drives without their waits: have iostat print them, with -x")
)

func open(src *bufio.Reader) Source {
	if First(src) == '{' {
		return driveStatistics(src, object)
	}
	r := &report{}
	return Lines(src, r.line)
}

// report is where in the text the reader is.
type report struct {
	host    string
	time    string
	columns []string // of the table of devices, nil outside of one
	reports int      // of the run, so far
}

// line takes a line of text.
func (r *report) line(line string, rows *Rows) error {
	f := strings.Fields(line)
	if host, _, ok := parseBanner(line); ok && f[0] == "Linux" {
		*r = report{host: host}
		return nil
	}
	if time, ok := rows.Dates.Time(line); ok {
		r.time, r.columns = time, nil
		return nil
	}
	switch {
	case len(f) == 0 || f[0] == "avg-cpu:":
		r.columns = nil
	case strings.TrimSuffix(f[0], ":") == "Device":
		r.columns = f[1:]
		r.reports++
		return r.check()
	case r.columns != nil && r.reports > 1:
		r.device(f[0], f[1:], rows)
	}
	return nil
}

func (r *report) check() error {
	switch {
	case !slices.Contains(r.columns, "r_await") && !slices.Contains(r.columns, "await"):
		return errExtended
	case r.time == "":
		return iostatErrTime
	}
	return nil
}

// device adds a line of the table. One that is cut off has fewer values.
func (r *report) device(name string, fields []string, rows *Rows) {
	v := values{}
	for i, text := range fields {
		if value, ok := Number(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
	add(r.time, r.host, name, v, rows)
}

// add works out what a version does not print.
func add(time, host, device string, v values, rows *Rows) {
	s := unknown(time, host, device)
	if rates := []float64{v.Of("r/s"), v.Of("w/s"), v.Of("d/s")}; !math.IsNaN(rates[0] + rates[1]) {
		s.TPS, s.Await = mean(rates, []float64{v.Of("r_await"), v.Of("w_await"), v.Of("d_await")})
	}
	if await := v.Of("await"); !math.IsNaN(await) {
		s.Await = await
	}
	s.ReadAwait, s.WriteAwait = v.Of("r_await"), v.Of("w_await")
	s.ReadKB, s.WriteKB = v.KB("rkB/s", "rsec/s"), v.KB("wkB/s", "wsec/s")
	if mB := v.Of("rMB/s"); !math.IsNaN(mB) {
		s.ReadKB, s.WriteKB = 1024*mB, 1024*v.Of("wMB/s")
	}
	s.Queue, s.Util = v.Of("aqu-sz", "avgqu-sz"), v.Of("%util", "util")
	s.Add(rows)
}

// object takes a report of JSON.
func object(host string, at int, raw json.RawMessage, rows *Rows) error {
	var o struct {
		Timestamp string
		Disk      []map[string]any
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if at == 0 || len(o.Disk) == 0 {
		return nil
	}
	time, ok := rows.Dates.Time(o.Timestamp)
	if !ok {
		return iostatErrTime
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk_device"].(string)
		v := numbers(disk)
		if math.IsNaN(v.Of("r_await", "await")) {
			return errExtended
		}
		add(time, host, name, v, rows)
	}
	return nil
}

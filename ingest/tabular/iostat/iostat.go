package iostat

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest/tabular/drives"
	"github.com/limpet-storage/limpet/ingest/tabular/form"
)

// Form is that of iostat.
var Form = form.Form{Name: "iostat", Command: "iostat -x -t 15", Columns: drives.Columns, Open: open}

var (
	errTime     = errors.New("drives without a time: have iostat print it, with -t")
	errExtended = errors.New("drives without their waits: have iostat print them, with -x")
)

func open(src *bufio.Reader) form.Source {
	if form.First(src) == '{' {
		return drives.Statistics(src, object)
	}
	r := &report{}
	return form.Lines(src, r.line)
}

// report is where in the text the reader is.
type report struct {
	host    string
	time    string
	columns []string // of the table of devices, nil outside of one
	reports int      // of the run, so far
}

// line takes a line of text.
func (r *report) line(line string, rows *form.Rows) error {
	f := strings.Fields(line)
	if host, _, ok := drives.ParseBanner(line); ok && f[0] == "Linux" {
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
		return errTime
	}
	return nil
}

// device adds a line of the table. One that is cut off has fewer values.
func (r *report) device(name string, fields []string, rows *form.Rows) {
	v := drives.Values{}
	for i, text := range fields {
		if value, ok := form.Number(text); ok && i < len(r.columns) {
			v[r.columns[i]] = value
		}
	}
	add(r.time, r.host, name, v, rows)
}

// add works out what a version does not print.
func add(time, host, device string, v drives.Values, rows *form.Rows) {
	s := drives.Unknown(time, host, device)
	if rates := []float64{v.Of("r/s"), v.Of("w/s"), v.Of("d/s")}; !math.IsNaN(rates[0] + rates[1]) {
		s.TPS, s.Await = drives.Mean(rates, []float64{v.Of("r_await"), v.Of("w_await"), v.Of("d_await")})
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
func object(host string, at int, raw json.RawMessage, rows *form.Rows) error {
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
		return errTime
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk_device"].(string)
		v := drives.Numbers(disk)
		if math.IsNaN(v.Of("r_await", "await")) {
			return errExtended
		}
		add(time, host, name, v, rows)
	}
	return nil
}

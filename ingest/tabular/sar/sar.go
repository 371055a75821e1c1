package sar

import (
	"bufio"
	"encoding/json"

	"github.com/limpet-storage/limpet/ingest/tabular/drives"
	"github.com/limpet-storage/limpet/ingest/tabular/form"
)

// Form is that of sar and sadf.
var Form = form.Form{Name: "sar", Command: "sar -d or sadf -j -- -d", Columns: drives.Columns, Open: open}

func open(src *bufio.Reader) form.Source {
	switch form.First(src) {
	case '{':
		return drives.Statistics(src, object)
	case '<':
		return newDocument(src)
	case '#':
		d := &database{}
		return form.Lines(src, d.line)
	}
	r := &report{}
	return form.Lines(src, r.line)
}

// add makes a row of what any of them says of a device.
func add(time, host, device string, v drives.Values, rows *form.Rows) {
	s := drives.Unknown(time, host, device)
	s.TPS, s.Await = v.Of("tps"), v.Of("await")
	s.ReadKB, s.WriteKB = v.KB("rkB/s", "rd_sec/s"), v.KB("wkB/s", "wr_sec/s")
	s.Queue, s.Util = v.Of("aqu-sz", "avgqu-sz"), v.Of("%util")
	s.Add(rows)
}

// attributes are the names that JSON and XML have for columns of the text.
var attributes = map[string]string{
	"rkB": "rkB/s", "wkB": "wkB/s", "rd_sec": "rd_sec/s", "wr_sec": "wr_sec/s", "util-percent": "%util",
}

// renamed has the names of the text.
func renamed(v drives.Values) drives.Values {
	for name, column := range attributes {
		if value, ok := v[name]; ok {
			v[column] = value
		}
	}
	return v
}

// timestamp is a time as sadf prints it.
type timestamp struct {
	Date, Time string
	UTC        int
}

// text is the time as a table has it.
func (t timestamp) text() string {
	at := t.Date + "T" + t.Time
	if t.UTC == 1 {
		at += "Z"
	}
	out, _ := form.Time(at)
	return out
}

// object takes what sadf -j prints of a time.
func object(host string, _ int, raw json.RawMessage, rows *form.Rows) error {
	var o struct {
		Timestamp timestamp
		Disk      []map[string]any
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk-device"].(string)
		add(o.Timestamp.text(), host, name, renamed(drives.Numbers(disk)), rows)
	}
	return nil
}

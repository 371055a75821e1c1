// This file is the form of what sar -d of sysstat prints, and sadf of the
// same: text, sadf -j (JSON), sadf -x (XML) and sadf -d, of any version.
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	23:12:26          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
//	23:12:27          sda     67.00    264.00   7978.50      0.00    123.02      0.10      1.48      0.40
//	Average:          sda     67.00 …
//
// Other reports between, as sar -A prints them, are passed over. Times are
// those of the zone that sar ran in, on the date of the first line; one that
// falls is of the next day.

package tool

import (
	"bufio"
	"encoding/json"
)

// sarForm is that of sar and sadf.
var sarForm = TableForm{Name: "sar", Command: "sar -d or sadf -j -- -d", Columns: columns, Open: openSar}

func openSar(src *bufio.Reader) Source {
	switch First(src) {
	case '{':
		return driveStatistics(src, objectSar)
	case '<':
		return newDocument(src)
	case '#':
		d := &database{}
		return Lines(src, d.line)
	}
	r := &sarReport{}
	return Lines(src, r.line)
}

// addSar makes a row of what any of them says of a device.
func addSar(time, host, device string, v values, rows *Rows) {
	s := unknown(time, host, device)
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
func renamed(v values) values {
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
	out, _ := Time(at)
	return out
}

// objectSar takes what sadf -j prints of a time.
func objectSar(host string, _ int, raw json.RawMessage, rows *Rows) error {
	var o struct {
		Timestamp timestamp
		Disk      []map[string]any
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk-device"].(string)
		addSar(o.Timestamp.text(), host, name, renamed(numbers(disk)), rows)
	}
	return nil
}

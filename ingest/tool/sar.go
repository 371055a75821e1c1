package tool

import (
	"bufio"
	"encoding/json"

	"github.com/limpet-storage/limpet/engine/look"
)

// sarTable reads the text output of sar -d. It also reads the output of sadf for the same data:
// JSON (sadf -j), XML (sadf -x) or text (sadf -d). Both tools are part of sysstat. sarTable reads
// the output of all versions.
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	23:12:26          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
//	23:12:27          sda     67.00    264.00   7978.50      0.00    123.02      0.10      1.48      0.40
//	Average:          sda     67.00 …
//
// Sar -A also prints reports that are not about drives. These reports are skipped. Times are local
// times of the zone in which sar ran. The date is on the first line. The next day begins at a line
// with a time of day that is more than 12 hours earlier than the time on the previous line.
var sarTable = TableFormat{
	Name:    "sar",
	Command: "sar -d or sadf -j -- -d",
	Columns: driveColumns,
	Devices: true,
	Signs: []Sign{
		{[]string{`"disk-device"`}, "JSON of sadf"},
		{[]string{"<disk-device "}, "XML of sadf"},
		{[]string{"# hostname;interval;timestamp;DEV"}, "text of sadf -d"},
		{[]string{"Linux ", " DEV ", "tps"}, "text of sar"},
	},
	Open: openSar,
}

func openSar(src *bufio.Reader) rowSource {
	switch firstByte(src) {
	case '{':
		return newSysstatJSON(src, addSarJSON)
	case '<':
		return newSadfXML(src)
	case '#':
		d := &sadfTable{}
		return newLineSource(src, d.line)
	}
	r := &sarReport{}
	return newLineSource(src, r.line)
}

// addSar adds the values of a device to `rows`. The readers of all four formats of sar and sadf use
// this function.
func addSar(time, host, device string, v columnValues, rows *csvRows) {
	if rows.prints != nil {
		span := look.Interval
		if time == "" {
			span = look.Average
		}
		rows.prints.beginLook(host, time, span)
	}
	s := newDriveSample(time, host, device)
	s.TPS, s.Await = v.Value("tps"), v.Value("await")
	s.ReadKB, s.WriteKB = v.KB("rkB/s", "rd_sec/s"), v.KB("wkB/s", "wr_sec/s")
	s.Queue, s.Util = v.Value("aqu-sz", "avgqu-sz"), v.Value("%util")
	s.Add(rows)
}

// sadfColumns maps the name of a column in JSON and XML to its name in the text output.
var sadfColumns = map[string]string{
	"rkB": "rkB/s", "wkB": "wkB/s", "rd_sec": "rd_sec/s", "wr_sec": "wr_sec/s", "util-percent": "%util",
}

// textColumns adds each value of JSON or XML a second time, under the name that its column has in
// the text output.
func textColumns(v columnValues) columnValues {
	for name, column := range sadfColumns {
		if value, ok := v[name]; ok {
			v[column] = value
		}
	}
	return v
}

// sadfTime is a time in the JSON or XML output of sadf.
type sadfTime struct {
	Date, Time string
	UTC        int
}

// text returns the time in the format of normalTime.
func (t sadfTime) text() string {
	at := t.Date + "T" + t.Time
	if t.UTC == 1 {
		at += "Z"
	}
	out, _ := normalTime(at)
	return out
}

// addSarJSON adds the values of one report of sadf -j to `rows`. A report has one time.
func addSarJSON(host string, _ int, raw json.RawMessage, rows *csvRows) error {
	var o struct {
		Timestamp sadfTime
		Disk      []map[string]any
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	for _, disk := range o.Disk {
		name, _ := disk["disk-device"].(string)
		addSar(o.Timestamp.text(), host, name, textColumns(jsonNumbers(disk)), rows)
	}
	return nil
}

package tool

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
)

// sadfXML reads the output of sadf -x:
//
//	<host nodename="store-1"> <statistics>
//	  <timestamp date="2026-11-15" time="23:12:27" utc="1" interval="1">
//	    <disk per="second"> <disk-device dev="sda" tps="67.00" rkB="264.00" await="1.48" …/>
type sadfXML struct {
	dec  *xml.Decoder
	host string
	time string
}

func newSadfXML(src *bufio.Reader) *sadfXML {
	dec := xml.NewDecoder(src)
	dec.Strict = true
	return &sadfXML{dec: dec}
}

func (d *sadfXML) Next(rows *csvRows) error {
	t, err := d.dec.RawToken()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		line, _ := d.dec.InputPos()
		return fmt.Errorf("line %d: %w", line, err)
	}
	if e, ok := t.(xml.StartElement); ok {
		d.element(e, rows)
	}
	return nil
}

func (d *sadfXML) element(e xml.StartElement, rows *csvRows) {
	a := map[string]string{}
	for _, attr := range e.Attr {
		a[attr.Name.Local] = attr.Value
	}
	switch e.Name.Local {
	case "host":
		d.host = a["nodename"]
	case "timestamp":
		t := sadfTime{Date: a["date"], Time: a["time"]}
		if a["utc"] == "1" {
			t.UTC = 1
		}
		d.time = t.text()
	case "disk-device":
		v := columnValues{}
		for name, text := range a {
			if value, ok := parseNumber(text); ok {
				v[name] = value
			}
		}
		addSar(d.time, d.host, a["dev"], textColumns(v), rows)
	}
}

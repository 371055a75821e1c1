package tool

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// iostatSkipped matches an empty line in the output of iostat -y -o JSON. iostat prints this line in
// place of the report about the time since the start of the host (sysstat 12.6).
var iostatSkipped = lazyregexp.New(`"statistics": \[\s*\n[ \t]*\n`)

// iostatPrint reads one or more reports of iostat -x, as text or as JSON, with or without times.
// The first report is the mean since the start of the server, unless iostat ran with -y.
var iostatPrint = printFormat{
	name:  "iostat -x",
	signs: []Sign{{Texts: []string{`"disk_device"`}}, {Texts: []string{"Device", "%util"}}, {Texts: []string{"Linux ", "Device", "tps"}}},
	open: func(b *printBuilder) printReader {
		r := &iostatReport{}
		return printReader{
			end:  func() { r.finish(&b.rows) },
			line: func(line string) error { return r.line(line, &b.rows) },
			json: func(document []byte) error {
				if !bytes.Contains(document, []byte(`"disk_device"`)) {
					return nil
				}
				b.skipped = iostatSkipped.Match(document)
				return b.readSource(newSysstatJSON(bufio.NewReader(bytes.NewReader(document)), addIostatJSON))
			},
		}
	},
}

// sarPrint reads the output of sar -d, and the output of sadf for the same data.
var sarPrint = printFormat{
	name:  "sar -d",
	signs: []Sign{sarTable.Signs[0], sarTable.Signs[1], sarTable.Signs[2], {Texts: []string{" DEV ", "tps"}}, {Texts: []string{"%util DEV", "tps"}}},
	open: func(b *printBuilder) printReader {
		r, d := &sarReport{}, &sadfTable{}
		return printReader{
			line: func(line string) error {
				if strings.HasPrefix(line, "#") || d.columns != nil {
					return d.line(line, &b.rows)
				}
				return r.line(line, &b.rows)
			},
			json: func(document []byte) error {
				if !bytes.Contains(document, []byte(`"disk-device"`)) {
					return nil
				}
				return b.readSource(newSysstatJSON(bufio.NewReader(bytes.NewReader(document)), addSarJSON))
			},
			xml: func(text []byte) error { return b.readSource(newSadfXML(bufio.NewReader(bytes.NewReader(text)))) },
		}
	},
}

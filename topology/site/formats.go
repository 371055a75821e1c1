// This file lists every parser, and selects those that understand a file, by its text and
// never by its name.

package site

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Format is a tool, or a family of tools, and its parser.
type Format struct {
	Name string
	Read func(*Text) Inventory
}

// Formats lists the formats in the order in which they look at a text. A line
// belongs to the first that claims it.
func Formats() []Format {
	return []Format{
		{"gpfs", readGPFS},
		{"lsblk", readLsblk},
		{"multipath", readMultipath},
		{"zfs", readZFS},
		{"ceph", readCeph},
		{"storcli", readStorCLI},
		{"sas2ircu", readSAS2IRCU},
		{"ssacli", readSsacli},
		{"megacli", readMegaCLI},
		{"ses", readSES},
		{"nvme", readNVMe},
		{"md", readMD},
		{"lsscsi", readLsscsi},
		{"gluster", readGluster},
		{"beegfs", readBeeGFS},
		{"hdfs", readHDFS},
		{"metrics", readMetrics},
		{"recorder", readRecorder},
		{"sysfs", readSysfs},
		{"lustre", readLustre},
	}
}

// A Result is what one file said.
type Result struct {
	Inventory
	Formats []string // those that understood a part of it
	Refused string   // why nothing of it was taken; empty where something was
	Guessed string   // the server that only the file's name tells of; empty where the text does
}

// ReadText reads a file. hostOf names the server that printed it, where the text
// does not say so itself; nil takes it from the file's name.
func ReadText(file string, data []byte, hostOf func(file string) string) Result {
	var r Result
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		r.Refused = "the file is empty"
		return r
	case bytes.IndexByte(data, 0) >= 0:
		r.Refused = "the file is not text"
		return r
	}
	if hostOf == nil {
		hostOf = HostOfFile
	}
	texts := Cut(file, data)
	used := map[string]bool{}
	for _, t := range texts {
		guessed := t.Host == ""
		if guessed {
			t.Host = hostOf(file)
		}
		for _, f := range Formats() {
			before := t.Claimed()
			inv := f.Read(t)
			if guessed && namesHost(&inv, t.Host) {
				r.Guessed = t.Host
			}
			r.Add(inv)
			if t.Claimed() > before && !used[f.Name] {
				used[f.Name] = true
				r.Formats = append(r.Formats, f.Name)
			}
		}
	}
	if len(r.Formats) == 0 {
		r.Refused = refusal(texts)
		return r
	}
	r.noteUnclaimed(texts)
	if r.Empty() {
		r.Refused = r.nothing()
	}
	return r
}

// nothing says why a file that was understood tells of no device.
func (r *Result) nothing() string {
	if len(r.Notes) > 0 {
		return r.Notes[0].Text
	}
	return "this is output of " + strings.Join(r.Formats, " and ") + ", but the output names no server and no slot; give output that names a server or a slot"
}

// namesHost reports whether an inventory rests on a server's name.
func namesHost(inv *Inventory, host string) bool {
	return host != "" && (slices.ContainsFunc(inv.Devices, func(d Device) bool { return d.Host == host }) ||
		slices.ContainsFunc(inv.Volumes, func(v Volume) bool { return v.Host == host }))
}

// refusal says why no line of a file was understood.
func refusal(texts []*Text) string {
	for _, t := range texts {
		documents, broken := t.JSON()
		for _, d := range documents {
			has := func(key string) bool { var v any; return d.Into(&v, key) }
			if reason := key(has); reason != "" {
				return reason
			}
		}
		for _, line := range t.All() {
			if reason := reason(line); reason != "" {
				return reason
			}
		}
		if len(broken) > 0 {
			return fmt.Sprintf("line %d: %s", broken[0].Line, broken[0].Text)
		}
		if len(documents) > 0 && len(documents[0].Raw) < 5 {
			return "the list is empty: the tool found no devices"
		}
	}
	return "this is not the output of a known tool; docs/topology.md lists the known tools"
}

// noteUnclaimed names what was not understood of a file, a few runs of it.
func (r *Result) noteUnclaimed(texts []*Text) {
	const few = 3
	count, lines := 0, 0
	var last At
	for _, t := range texts {
		for _, s := range t.Unclaimed() {
			if count++; count > few {
				lines += s.Lines
				last = s.First
				continue
			}
			r.Notef(s.First, "limpet does not understand %s%s%s", excerpt(s.Text), more(s.Lines), why(s.Text))
		}
	}
	if count > few {
		r.Notef(last, "limpet does not understand %d more parts of this file (%d lines)", count-few, lines)
	}
}

func why(line string) string {
	if reason := reason(line); reason != "" {
		return " (" + reason + ")"
	}
	return ""
}

func more(lines int) string {
	if lines == 1 {
		return ""
	}
	return fmt.Sprintf(" and the next %d lines", lines-1)
}

// excerpt is the beginning of a line.
func excerpt(line string) string {
	const width = 48
	line = strings.ToValidUTF8(strings.TrimSpace(line), "?")
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width]) + "…"
	}
	return fmt.Sprintf("%q", line)
}

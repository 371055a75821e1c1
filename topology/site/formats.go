// This file lists every parser, and selects the parsers that understand a file, by its text and
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
	Name     string
	Commands []string // commands that print it; their names in prompts, banners and names of files are not names of servers
	Read     func(*Text) Inventory
}

// Formats returns the formats in the order in which they look at a text. A line belongs to the
// first format that claims it.
func Formats() []Format {
	return []Format{
		{"gpfs", []string{"mmdf", "mmgetstate", "mmhealth", "mmlscluster", "mmlsdisk", "mmlsfs", "mmlsnsd", "mmlspool", "mmperfmon", "mmpmon"}, readGPFS},
		{"lsblk", []string{"lsblk"}, readLsblk},
		{"multipath", []string{"multipath", "multipathd"}, readMultipath},
		{"zfs", []string{"zfs", "zpool"}, readZFS},
		{"ceph", []string{"ceph", "ceph-volume", "cephadm"}, readCeph},
		{"storcli", []string{"storcli", "storcli2", "storcli64", "perccli", "perccli64"}, readStorCLI},
		{"sas2ircu", []string{"sas2ircu", "sas3ircu"}, readSAS2IRCU},
		{"ssacli", []string{"ssacli", "hpssacli", "hpacucli"}, readSsacli},
		{"megacli", []string{"megacli", "megacli64"}, readMegaCLI},
		{"ses", []string{"sg_ses", "ses"}, readSES},
		{"nvme", []string{"nvme"}, readNVMe},
		{"md", []string{"mdadm", "mdstat"}, readMD},
		{"lsscsi", []string{"lsscsi", "scsi"}, readLsscsi},
		{"gluster", []string{"gluster"}, readGluster},
		{"beegfs", []string{"beegfs-ctl", "beegfs"}, readBeeGFS},
		{"hdfs", []string{"hdfs", "hadoop", "dfsadmin"}, readHDFS},
		{"metrics", nil, readMetrics},
		{"recorder", []string{"limpet"}, readRecorder},
		{"sysfs", nil, readSysfs},
		{"lustre", []string{"lctl", "lfs"}, readLustre},
	}
}

// A Result is the content of one file.
type Result struct {
	Inventory
	Formats []string // formats that understood a part of the file
	Refused string   // reason why nothing was taken; "": something was taken
	Guessed string   // server, if only the name of the file names it; "": the text names it
}

// ReadText reads a file. If the text does not name the server that printed it, hostOf returns the
// server; if hostOf is nil, the server comes from the file's name.
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

// nothing returns the reason why a known output describes no device.
func (r *Result) nothing() string {
	if len(r.Notes) > 0 {
		return r.Notes[0].Text
	}
	return "this is output of " + strings.Join(r.Formats, " and ") + ", but the output names no server and no slot; give output that names a server or a slot"
}

// namesHost reports whether a device or volume of an inventory has this server.
func namesHost(inv *Inventory, host string) bool {
	return host != "" && (slices.ContainsFunc(inv.Devices, func(d Device) bool { return d.Host == host }) ||
		slices.ContainsFunc(inv.Volumes, func(v Volume) bool { return v.Host == host }))
}

// refusal returns the reason why no line of a file was understood.
func refusal(texts []*Text) string {
	for _, t := range texts {
		documents, broken := t.JSON()
		for _, d := range documents {
			has := func(key string) bool { var v any; return d.Into(&v, key) }
			if reason := reasonOfKey(has); reason != "" {
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

// noteUnclaimed adds notes about the first few ranges of lines that no format understood.
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

// excerpt returns the beginning of a line, in quotes.
func excerpt(line string) string {
	const width = 48
	line = strings.ToValidUTF8(strings.TrimSpace(line), "?")
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width]) + "…"
	}
	return fmt.Sprintf("%q", line)
}

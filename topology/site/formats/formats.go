package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/beegfs"
	"github.com/limpet-storage/limpet/topology/site/ceph"
	"github.com/limpet-storage/limpet/topology/site/gluster"
	"github.com/limpet-storage/limpet/topology/site/gpfs"
	"github.com/limpet-storage/limpet/topology/site/hdfs"
	"github.com/limpet-storage/limpet/topology/site/lsblk"
	"github.com/limpet-storage/limpet/topology/site/lsscsi"
	"github.com/limpet-storage/limpet/topology/site/lustre"
	"github.com/limpet-storage/limpet/topology/site/md"
	"github.com/limpet-storage/limpet/topology/site/megacli"
	"github.com/limpet-storage/limpet/topology/site/metrics"
	"github.com/limpet-storage/limpet/topology/site/multipath"
	"github.com/limpet-storage/limpet/topology/site/nvme"
	"github.com/limpet-storage/limpet/topology/site/other"
	"github.com/limpet-storage/limpet/topology/site/recorded"
	"github.com/limpet-storage/limpet/topology/site/sasircu"
	"github.com/limpet-storage/limpet/topology/site/ses"
	"github.com/limpet-storage/limpet/topology/site/ssacli"
	"github.com/limpet-storage/limpet/topology/site/storcli"
	"github.com/limpet-storage/limpet/topology/site/sysfs"
	"github.com/limpet-storage/limpet/topology/site/zfs"
)

// A Format is a tool, or a family of tools, and its parser.
type Format struct {
	Name string
	Read func(*site.Text) site.Inventory
}

// All lists the formats in the order in which they look at a text. A line
// belongs to the first that claims it.
func All() []Format {
	return []Format{
		{"gpfs", gpfs.Read},
		{"lsblk", lsblk.Read},
		{"multipath", multipath.Read},
		{"zfs", zfs.Read},
		{"ceph", ceph.Read},
		{"storcli", storcli.Read},
		{"sas2ircu", sasircu.Read},
		{"ssacli", ssacli.Read},
		{"megacli", megacli.Read},
		{"ses", ses.Read},
		{"nvme", nvme.Read},
		{"md", md.Read},
		{"lsscsi", lsscsi.Read},
		{"gluster", gluster.Read},
		{"beegfs", beegfs.Read},
		{"hdfs", hdfs.Read},
		{"metrics", metrics.Read},
		{"recorder", recorded.Read},
		{"sysfs", sysfs.Read},
		{"lustre", lustre.Read},
	}
}

// A Result is what one file said.
type Result struct {
	site.Inventory
	Formats []string // those that understood a part of it
	Refused string   // why nothing of it was taken; empty where something was
	Guessed string   // the server that only the file's name tells of; empty where the text does
}

// Read reads a file. hostOf names the server that printed it, where the text
// does not say so itself; nil takes it from the file's name.
func Read(file string, data []byte, hostOf func(file string) string) Result {
	var r Result
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		r.Refused = "the file is empty"
		return r
	case bytes.IndexByte(data, 0) >= 0:
		r.Refused = "the file is no text"
		return r
	}
	if hostOf == nil {
		hostOf = site.HostOfFile
	}
	texts := site.Cut(file, data)
	used := map[string]bool{}
	for _, t := range texts {
		guessed := t.Host == ""
		if guessed {
			t.Host = hostOf(file)
		}
		for _, f := range All() {
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
	return "output of " + strings.Join(r.Formats, " and ") + " that names no device with its place"
}

// namesHost reports whether an inventory rests on a server's name.
func namesHost(inv *site.Inventory, host string) bool {
	return host != "" && (slices.ContainsFunc(inv.Devices, func(d site.Device) bool { return d.Host == host }) ||
		slices.ContainsFunc(inv.Volumes, func(v site.Volume) bool { return v.Host == host }))
}

// refusal says why no line of a file was understood.
func refusal(texts []*site.Text) string {
	for _, t := range texts {
		documents, broken := t.JSON()
		for _, d := range documents {
			has := func(key string) bool { var v any; return d.Into(&v, key) }
			if reason := other.Key(has); reason != "" {
				return reason
			}
		}
		for _, line := range t.All() {
			if reason := other.Reason(line); reason != "" {
				return reason
			}
		}
		if len(broken) > 0 {
			return fmt.Sprintf("line %d: %s", broken[0].Line, broken[0].Text)
		}
		if len(documents) > 0 && len(documents[0].Raw) < 5 {
			return "an empty list: the tool found nothing"
		}
	}
	return "no output of a tool that is known here; docs/topology.md lists those that are"
}

// noteUnclaimed names what was not understood of a file, a few runs of it.
func (r *Result) noteUnclaimed(texts []*site.Text) {
	const few = 3
	count, lines := 0, 0
	var last site.At
	for _, t := range texts {
		for _, s := range t.Unclaimed() {
			if count++; count > few {
				lines += s.Lines
				last = s.First
				continue
			}
			r.Notef(s.First, "not understood: %s%s%s", excerpt(s.Text), more(s.Lines), why(s.Text))
		}
	}
	if count > few {
		r.Notef(last, "%d more runs of lines, %d lines, not understood in this file", count-few, lines)
	}
}

func why(line string) string {
	if reason := other.Reason(line); reason != "" {
		return " (" + reason + ")"
	}
	return ""
}

func more(lines int) string {
	if lines == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d lines after it", lines-1)
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

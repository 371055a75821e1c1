package prints

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/unpack"
	"github.com/limpet-storage/limpet/topology/site"
)

// Stdin is the name of standard input in a list of files.
const Stdin = "-"

// A Result has the content of the files that Read has read.
type Result struct {
	Looks    []look.Look
	Maps     int // number of maps that were read
	Moves    []site.Move
	Warnings []string
}

// maxFileBytes is the largest number of bytes of a file.
const maxFileBytes = 512 << 20

// Read reads files in the given order. It returns an error if a file cannot be opened, or if no file
// has values that can be compared.
func Read(ctx context.Context, files []string, stdin io.Reader) (*Result, error) {
	r := &Result{}
	var maps []site.Snapshot
	var unknown []error
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := content(file, stdin)
		if err != nil {
			return nil, err
		}
		some, err := r.file(file, data)
		maps = append(maps, some...)
		if err != nil {
			unknown = append(unknown, err)
		}
	}
	if len(r.Looks) == 0 && len(maps) == 0 {
		return nil, errors.Join(unknown...)
	}
	for _, err := range unknown {
		r.Warnings = append(r.Warnings, err.Error())
	}
	r.Maps = len(maps)
	r.place(maps)
	if len(maps) > 1 {
		r.Moves = site.Moves(maps)
	}
	return r, nil
}

// content returns the bytes of a file. If the file is compressed, content decompresses it.
func content(file string, stdin io.Reader) ([]byte, error) {
	src := stdin
	if file != Stdin {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		src = f
	}
	data, err := io.ReadAll(io.LimitReader(src, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(file), err)
	}
	if kind := unpack.KindOf(data[:min(len(data), 16)]); kind != unpack.Plain {
		packed, err := unpack.NewReader(kind, bytes.NewReader(data), unpack.MaxWindow)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(file), err)
		}
		defer packed.Close()
		if data, err = io.ReadAll(io.LimitReader(packed, maxFileBytes+1)); err != nil {
			return nil, fmt.Errorf("%s: the file cannot be unpacked: %w", nameOf(file), err)
		}
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s: the file has more than %d MB, the limit of limpet look: use limpet diagnose --tables for long recordings", nameOf(file), maxFileBytes>>20)
	}
	return data, nil
}

// nameOf returns the name of a file for messages.
func nameOf(file string) string {
	if file == Stdin {
		return "standard input"
	}
	return file
}

// file reads one file. It returns an error if nothing in the file can be used.
func (r *Result) file(file string, data []byte) (maps []site.Snapshot, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", nameOf(file))
	}
	p := tool.ReadPrint(file, data)
	if !bytes.ContainsRune(data, 0) && mapSign.Match(data) {
		maps = mapsOf(file, data, len(p.Looks) > 0)
	}
	if len(p.Looks) == 0 && len(p.Notes) == 0 && len(maps) == 0 {
		p = withoutLooks(file, data, p)
	}
	var notes []string
	for _, n := range p.Notes {
		text := nameOf(file)
		if n.Line > 0 {
			text += fmt.Sprintf(":%d", n.Line)
		}
		notes = append(notes, text+": "+n.Text)
	}
	r.Looks = append(r.Looks, p.Looks...)
	switch {
	case len(p.Looks) > 0 || len(maps) > 0:
		r.Warnings = append(r.Warnings, notes...)
	case len(notes) > 0:
		return nil, errors.New(strings.Join(notes, "\n"))
	default:
		return nil, fmt.Errorf("%s: limpet does not know this format; limpet help look lists the tools whose output limpet reads", nameOf(file))
	}
	return maps, nil
}

// withoutLooks reads a file in which tool.ReadPrint found neither values nor faults. The parameter
// `p` is the result of tool.ReadPrint. The file may be a table. If limpet recognises the file as
// another kind of output, a note of the result names this kind.
func withoutLooks(file string, data []byte, p tool.Print) tool.Print {
	table := tool.ReadTable(file, data)
	const listsDrives = "lsblk" // tool.OtherOutput recognises this output too, but limpet topology import can read it, so storageOf describes it
	if name, _ := tool.OtherOutput(string(data)); len(table.Looks) > 0 || name != "" && name != listsDrives {
		return table
	}
	parts, other := storageOf(file, data)
	switch {
	case parts != "":
		p.Notes = []tool.Note{{Text: fmt.Sprintf("the file is output of %s, which shows the parts of a storage system and no latencies, so limpet look cannot find slow components in it; to draft a topology file from it, run limpet topology import", parts)}}
	case len(table.Notes) > 0:
		return table
	case len(p.Empty) > 0:
		p.Notes = p.Empty
	case other != "":
		p.Notes = []tool.Note{{Text: other + ", and limpet look finds no latencies in it; limpet help look lists the tools whose output limpet reads"}}
	}
	return p
}

// largestStorage is the largest number of bytes of a file that storageOf reads. The parsers of package
// site are slow for a long text of another kind.
const largestStorage = 4 << 20

// titles has the names that messages use for some formats of package site. The other formats already
// have the names of commands or products.
var titles = map[string]string{
	"beegfs": "BeeGFS", "ceph": "Ceph", "gpfs": "GPFS", "hdfs": "HDFS", "lustre": "Lustre", "md": "mdadm or /proc/mdstat", "metrics": "a metrics exporter",
	"ses": "sg_ses", "sysfs": "/sys", "zfs": "ZFS",
}

// storageOf recognises output about the parts of a storage system. If `limpet topology import` can
// read the output, the result `parts` has the names of the tools that printed the output. If import
// recognises the output but cannot read it, the result `other` is a text such as "this is output of
// ceph osd dump".
func storageOf(file string, data []byte) (parts, other string) {
	if len(data) > largestStorage || bytes.IndexByte(data, 0) >= 0 {
		return "", ""
	}
	found := site.ReadText(file, data, nil)
	if found.Refused == "" {
		var names []string
		for _, f := range found.Formats {
			names = append(names, cmp.Or(titles[f], f))
		}
		return strings.Join(names, " and "), ""
	}
	if text := found.Refused; (strings.HasPrefix(text, "this is ") || strings.HasPrefix(text, "these are ")) && !strings.HasPrefix(text, "this is not ") {
		return "", text[:cmp.Or(strings.IndexAny(text, ",;")+1, len(text)+1)-1]
	}
	return "", ""
}

// mapsOf reads the maps of a file. A line with a time begins a new map. The parameter `alsoPrint`
// is true if the file is also a print.
func mapsOf(file string, data []byte, alsoPrint bool) (maps []site.Snapshot) {
	begin := 0
	var s site.Snapshot
	add := func(end int) {
		part := data[begin:end]
		if len(bytes.TrimSpace(part)) == 0 {
			return
		}
		found := site.ReadText(file, part, func(string) string { return "" })
		s.Inventory = found.Inventory
		if useful(&found, alsoPrint) {
			maps = append(maps, s)
		}
	}
	for at := 0; at < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if when, zoned, ok := tool.ParseTimeLine(string(data[at:min(end, at+200)])); ok {
			add(at)
			s = site.Snapshot{Time: when, Zoned: zoned}
			begin = end
		}
		at = end
	}
	add(len(data))
	return maps
}

// mapSign matches every text that may be a map. Only such a text is passed to the parsers of package
// site. These parsers read every line many times, so they are slow for a long print.
var mapSign = regexp.MustCompile(`TYPE NAME|type name|"nodes"|"buckets"|"hostname"|(?m:^\s*\d+ (?:UP|IN|AT|ST) )|IO performed on node|NSD volume ID|NSD servers|mmlsnsd:|mmlsdisk:|size=|"maps"|DAEMONS`)

// mapFormats are the formats of package site that are maps. A map shows which server each component
// belongs to. The other formats of package site only list components. limpet does not need such a
// list here, because the print itself has the names of its components.
var mapFormats = []string{"ceph", "lustre", "gpfs", "multipath"}

// useful reports whether a text has a map. The parameter `alsoPrint` is true if the text is also a
// print. The map must then show the server of at least one component.
func useful(r *site.Result, alsoPrint bool) bool {
	if !slices.ContainsFunc(r.Formats, func(f string) bool { return slices.Contains(mapFormats, f) }) {
		return false
	}
	if !alsoPrint {
		return !r.Empty()
	}
	return slices.ContainsFunc(r.Volumes, func(v site.Volume) bool { return v.Host != "" || len(v.Servers) > 0 })
}

// place sets the server and the kind of each component of r.Looks that is in a map.
func (r *Result) place(maps []site.Snapshot) {
	type position struct{ host, class string }
	known := map[string]position{}
	for i := range maps {
		for _, v := range maps[i].Volumes {
			p := known[v.Name]
			if v.Host != "" {
				p.host = v.Host
			} else if len(v.Servers) > 0 {
				p.host = v.Servers[0]
			}
			if v.Pool != "" {
				p.class = v.Pool
			}
			known[v.Name] = p
		}
	}
	for i := range r.Looks {
		for j := range r.Looks[i].Samples {
			s := &r.Looks[i].Samples[j]
			p, ok := known[s.Component]
			if !ok || s.Host != "" {
				continue
			}
			s.Host = p.host
			if p.class != "" && s.Kind == tool.CephOSDs {
				s.Kind = p.class + " " + s.Kind
			}
		}
	}
}

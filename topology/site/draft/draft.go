package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// Options say how a draft is written.
type Options struct {
	Name  string // of the system
	Names bool   // LUNs by the names that servers give them, even where their WWNs are known
	WWNs  bool   // drives by their WWNs, even where servers have names for them

	// For the head: what was read, and servers that are named after files.
	Source  string
	Guessed []string
}

// A drafter gathers the parts of a file.
type drafter struct {
	options Options
	site    *site.Site
	taken   map[int]bool // devices that are LUNs of an array
	servers []string     // that come up
	checks  []string     // what to check, for the head
}

// Topology writes a topology file. The error says why there is nothing to
// write.
func Topology(s *site.Site, o Options) ([]byte, error) {
	d := &drafter{options: o, site: s, taken: map[int]bool{}}
	arrays := d.arrays()
	drives := d.drives()
	hosts := d.hosts(arrays, drives)
	if len(arrays)+len(drives)+len(hosts) == 0 && s.Hidden > 0 {
		return nil, fmt.Errorf("the files show %s behind RAID controllers, but no device of a server; add the output of `lsblk -J -O` on the same server", count(s.Hidden, "drive"))
	}
	if len(arrays)+len(drives)+len(hosts) == 0 {
		return nil, fmt.Errorf("the files name no drive, no LUN and no storage server; docs/topology.md lists the commands for each kind of site")
	}
	var b strings.Builder
	body := renderArrays(arrays) + renderDrives(drives) + renderHosts(hosts)
	slices.SortFunc(d.servers, topology.Compare)
	file := "\nname: " + scalar(o.Name) + "\nservers: " + pattern(slices.Compact(d.servers), 1) + "\n" + body
	file = strings.ReplaceAll(file, ": \n", ":\n")
	file += d.parts(file)
	d.head(&b)
	b.WriteString(file)
	return []byte(b.String()), nil
}

// head says what the file was drafted from, and what to check.
func (d *drafter) head(b *strings.Builder) {
	b.WriteString("# Drafted from " + d.options.Source + ".\n")
	if len(d.options.Guessed) > 0 {
		d.check("the names of these servers come from the names of files or folders: %s; correct wrong names, or use --host to find the server names in the paths", topology.Fold(d.options.Guessed))
	}
	if d.site.Hidden > 0 {
		d.check("limpet leaves out %s behind RAID controllers, because servers have no device names for these drives", count(d.site.Hidden, "drive"))
	}
	if len(d.checks) == 0 {
		return
	}
	b.WriteString("#\n# To check:\n")
	for _, text := range d.checks {
		writeComment(b, text)
	}
}

// check adds a line to the head, once.
func (d *drafter) check(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.checks, text) {
		d.checks = append(d.checks, text)
	}
}

// writeComment breaks a text into lines of a comment.
func writeComment(b *strings.Builder, text string) {
	const width = 96
	line := "# -"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = "#  "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// server notes a server that the file names.
func (d *drafter) server(host string) string {
	if host == site.UnknownServer {
		d.check("the server of some files is unknown: replace the name %s with the name of the server, or name the files after their servers and import the files again", host)
	}
	d.servers = append(d.servers, host)
	return host
}

// countOf counts with a verb: "1 LUN is", "3 LUNs are".
func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

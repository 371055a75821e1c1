package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// Options of a draft.
type Options struct {
	Name  string // of the system
	Names bool   // list LUNs by the servers' device names, even if the WWNs are known
	WWNs  bool   // list drives by WWN, even if servers have names for them

	// For the head of the file.
	Source  string   // files that were read
	Guessed []string // servers whose names come from names of files or folders
}

// A drafter gathers the parts of a file.
type drafter struct {
	options Options
	site    *site.Site
	taken   map[int]bool // devices that are LUNs of an array
	servers []string     // servers that the file names
	checks  []string     // facts that the operator must check, for the head
}

// Topology returns the text of a topology file; an error if the site has no drive, no LUN and
// no storage server.
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

// head writes the source of the draft, and the list of facts to check.
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

// check adds a fact to check to the head, unless the head already has it.
func (d *drafter) check(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.checks, text) {
		d.checks = append(d.checks, text)
	}
}

// writeComment writes a text as a comment, with line breaks.
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

// server adds a server to the servers of the file, and returns its name.
func (d *drafter) server(host string) string {
	if host == site.UnknownServer {
		d.check("the server of some files is unknown: replace the name %s with the name of the server, or name the files after their servers and import the files again", host)
	}
	d.servers = append(d.servers, host)
	return host
}

// countOf writes a count with a noun and a verb: "1 LUN is", "3 LUNs are".
func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

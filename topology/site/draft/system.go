package draft

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// System writes the topology file of a system that [topology.Discover] made. A
// diagnosis with this file compares the same components, under the same names, as a
// diagnosis without a topology.
func System(s *topology.System, o Options) ([]byte, error) {
	if len(s.Components) == 0 {
		return nil, errors.New("the files name no drive and no LUN; docs/topology.md lists the commands for each kind of site")
	}
	d := &drafter{options: o, site: &site.Site{}}
	body := renderArrays(d.discoveredArrays(s)) + renderDrives(d.discoveredDrives(s)) + renderInterfaces(s)
	servers := slices.SortedFunc(slices.Values(s.Servers), topology.Compare)
	file := "\nname: " + scalar(o.Name) + "\nservers: " + pattern(servers, 1) + "\n" + body + renderHosts(discoveredHosts(s)) + "\nserver_peers: name\n"
	file = strings.ReplaceAll(file, ": \n", ":\n")
	file += d.discoveredParts(s, file)
	var b strings.Builder
	d.head(&b)
	b.WriteString(file)
	return []byte(b.String()), nil
}

// discoveredHosts lists the servers that are judged by their connections: all servers
// with interfaces, if they are enough to be compared. Later files may have connections
// even if these files have none.
func discoveredHosts(s *topology.System) []string {
	var hosts, wired []string
	for i := range s.Components {
		switch c := &s.Components[i]; c.Kind {
		case topology.Host:
			hosts = append(hosts, c.Server)
		case topology.Interface:
			wired = append(wired, c.Server)
		}
	}
	slices.SortFunc(wired, topology.Compare)
	if wired = slices.Compact(wired); len(wired) >= topology.MinPeers {
		hosts = append(hosts, wired...)
	}
	slices.SortFunc(hosts, topology.Compare)
	return slices.Compact(hosts)
}

// discoveredArrays lists the arrays with their LUNs.
func (d *drafter) discoveredArrays(s *topology.System) []array {
	var list []array
	at, lunAt := map[string]int{}, map[string]int{}
	for i := range s.Components {
		c := &s.Components[i]
		if c.LUN == "" {
			continue
		}
		k, ok := at[c.Array]
		if !ok {
			k = len(list)
			at[c.Array] = k
			list = append(list, array{name: c.Array, whole: true})
		}
		a := &list[k]
		if _, ok := lunAt[c.LUN]; !ok {
			lunAt[c.LUN] = len(a.luns)
			name := c.LUN
			if safe(name) != name {
				name = c.WWN
			}
			a.luns = append(a.luns, lun{name: name, devices: map[string]*site.MergedDevice{}})
		}
		if !slices.Contains(a.servers, c.Server) {
			a.servers = append(a.servers, c.Server)
		}
		a.luns[lunAt[c.LUN]].take(&site.MergedDevice{Device: site.Device{Name: c.Device, WWN: c.WWN, Model: c.Model, SizeBytes: c.SizeBytes}}, c.Server)
	}
	for i := range list {
		slices.SortFunc(list[i].servers, topology.Compare)
		list[i].label()
		list[i].body = d.discoveredBody(&list[i])
	}
	slices.SortStableFunc(list, func(a, b array) int { return topology.Compare(a.name, b.name) })
	if len(list) > 0 {
		d.check("LUNs with the same servers are listed as one array. The controllers are unknown: if the array has controllers, add the setting \"controllers\"")
		d.check("the primary servers of the LUNs are unknown, so all servers have the same priority; if there are primary servers, add the setting \"priority\"")
	}
	return list
}

// discoveredBody writes the settings of an entry of arrays after its names and
// servers. It leaves out models and sizes that are known of some LUNs only.
func (d *drafter) discoveredBody(a *array) string {
	var labels, models, sizes []string
	for _, l := range a.luns {
		labels, models, sizes = append(labels, l.label), append(models, l.model), append(sizes, size(l.bytes))
	}
	text := "    luns: " + pattern(labels, 3) + "\n    lun_names: whole\n"
	text += known("models", models, labels) + known("sizes", sizes, labels)
	names := a.namesByServer()
	if names == nil || d.options.WWNs {
		return text + "    devices: " + pattern(a.wwns(), 3) + "\n"
	}
	usual := mostCommon(names, a.servers)
	return text + "    devices: " + pattern(usual, 3) + "\n" + exceptions(a, names, usual) + "    peers: class\n"
}

// known writes a setting if every member has a value; else it returns "".
func known(key string, values, members []string) string {
	if slices.Contains(values, "") {
		return ""
	}
	return partition(key, values, members, 2)
}

// discoveredDrives lists the drives of each server.
func (d *drafter) discoveredDrives(s *topology.System) []drives {
	members := map[string][]*topology.Component{}
	var servers []string
	for i := range s.Components {
		c := &s.Components[i]
		if c.Kind != topology.Attachment || c.LUN != "" {
			continue
		}
		if members[c.Server] == nil {
			servers = append(servers, c.Server)
		}
		members[c.Server] = append(members[c.Server], c)
	}
	peers := ""
	if comparedByName(s) {
		peers = "    peers: name\n"
	}
	var list []drives
	for _, server := range servers {
		var names, slots, models, sizes []string
		for _, c := range members[server] {
			names = append(names, d.driveReference(c))
			slots, models, sizes = append(slots, c.Slot), append(models, strings.TrimSpace(c.Model)), append(sizes, size(c.SizeBytes))
		}
		text := "    devices: " + pattern(names, 3) + "\n"
		if !slices.ContainsFunc(slots, func(slot string) bool { return slot == "" || safe(slot) != slot }) && distinct(slots) == len(slots) {
			text += "    slots: " + pattern(slots, 3) + "\n"
		}
		list = append(list, drives{server, text + known("models", models, names) + known("sizes", sizes, names) + peers})
	}
	if len(list) > 0 {
		d.check("the list may include system disks: remove the system disks from the list, or put these disks into a separate set")
	}
	return list
}

// driveReference returns the name of a drive in the file: the name of its component, or its
// WWN if options or an unusual name require it.
func (d *drafter) driveReference(c *topology.Component) string {
	name := strings.TrimPrefix(c.Name, c.Server+"/")
	if c.WWN != "" && (d.options.WWNs || name != c.Device || safe(name) != name) {
		return "naa." + c.WWN
	}
	return safe(name)
}

// comparedByName reports whether drives are compared with drives of the same name on other
// servers instead of the other drives of their server.
func comparedByName(s *topology.System) bool {
	type place struct{ server, class string }
	group := map[place]int{}
	server := map[int]string{} // by group
	for i := range s.Components {
		c := &s.Components[i]
		if c.Kind != topology.Attachment || c.LUN != "" {
			continue
		}
		at := place{c.Server, c.Class()}
		if g, ok := group[at]; ok && g != c.Group {
			return true
		}
		if other, ok := server[c.Group]; ok && other != c.Server {
			return true
		}
		group[at], server[c.Group] = c.Group, c.Server
	}
	return false
}

// renderInterfaces writes the entries of interfaces. Servers with the same interfaces share an
// entry.
func renderInterfaces(s *topology.System) string {
	names := map[string][]string{}
	var servers, bodies []string
	for i := range s.Components {
		c := &s.Components[i]
		if c.Kind != topology.Interface {
			continue
		}
		if names[c.Server] == nil {
			servers = append(servers, c.Server)
		}
		names[c.Server] = append(names[c.Server], c.Device)
	}
	alike := map[string][]string{}
	for _, server := range servers {
		body := "    names: " + pattern(names[server], 3) + "\n"
		if alike[body] == nil {
			bodies = append(bodies, body)
		}
		alike[body] = append(alike[body], server)
	}
	if len(servers) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\ninterfaces:\n")
	for _, body := range bodies {
		b.WriteString("  - servers: " + pattern(alike[body], 3) + "\n" + body)
	}
	return b.String()
}

// discoveredParts writes the facts about components that the file so far lacks: the
// kernels of servers, and below them the other facts.
func (d *drafter) discoveredParts(s *topology.System, file string) string {
	written, _, err := topology.Parse("draft", []byte(file))
	if err != nil {
		return "" // a bug, which the reader of the draft reports
	}
	kernel := map[string][]string{}
	var order []string
	for i := range s.Components {
		c := &s.Components[i]
		if c.Kernel == "" || slices.Contains(kernel[c.Kernel], c.Server) {
			continue
		}
		if kernel[c.Kernel] == nil {
			order = append(order, c.Kernel)
		}
		kernel[c.Kernel] = append(kernel[c.Kernel], c.Server)
	}
	slices.SortFunc(order, topology.Compare)
	text := ""
	for _, k := range order {
		slices.SortFunc(kernel[k], topology.Compare)
		text += fmt.Sprintf("  %s: {kernel: %q}\n", quoted(topology.Fold(kernel[k])), k)
	}
	if text += factLines(d.missingFacts(s, written)); text == "" {
		return ""
	}
	return "\nparts:\n" + text
}

// A fact is text for the section parts, and the name of the component or LUN that has it.
type fact struct{ name, text string }

// missingFacts lists the facts of components that the written file lacks. Facts that
// all paths of a LUN have in common are listed once, under the name of the LUN.
func (d *drafter) missingFacts(s, written *topology.System) []fact {
	var list []fact
	texts := make([]string, len(s.Components))
	differs := map[string]bool{} // LUNs
	first := map[string]int{}
	for i := range s.Components {
		c := &s.Components[i]
		if k, ok := d.find(written, c); ok {
			texts[i] = lacking(c, &written.Components[k])
		}
		if k, ok := first[c.LUN]; ok {
			differs[c.LUN] = differs[c.LUN] || texts[k] != texts[i]
			continue
		}
		first[c.LUN] = i
	}
	for i := range s.Components {
		c := &s.Components[i]
		switch {
		case texts[i] == "", c.LUN != "" && !differs[c.LUN] && first[c.LUN] != i:
		case c.LUN != "" && !differs[c.LUN]:
			list = append(list, fact{c.LUN, texts[i]})
		default:
			list = append(list, fact{d.writtenName(written, c), texts[i]})
		}
	}
	return list
}

// find returns the index of a discovered component in the written file.
func (d *drafter) find(written *topology.System, c *topology.Component) (int, bool) {
	if c.Kind != topology.Attachment {
		return 0, false
	}
	if k, ok := written.Lookup(c.Name); ok {
		return k, true
	}
	return written.Find(c.Server, topology.Device{Name: c.Device, WWN: c.WWN})
}

func (d *drafter) writtenName(written *topology.System, c *topology.Component) string {
	k, _ := d.find(written, c)
	return written.Components[k].Name
}

// lacking returns the facts about a component that the written component lacks, as text
// for the section parts. The kernel is left out, because it is written for servers. The
// kind and the redundancy of storage follow from the name of the pool.
func lacking(c, written *topology.Component) string {
	facts := *c
	facts.Kernel = ""
	facts.Model = strings.TrimSpace(c.Model)
	facts.Storage, facts.Redundancy = protection(c.Pool)
	for _, key := range topology.PartKeys() {
		if facts.Fact(key) == written.Fact(key) {
			facts.Clear(key)
		}
	}
	text := factsOf(&facts)
	if c.WWN != "" && written.WWN == "" {
		text = strings.TrimPrefix(text+", wwn: naa."+c.WWN, ", ")
	}
	return text
}

// factLines writes facts. Adjacent names with the same facts share a line.
func factLines(list []fact) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		names := []string{list[i].name}
		for i+len(names) < len(list) && list[i+len(names)].text == list[i].text && folds(append(slices.Clone(names), list[i+len(names)].name)) {
			names = append(names, list[i+len(names)].name)
		}
		if list[i].text != "" {
			fmt.Fprintf(&b, "  %s: {%s}\n", quoted(topology.Fold(names)), list[i].text)
		}
		i += len(names)
	}
	return b.String()
}

package topology

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
)

// Unmatched compares the topology with the data and returns the differences in both directions:
// components without data, with their line in the file, and drives in the data that the topology
// does not name. Servers that differ in the same way share one warning.
//
// Interfaces and hosts are compared only if the data have any.
func (s *System) Unmatched(seen []Seen) []Warning {
	found := make(map[int]bool)
	kinds := map[Kind]bool{Attachment: true}
	servers := make(map[string]bool)
	drives := make(map[string][]string) // drives that the topology does not name, by server
	var unnamed groupedNames[string]
	var others groupedNames[kindOf]
	for _, v := range sorted(s.withServerNames(seen)) {
		kinds[v.Kind], servers[v.Server] = true, true
		i, ok := s.find(v)
		switch {
		case ok:
			found[i] = true
		case v.Kind == Host:
		case v.ReasonLeftOut() == "":
			unnamed.add(v.Server, v.Device.String())
			if v.Kind == Attachment {
				drives[v.Server] = append(drives[v.Server], v.Device.String())
			}
			fallthrough
		case v.Kind == Attachment:
			others.add(kindOf{v.Server, v.Kind}, v.Device.String())
		}
	}
	missing := slices.DeleteFunc(round(0, len(s.Components)), func(i int) bool {
		return found[i] || !kinds[s.Components[i].Kind] || s.Components[i].bare()
	})
	warnings := append(s.misnamed(missing, servers, drives), s.missingWarnings(missing, servers, others)...)
	return append(warnings, s.unnamedWarnings(unnamed)...)
}

// The names of drives count as wrong if two conditions hold:
//
//   - At least a share of misnamedShare of the servers lack drives that the topology names, and
//     have drives that it does not name.
//   - These are at least misnamedServers servers, or a server lacks more than one drive: on one
//     server, a single drive may have died, and the other drive may be the system disk.
const (
	misnamedShare   = 0.5
	misnamedServers = 3
)

// misnamed warns if the names of drives do not fit: most servers lack some of the named drives, and
// have other drives instead. Then the data of a drive may be assigned to another drive.
func (s *System) misnamed(missing []int, servers map[string]bool, drives map[string][]string) []Warning {
	lack := map[string]int{}
	line, all := 0, 0
	for _, i := range missing {
		if c := &s.Components[i]; c.Kind == Attachment && servers[c.Server] && len(drives[c.Server]) > 0 {
			lack[c.Server]++
			all++
			line = cmp.Or(line, c.Line)
		}
	}
	known := slices.DeleteFunc(slices.Clone(s.Servers), func(server string) bool { return !servers[server] })
	who := slices.DeleteFunc(slices.Clone(known), func(server string) bool { return lack[server] == 0 })
	if len(who) == 0 || float64(len(who)) < misnamedShare*float64(len(known)) || len(who) < misnamedServers && all <= len(who) {
		return nil
	}
	text := fmt.Sprintf("the names of drives in the topology file do not fit the data: there are no data of %s on %s, and %s drives that the file does not name (such as %s of %s). If the names are wrong, limpet names the wrong drive: correct the names before you use a verdict",
		plural(all, "component"), brief(who), english.Verb(len(who), "this server has", "these servers have"), brief(drives[who[0]]), who[0])
	return []Warning{{File: s.File, Line: line, Grave: true, Text: text}}
}

func (s *System) withServerNames(seen []Seen) []Seen {
	seen = slices.Clone(seen)
	for i := range seen {
		seen[i].Server = s.serverName(seen[i].Server)
	}
	return seen
}

func (s *System) find(v Seen) (component int, ok bool) {
	switch v.Kind {
	case Interface:
		return s.FindInterface(v.Server, v.Device.Name)
	case Host:
		return s.FindHost(v.Server)
	}
	return s.Find(v.Server, v.Device)
}

// kindOf identifies the components of one kind on a server.
type kindOf struct {
	server string
	kind   Kind
}

// An absence describes missing components that several servers have in common.
type absence struct {
	line   int
	count  int    // number of missing components of each server
	silent bool   // the server has no data at all
	only   string // name of the component, if only one is missing and the server has other data
	others string // devices of the server in the data that the topology does not name
}

// missingWarnings warns about components without data. It also lists the devices with data that the
// topology does not name: a component may be there under another name.
func (s *System) missingWarnings(missing []int, servers map[string]bool, others groupedNames[kindOf]) []Warning {
	type place struct {
		line int
		kindOf
	}
	var lacks groupedNames[place]
	for _, i := range missing {
		c := &s.Components[i]
		lacks.add(place{c.Line, kindOf{c.Server, c.Kind}}, c.Name)
	}
	slices.SortFunc(lacks.order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), Compare(a.server, b.server), cmp.Compare(a.kind, b.kind))
	})
	var alike groupedNames[absence]
	for _, p := range lacks.order {
		a := newAbsence(p.line, lacks.lists[p], !servers[p.server])
		if !a.silent {
			a.others = brief(others.lists[p.kindOf])
		}
		alike.add(a, p.server)
	}
	var warnings []Warning
	for _, a := range alike.order {
		warnings = append(warnings, Warning{File: s.File, Line: a.line, Text: a.text(alike.lists[a]), ServersWithoutData: a.silent})
	}
	return warnings
}

func newAbsence(line int, names []string, silent bool) absence {
	a := absence{line: line, count: len(names), silent: silent}
	if a.count == 1 && !silent {
		a.only = names[0]
	}
	return a
}

func (a absence) text(servers []string) string {
	n, missing := len(servers), a.count*len(servers)
	who, total := brief(servers), plural(missing, "component")
	switch {
	case a.silent:
		return fmt.Sprintf("there are no data of %s, which should have %s; add the files of %s", who, total, english.Verb(n, "this server, or remove the server from the topology file", "these servers, or remove the servers from the topology file"))
	case a.only != "":
		total = a.only
	}
	if a.others == "" {
		return fmt.Sprintf("there are no data of %s on %s, although all other drives of %s have data; record %s", total, who,
			english.Verb(n, "this server", "these servers"), english.Verb(missing, "the missing drive, or remove the drive from the topology file", "the missing drives, or remove the drives from the topology file"))
	}
	return fmt.Sprintf("there are no data of %s on %s; %s devices that the topology file does not name: %s. Check the names of the devices in the topology file", total, who, english.Verb(n, "this server has", "these servers have"), a.others)
}

// unnamedWarnings warns about drives that the topology does not name.
func (s *System) unnamedWarnings(unnamed groupedNames[string]) []Warning {
	var alike groupedNames[string]
	for _, server := range unnamed.order {
		devices := unnamed.lists[server]
		what := brief(devices)
		if len(devices) > 1 {
			what = fmt.Sprintf("%s (%s)", plural(len(devices), "device"), what)
		}
		alike.add(what, server)
	}
	var warnings []Warning
	for _, what := range alike.order {
		text := fmt.Sprintf("the topology file does not name %s of %s; add these devices to the file if they belong to the storage system", what, brief(alike.lists[what]))
		warnings = append(warnings, Warning{File: s.File, Text: text})
	}
	return warnings
}

// groupedNames are names by a key. They keep the order in which the keys were added.
type groupedNames[K comparable] struct {
	order []K
	lists map[K][]string
}

func (f *groupedNames[K]) add(key K, name string) {
	if f.lists == nil {
		f.lists = make(map[K][]string)
	}
	if f.lists[key] == nil {
		f.order = append(f.order, key)
	}
	f.lists[key] = append(f.lists[key], name)
}

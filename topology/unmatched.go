package topology

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
)

// Unmatched compares what the topology names with what the data has and says
// both differences: components without data, with the line that names them,
// and drives of the data that the topology does not name. Servers that differ
// in the same way are one warning.
//
// Interfaces and hosts are looked at only where the data has any.
func (s *System) Unmatched(seen []Seen) []Warning {
	found := make(map[int]bool)
	kinds := map[Kind]bool{Attachment: true}
	servers := make(map[string]bool)
	drives := make(map[string][]string) // that are not named, by server
	var strange folder[string]
	var others folder[kindOf]
	for _, v := range sorted(s.withServerNames(seen)) {
		kinds[v.Kind], servers[v.Server] = true, true
		i, ok := s.find(v)
		switch {
		case ok:
			found[i] = true
		case v.Kind == Host:
		case v.LeftOut() == "":
			strange.add(v.Server, v.Device.String())
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
	return append(warnings, s.strangeWarnings(strange)...)
}

// misnamedShare is the share of the servers that names have to fail on to be wrong
// themselves, and misnamedServers how many at the least, unless more than one drive fails
// on one: a drive that died beside a system disk is on one server.
const (
	misnamedShare   = 0.5
	misnamedServers = 3
)

// misnamed says that the names of drives do not fit: most servers lack some of those
// that are named, and have others instead. Each may then be taken for another.
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
	text := fmt.Sprintf("the names of drives in the topology file do not fit the data: there are no data of %s on %s, and %s drives that the file does not name (such as %s of %s); if the names are wrong, a verdict names the wrong drive: correct the names first",
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

// kindOf is the components of a kind that a server has.
type kindOf struct {
	server string
	kind   Kind
}

// An absence is what several servers lack alike.
type absence struct {
	line   int
	count  int    // components of each server
	silent bool   // there are no data of the server at all
	only   string // the component where it is one, of a server that is not silent
	others string // devices that the data have of the server and the topology does not name
}

// missingWarnings says which components have no data, and which devices have
// some that nothing is named after: a component may stand there under another
// name.
func (s *System) missingWarnings(missing []int, servers map[string]bool, others folder[kindOf]) []Warning {
	type place struct {
		line int
		kindOf
	}
	var lacks folder[place]
	for _, i := range missing {
		c := &s.Components[i]
		lacks.add(place{c.Line, kindOf{c.Server, c.Kind}}, c.Name)
	}
	slices.SortFunc(lacks.order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), Compare(a.server, b.server), cmp.Compare(a.kind, b.kind))
	})
	var alike folder[absence]
	for _, p := range lacks.order {
		a := newAbsence(p.line, lacks.lists[p], !servers[p.server])
		if !a.silent {
			a.others = brief(others.lists[p.kindOf])
		}
		alike.add(a, p.server)
	}
	var warnings []Warning
	for _, a := range alike.order {
		warnings = append(warnings, Warning{File: s.File, Line: a.line, Text: a.text(alike.lists[a]), Silent: a.silent})
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

// strangeWarnings says which drives the topology does not name.
func (s *System) strangeWarnings(strange folder[string]) []Warning {
	var alike folder[string]
	for _, server := range strange.order {
		devices := strange.lists[server]
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

// A folder puts together the names of which the same is to be said, in the
// order in which they come.
type folder[K comparable] struct {
	order []K
	lists map[K][]string
}

func (f *folder[K]) add(key K, name string) {
	if f.lists == nil {
		f.lists = make(map[K][]string)
	}
	if f.lists[key] == nil {
		f.order = append(f.order, key)
	}
	f.lists[key] = append(f.lists[key], name)
}

package topology

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/devname"
)

// An identity is a name by which a source of samples may refer to a component.
type identity struct {
	kind   Kind
	server string
	id     string // "wwn-0x…", "sdb" or "dev259-3"; the name of an interface; "" for a host
}

// Find returns the component for a device of a server. It looks for the WWN, then for the name,
// then for the number, whichever the topology file has. If the WWN of a component is known, a
// device with another WWN does not match, even if the name does: names move from drive to drive
// between boots. The server may have its domain.
//
// Several devices of one server may be one component: the paths of a multipath device have its WWN.
func (s *System) Find(server string, d Device) (component int, ok bool) {
	server = s.serverName(server)
	for _, id := range d.identities() {
		i, ok := s.byID[identity{Attachment, server, id}]
		if ok && agree(s.Components[i].WWN, d.wwn()) {
			return i, true
		}
	}
	return 0, false
}

// FindInterface returns the component for a network interface of a server.
func (s *System) FindInterface(server, name string) (component int, ok bool) {
	component, ok = s.byID[identity{Interface, s.serverName(server), name}]
	return component, ok
}

// FindHost returns the component for a server as the other machines on the network see it.
func (s *System) FindHost(server string) (component int, ok bool) {
	component, ok = s.byID[identity{Host, s.serverName(server), ""}]
	return component, ok
}

// Lookup returns the component with exactly this name.
func (s *System) Lookup(name string) (component int, ok bool) {
	component, ok = s.byName[name]
	return component, ok
}

func agree(a, b string) bool { return a == "" || b == "" || a == b }

// serverName removes the domain if the system knows the server only without it.
func (s *System) serverName(server string) string {
	short, _, _ := strings.Cut(server, ".")
	if !s.hasServer[server] && s.hasServer[short] {
		return short
	}
	return server
}

// identities returns the names of a device, the most reliable first.
func (d Device) identities() []string {
	var ids []string
	if wwn := d.wwn(); wwn != "" {
		if _, partition := d.class(); !partition {
			ids = append(ids, "wwn-0x"+wwn)
		}
	}
	if d.Name != "" {
		ids = append(ids, d.Name)
	}
	if d.Major != 0 {
		ids = append(ids, devname.Of(d.Major, d.Minor), devname.Number(d.Major, d.Minor))
	}
	return ids
}

// identities returns the names by which a component may be found.
func (c *Component) identities() []string {
	switch {
	case c.Kind == Host:
		return []string{""}
	case c.WWN == "":
		return []string{c.Device}
	case c.Device == "":
		return []string{"wwn-0x" + c.WWN}
	}
	return []string{"wwn-0x" + c.WWN, c.Device}
}

// A clash is two components with one name.
type clash struct {
	first, second int
	device        string // "": the components themselves have the same name
}

// index fills the maps of Find and Lookup, and returns the clashes.
func (s *System) index() []clash {
	s.byName = make(map[string]int, len(s.Components))
	s.byID = make(map[identity]int, len(s.Components))
	s.hasServer = make(map[string]bool, len(s.Servers))
	for _, server := range s.Servers {
		s.hasServer[server] = true
	}
	var clashes []clash
	for i := range s.Components {
		c := &s.Components[i]
		if first, taken := s.byName[c.Name]; taken {
			clashes = append(clashes, clash{first: first, second: i})
			continue
		}
		s.byName[c.Name] = i
		clashes = append(clashes, s.indexDevice(i)...)
	}
	return clashes
}

func (s *System) indexDevice(i int) []clash {
	var clashes []clash
	c := &s.Components[i]
	for _, id := range c.identities() {
		key := identity{c.Kind, c.Server, id}
		first, taken := s.byID[key]
		switch {
		case id == "" && c.Kind != Host: // no device given
		case taken:
			clashes = append(clashes, clash{first, i, id})
		default:
			s.byID[key] = i
		}
	}
	return clashes
}

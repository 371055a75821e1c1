package topology

import "slices"

// Only returns the part of a system that belongs to some servers, and for each component its index
// in the whole system. Peer groups keep their names; empty groups are removed.
func (s *System) Only(keep func(server string) bool) (part *System, was []int) {
	part = &System{Name: s.Name, File: s.File, DrivesByName: s.DrivesByName}
	group := make([]int, len(s.Groups)) // number in the part, by index in the whole
	for i, g := range s.Groups {
		if slices.ContainsFunc(g.Members, func(m int) bool { return keep(s.Components[m].Server) }) {
			part.Groups = append(part.Groups, PeerGroup{ID: len(part.Groups) + 1, Name: g.Name})
			group[i] = len(part.Groups)
		}
	}
	for i := range s.Components {
		if c := s.Components[i]; keep(c.Server) {
			c.Group = group[c.Group-1]
			g := &part.Groups[c.Group-1]
			g.Members = append(g.Members, len(part.Components))
			part.Components = append(part.Components, c)
			was = append(was, i)
		}
	}
	part.keepTiers(s, keep)
	part.index() // no clash is possible: all names are names of the whole
	return part, was
}

// keepTiers lists the servers, arrays and so on of a part's components, in the order of the whole.
func (s *System) keepTiers(whole *System, keep func(server string) bool) {
	used := func(name func(*Component) string) map[string]bool {
		set := map[string]bool{}
		for i := range s.Components {
			set[name(&s.Components[i])] = true
		}
		return set
	}
	filter := func(names []string, set map[string]bool) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !set[n] })
	}
	s.Servers = slices.DeleteFunc(slices.Clone(whole.Servers), func(n string) bool { return !keep(n) })
	s.Arrays = filter(whole.Arrays, used(func(c *Component) string { return c.Array }))
	s.Controllers = filter(whole.Controllers, used(func(c *Component) string { return c.Controller }))
	s.LUNs = filter(whole.LUNs, used(func(c *Component) string { return c.LUN }))
	s.Sets = filter(whole.Sets, used(func(c *Component) string { return c.Set }))
}

// PlacesIn returns the index of each component in another system, by name; -1: the other system
// does not have it.
func (s *System) PlacesIn(other *System) []int {
	to := make([]int, len(s.Components))
	for i := range to {
		to[i] = -1
		if at, ok := other.Lookup(s.Components[i].Name); ok {
			to[i] = at
		}
	}
	return to
}

package topology

import (
	"fmt"
	"slices"
)

// ComparesByName reports whether a comparison of servers uses [System.ByName]: there is no topology
// file, or the topology file requests it. So a system drive is not a peer of a data drive.
func (s *System) ComparesByName() bool { return s.File == "" || s.DrivesByName }

// PeersOnServers returns the number of peers that a component has in a comparison of servers. It
// returns 0 for a number that no component has.
func (s *System) PeersOnServers(component int) int {
	if component < 0 || component >= len(s.Components) {
		return 0
	}
	c := &s.Components[component]
	if !s.ComparesByName() || !c.isNamedDrive() {
		if c.Group < 1 || c.Group > len(s.Groups) {
			return 0
		}
		return len(s.Groups[c.Group-1].Members) - 1
	}
	n := -1 // the component is not a peer of its own
	for i := range s.Components {
		if other := &s.Components[i]; other.isNamedDrive() && other.Device == c.Device {
			n++
		}
	}
	return n
}

// isNamedDrive reports whether ByName compares the component by its name.
func (c *Component) isNamedDrive() bool { return c.Kind == Attachment && !c.Service }

// ByName returns a system of the same components in which drives are peers of the drives with the
// same name on all servers, because these drives have the same role. Other components keep their
// peers. Components have the same numbers in both systems.
func (s *System) ByName() *System {
	out := *s
	out.Components, out.Groups = slices.Clone(s.Components), nil
	at := map[string]int{}
	for i := range out.Components {
		c := &out.Components[i]
		name := s.Groups[c.Group-1].Name
		if c.isNamedDrive() {
			name = fmt.Sprintf("drives %s", c.Device)
		}
		g, ok := at[name]
		if !ok {
			g = len(out.Groups)
			at[name], out.Groups = g, append(out.Groups, PeerGroup{ID: g + 1, Name: name})
		}
		c.Group = g + 1
		out.Groups[g].Members = append(out.Groups[g].Members, i)
	}
	return &out
}

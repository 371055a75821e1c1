package topology

import (
	"cmp"
	"fmt"
	"slices"
)

// A Listed component comes with the name of its peer group.
type Listed struct {
	Component
	Peers string // "host_22"; the component's own Group is filled in by [List]
}

// List makes a system of components that their source names one by one, as
// the lines of a table do. Groups and, within them, components stand in the
// order of [Compare], whatever the order in which they were found.
func List(name string, listed []Listed) (*System, []Warning, error) {
	listed = slices.Clone(listed)
	slices.SortFunc(listed, func(a, b Listed) int {
		return cmp.Or(Compare(a.Peers, b.Peers), Compare(a.Name, b.Name))
	})
	a := assembly{System: System{Name: name}}
	for i := range listed {
		a.enlist(&listed[i])
	}
	a.listTiers()
	system := a.System
	if clashes := system.index(); len(clashes) > 0 {
		return nil, nil, system.listedTwice(clashes[0])
	}
	return &system, system.Check(), nil
}

// enlist adds a component to the last group, or to a new one where its group
// has another name.
func (s *System) enlist(l *Listed) {
	if n := len(s.Groups); n == 0 || s.Groups[n-1].Name != l.Peers {
		s.Groups = append(s.Groups, PeerGroup{ID: n + 1, Name: l.Peers})
	}
	g := &s.Groups[len(s.Groups)-1]
	g.Members = append(g.Members, len(s.Components))
	c := l.Component
	c.Group = g.ID
	s.Components = append(s.Components, c)
}

func (s *System) listedTwice(c clash) error {
	first, second := &s.Components[c.first], &s.Components[c.second]
	if c.device == "" {
		group, other := s.Groups[first.Group-1].Name, s.Groups[second.Group-1].Name
		return fmt.Errorf("component %s is listed twice, in group %s and in group %s; list each component once", second.Name, group, other)
	}
	return fmt.Errorf("device %s of server %s is given for two components, %s and %s; give each component its own device",
		c.device, second.Server, first.Name, second.Name)
}

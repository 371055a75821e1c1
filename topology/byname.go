package topology

import (
	"fmt"
	"slices"
)

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
		if c.Kind == Attachment && !c.Service {
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

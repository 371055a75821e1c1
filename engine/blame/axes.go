package blame

import (
	"github.com/limpet-storage/limpet/internal/state"
)

// Axes are the names of all components, servers, peer groups and LUNs. A saved state refers to them
// by name and not by number. So the state can be restored after the topology has changed.
type Axes struct {
	Components, Servers, Groups, LUNs *state.Axis
}

// Axes returns the axes of a system. If the codec saves, Axes writes the names of the system's
// parts. If the codec restores, Axes reads the names in the saved state, and finds the numbers that
// the named parts have now. A drive with the same name but another WWN is another drive.
func (m *Map) Axes(c *state.Codec) *Axes {
	var components, groups, luns []state.Named
	for i := range m.System.Components {
		components = append(components, state.Named{Name: m.Component(i).Name, Identity: m.Component(i).WWN})
	}
	for i := range m.System.Groups {
		groups = append(groups, state.Named{Name: m.System.Groups[i].Name})
	}
	for _, paths := range m.Paths {
		luns = append(luns, state.Named{Name: m.Component(paths[0]).LUN})
	}
	return &Axes{Components: c.Axis(components), Servers: c.Axis(namedList(m.System.Servers)), Groups: c.Axis(groups), LUNs: c.Axis(luns)}
}

func namedList(list []string) []state.Named {
	var out []state.Named
	for _, name := range list {
		out = append(out, state.Named{Name: name})
	}
	return out
}

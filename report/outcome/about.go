package outcome

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

// IsAbout reports whether an incident is about one of the names: its place has the name, or
// a member has it or is attached to a part that has it.
func IsAbout(about topology.Set, system *topology.System, in *incident.Incident) bool {
	if about.IsAll() || slices.ContainsFunc(in.Places(), func(p blame.Place) bool { return about.Has(p.Name) }) {
		return true
	}
	for i := range in.Members {
		if hangsOn(about, &system.Components[in.Members[i].Component]) {
			return true
		}
	}
	return false
}

// hangsOn reports whether a component, or a part that it is attached to, has one of the
// names.
func hangsOn(about topology.Set, c *topology.Component) bool {
	return about.IsAll() || slices.ContainsFunc(namesOf(c), about.Has)
}

// namesOf returns the names of a component and of the parts that it is attached to.
func namesOf(c *topology.Component) []string {
	list := []string{c.Name, c.Device, c.LUN, c.Controller, c.Array, c.Drawer, c.Slot, c.Server, c.Model}
	return slices.DeleteFunc(list, func(n string) bool { return n == "" })
}

// Check returns an error for names that no component has.
func Check(about topology.Set, system *topology.System) error {
	if about.IsAll() || slices.ContainsFunc(system.Components, func(c topology.Component) bool { return hangsOn(about, &c) }) {
		return nil
	}
	var some []string
	for i := range system.Components {
		some = append(some, system.Components[i].Name)
	}
	const few = 40
	return fmt.Errorf("--component %s: there is no component with this name. The names are %s%s", about.String(), topology.Fold(some[:min(len(some), few)]), more(len(some)-few))
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

package outcome

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

// Concerns says whether an incident is about any of the names: it is at such a
// place, or shows on a component that is called so or hangs on it.
func Concerns(about topology.Set, system *topology.System, in *incident.Incident) bool {
	if about.IsAll() || about.Has(in.Place.Name) {
		return true
	}
	for i := range in.Members {
		if hangsOn(about, &system.Components[in.Members[i].Component]) {
			return true
		}
	}
	return false
}

// hangsOn says whether a component, or what it hangs on, has one of the names.
func hangsOn(about topology.Set, c *topology.Component) bool {
	return about.IsAll() || slices.ContainsFunc(namesOf(c), about.Has)
}

// namesOf are those of a component and of what it hangs on.
func namesOf(c *topology.Component) []string {
	list := []string{c.Name, c.Device, c.LUN, c.Controller, c.Array, c.Drawer, c.Slot, c.Server, c.Model}
	return slices.DeleteFunc(list, func(n string) bool { return n == "" })
}

// Check refuses names that nothing has.
func Check(about topology.Set, system *topology.System) error {
	if about.IsAll() || slices.ContainsFunc(system.Components, func(c topology.Component) bool { return hangsOn(about, &c) }) {
		return nil
	}
	var some []string
	for i := range system.Components {
		some = append(some, system.Components[i].Name)
	}
	const few = 40
	return fmt.Errorf("--component %s: nothing is called so; there are %s%s", about.String(), topology.Fold(some[:min(len(some), few)]), more(len(some)-few))
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

package outcome

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

// IsAbout reports whether an incident is about one of the names:
//   - its ID or its place has the name, or
//   - a member, or a part that the member is attached to, has the name.
//
// For own work of a server, attached parts do not count: own work shows on paths to many LUNs and
// arrays, but is about none of them.
func IsAbout(about topology.Set, system *topology.System, in *incident.Incident) bool {
	if about.IsAll() || about.Has(in.ID) || slices.ContainsFunc(in.Places(), func(p blame.Place) bool { return about.Has(p.Name) }) {
		return true
	}
	for i := range in.Members {
		if c := &system.Components[in.Members[i].Component]; about.Has(c.Name) || in.Class != finding.OwnWork && hangsOn(about, c) {
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

// Name returns a name without the kind of part that reports print before it: 1.07 for LUN 1.07.
func Name(text string) string {
	kind, name, ok := strings.Cut(text, " ")
	kinds := []blame.Tier{blame.Drive, blame.LUN, blame.Server, blame.Controller, blame.Array, blame.Drawer, blame.Slot, blame.Model}
	if ok && slices.ContainsFunc(kinds, func(t blame.Tier) bool { return strings.EqualFold(string(t), kind) }) {
		return strings.TrimSpace(name)
	}
	return text
}

// incidentID matches the ID of an incident.
var incidentID = regexp.MustCompile(`^[0-9a-f]{8}(-\d+)?$`)

// Check returns an error if no component has one of the names and they are not the ID of an
// incident.
func Check(about topology.Set, system *topology.System) error {
	if about.IsAll() || incidentID.MatchString(about.String()) || slices.ContainsFunc(system.Components, func(c topology.Component) bool { return hangsOn(about, &c) }) {
		return nil
	}
	var some []string
	for i := range system.Components {
		some = append(some, system.Components[i].Name)
	}
	const few = 40
	slices.SortFunc(some, topology.Compare)
	return fmt.Errorf("--component %s: there is no component with this name. The names are %s%s", about.String(), topology.Fold(some[:min(len(some), few)]), more(len(some)-few))
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

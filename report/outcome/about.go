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
//   - its ID has the name or begins with it, or its place has the name, or
//   - a member, or a part that the member is attached to, has the name.
//
// For own work of a server, attached parts do not count: own work shows on paths to many LUNs and
// arrays, but is about none of them.
func IsAbout(about topology.Set, system *topology.System, in *incident.Incident) bool {
	if about.IsAll() || hasID(about, in.ID) || slices.ContainsFunc(in.Places(), func(p blame.Place) bool { return about.Has(p.Name) }) {
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

// incidentID matches the ID of an incident, and the first four or more characters of an ID.
var incidentID = regexp.MustCompile(`^[0-9a-f]{4,8}$|^[0-9a-f]{8}-\d+$`)

// hasID reports whether a name is an ID, or its beginning.
func hasID(about topology.Set, id string) bool {
	name := about.String()
	return about.Has(id) || incidentID.MatchString(name) && strings.HasPrefix(id, name)
}

// isPart reports whether a component, or a part that one is attached to, has one of the names.
func isPart(about topology.Set, system *topology.System) bool {
	return slices.ContainsFunc(system.Components, func(c topology.Component) bool { return hangsOn(about, &c) })
}

// Check returns an error if no component has one of the names and they are not the ID of an
// incident, or its beginning. The error has the name that was probably meant, or else the names of servers, arrays, controllers,
// LUNs and components.
func Check(about topology.Set, system *topology.System) error {
	if about.IsAll() || incidentID.MatchString(about.String()) || isPart(about, system) {
		return nil
	}
	tiers := []struct {
		noun string
		of   func(*topology.Component) string
	}{
		{"servers", func(c *topology.Component) string { return c.Server }},
		{"arrays", func(c *topology.Component) string { return c.Array }},
		{"controllers", func(c *topology.Component) string { return c.Controller }},
		{"LUNs", func(c *topology.Component) string { return c.LUN }},
		{"components", func(c *topology.Component) string { return c.Name }},
	}
	var all, parts []string
	for _, t := range tiers {
		var names []string
		for i := range system.Components {
			if name := t.of(&system.Components[i]); name != "" {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, topology.Compare)
		names = slices.Compact(names)
		all = append(all, names...)
		const few = 24
		if len(names) > 0 {
			parts = append(parts, t.noun+" "+topology.Fold(names[:min(len(names), few)])+more(len(names)-few))
		}
	}
	text := fmt.Sprintf("--component %s: there is no component with this name", about.String())
	if near, ok := nearest(about.String(), all); ok {
		return fmt.Errorf("%s; did you mean %s?", text, near)
	}
	return fmt.Errorf("%s. The names are: %s", text, strings.Join(parts, "; "))
}

// kindPrefix matches the kind of a part that is written directly before its name, as in LUN1.07.
var kindPrefix = regexp.MustCompile(`(?i)^(?:lun|drive|server|controller|array|drawer|slot|model)[ _:-]?`)

// nearest returns the known name that the user probably meant: the name without its kind, or with
// other capital letters. Names with another digit are names of other parts, so they do not count.
func nearest(name string, known []string) (near string, ok bool) {
	without := kindPrefix.ReplaceAllString(name, "")
	for _, text := range []string{without, name} {
		if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, text) }); i >= 0 {
			return known[i], true
		}
	}
	return "", false
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

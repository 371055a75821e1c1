package blame

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// Tier is a kind of place.
type Tier string

// The tiers of places.
const (
	Attachment Tier = "attachment"
	Drive      Tier = "drive"
	LUN        Tier = "LUN"
	Server     Tier = "server"
	Host       Tier = "host" // server whose services, such as OSDs, measure their own latency
	Controller Tier = "controller"
	Array      Tier = "array"
	Drawer     Tier = "drawer"
	Enclosure  Tier = "enclosure"
	Expander   Tier = "expander"
	System     Tier = "system"

	// Attributes that parts of many servers may share.
	Slot     Tier = "slot"
	Model    Tier = "model"
	Firmware Tier = "firmware"
	Batch    Tier = "batch"
	Age      Tier = "age"
	Link     Tier = "link"
	Kernel   Tier = "kernel"
	Rack     Tier = "rack"
	Position Tier = "position"
)

// IsAttribute reports whether the places of a tier are attributes, such as a model. Parts of
// different servers and arrays can have the same attribute. A place of another tier is a thing that
// contains parts, such as an enclosure.
func (t Tier) IsAttribute() bool {
	switch t {
	case Slot, Model, Firmware, Batch, Age, Link, Kernel, Rack, Position:
		return true
	}
	return false
}

// Place is a part of the system, or an attribute of parts, that can cause a problem.
type Place struct {
	Tier Tier
	Name string
}

// CanBeShared reports whether several components can depend on the place.
func (p Place) CanBeShared() bool {
	return p.Tier != LUN && p.Tier != Drive && p.Tier != Attachment
}

// Map holds the places of a system, and the attachments that depend on each place.
type Map struct {
	System      *topology.System
	ServerOf    []int   // by component: number of its server; -1 if it has no server
	Attachments []int   // components that are attachments: drives and paths to LUNs
	Places      []Place // places on which attachments depend, tier by tier, without the attributes that listPlaces leaves out
	IsAttribute []bool  // by place: whether it is an attribute, see [Tier.IsAttribute]
	HolderOf    []int   // by component: number of its array, or of its server if it has no array; -1 if it has neither
	PlacesOf    [][]int // by component: indexes in Places of the places that it depends on
	Dependents  [][]int // by place: the components that depend on it
	Paths       [][]int // by LUN: its attachments in order of priority
	LUNOf       []int   // by component: index of its LUN in Paths; -1 if it has no LUN
}

// NewMap finds the places of a system, and the components that depend on each place.
func NewMap(s *topology.System) *Map {
	m := &Map{
		System: s, ServerOf: s.ServerOf(), PlacesOf: make([][]int, len(s.Components)), LUNOf: make([]int, len(s.Components)),
		HolderOf: holders(s),
	}
	luns := map[string]int{}
	for i := range s.Components {
		c := &s.Components[i]
		m.LUNOf[i] = -1
		if c.Kind != topology.Attachment {
			continue
		}
		m.Attachments = append(m.Attachments, i)
		if c.LUN != "" {
			m.addPath(luns, c.LUN, i)
		}
	}
	for _, paths := range m.Paths {
		slices.SortStableFunc(paths, func(a, b int) int { return cmp.Compare(s.Components[a].Priority, s.Components[b].Priority) })
	}
	m.listPlaces()
	return m
}

// tier is a kind of place. The function `name` returns the name of the place of this kind to which
// a component belongs.
type tier struct {
	tier Tier
	name func(*topology.Component) string
}

// holders returns the number of the holder of each component: its array, or its server if it has no
// array. If a holder fails, all its components stop. The number is -1 if the component has neither
// an array nor a server.
func holders(s *topology.System) []int {
	known, list := map[string]int{}, make([]int, len(s.Components))
	for i := range s.Components {
		name := "array " + s.Components[i].Array
		if s.Components[i].Array == "" {
			name = "server " + s.Components[i].Server
		}
		if _, ok := known[name]; !ok {
			known[name] = len(known)
		}
		list[i] = known[name]
		if s.Components[i].Array+s.Components[i].Server == "" {
			list[i] = -1
		}
	}
	return list
}

// tiers lists all kinds of places on which several components can depend. If two places explain a
// problem equally well, limpet blames the place whose tier comes later in this list. For example,
// if an array has only one controller left, the array is blamed and not the controller. If all
// drives of a server are of one model that no other server has, the server is blamed and not the
// model.
var tiers = []tier{
	{LUN, func(c *topology.Component) string { return c.LUN }},
	{Position, position},
	{Rack, rack},
	{Age, age},
	{Batch, batch},
	{Kernel, func(c *topology.Component) string { return c.Kernel }},
	{Link, func(c *topology.Component) string { return c.Link }},
	{Firmware, firmware},
	{Model, func(c *topology.Component) string { return c.Model }},
	{Slot, slot},
	{Expander, func(c *topology.Component) string { return uniqueName(c, c.Expander) }},
	{Drawer, func(c *topology.Component) string { return c.Drawer }},
	{Enclosure, func(c *topology.Component) string { return uniqueName(c, c.Enclosure) }},
	{Server, server},
	{Host, func(c *topology.Component) string { return c.Host }},
	{Controller, func(c *topology.Component) string { return c.Controller }},
	{Array, func(c *topology.Component) string { return c.Array }},
}

// server returns the server of a component. A service and the devices of its host are different
// measurements of the same requests. So a service does not belong to a place of the tier Server,
// but to a place of the tier Host.
func server(c *topology.Component) string {
	if c.Service {
		return ""
	}
	return c.Server
}

// listPlaces fills Places, PlacesOf and Dependents, tier by tier. It leaves out an attribute that
// more than half of all LUNs and drives have, and an attribute that only one LUN or drive has. Such
// attributes cannot explain why some components are slow and others are not.
func (m *Map) listPlaces() {
	things := m.countByName(func(*topology.Component) string { return "" })[""]
	for _, t := range tiers {
		known, size := map[string]int{}, map[string]int(nil)
		if t.tier.IsAttribute() {
			size = m.countByName(t.name)
		}
		for _, i := range m.Attachments {
			name := t.name(m.Component(i))
			if says := size == nil || size[name] > 1 && 2*size[name] <= things; name != "" && says {
				m.put(known, Place{t.tier, name}, i)
			}
		}
	}
}

// countByName calls name(c) for every attachment c. For each name that name(c) returns, it counts
// the LUNs and drives that have this name.
func (m *Map) countByName(name func(*topology.Component) string) map[string]int {
	type named struct{ name, thing string }
	counted, size := map[named]bool{}, map[string]int{}
	for _, i := range m.Attachments {
		c := m.Component(i)
		at := named{name(c), cmp.Or(c.LUN, c.Name)}
		if !counted[at] {
			counted[at] = true
			size[at.name]++
		}
	}
	return size
}

// put makes a component depend on place p. The parameter `known` has, by name, the index in
// m.Places of each place of this tier that was added before.
func (m *Map) put(known map[string]int, p Place, component int) {
	at, ok := known[p.Name]
	if !ok {
		at = len(m.Places)
		known[p.Name] = at
		m.Places, m.Dependents, m.IsAttribute = append(m.Places, p), append(m.Dependents, nil), append(m.IsAttribute, p.Tier.IsAttribute())
	}
	m.PlacesOf[component] = append(m.PlacesOf[component], at)
	m.Dependents[at] = append(m.Dependents[at], component)
}

// addPath makes a component a path of the LUN with the given name. The parameter `luns` has the
// index in m.Paths of each LUN that was added before.
func (m *Map) addPath(luns map[string]int, name string, component int) {
	at, ok := luns[name]
	if !ok {
		at = len(m.Paths)
		luns[name] = at
		m.Paths = append(m.Paths, nil)
	}
	m.LUNOf[component] = at
	m.Paths[at] = append(m.Paths[at], component)
}

// Component returns the component with index i in the system.
func (m *Map) Component(i int) *topology.Component { return &m.System.Components[i] }

// IsStandby reports whether a component is a standby path. A standby path normally has no load.
func (m *Map) IsStandby(i int) bool { return m.Component(i).Priority > 1 }

// FirstPath returns the path that normally serves a LUN: its attachment with the highest priority.
func (m *Map) FirstPath(lun int) int { return m.Paths[lun][0] }

// GroupOf returns the index of a component's peer group in the system.
func (m *Map) GroupOf(i int) int { return m.Component(i).Group - 1 }

// DependsOn reports whether a component depends on a place.
func (m *Map) DependsOn(i int, p Place) bool {
	return slices.ContainsFunc(m.PlacesOf[i], func(at int) bool { return m.Places[at] == p })
}

// DependsOnAny reports whether a component depends on at least one of the places.
func (m *Map) DependsOnAny(i int, list []Place) bool {
	return slices.ContainsFunc(list, func(p Place) bool { return m.DependsOn(i, p) })
}

// HasPlace reports whether the system has a place.
func (m *Map) HasPlace(p Place) bool {
	switch p.Tier {
	case System:
		return true
	case Drive, Attachment:
		_, ok := m.System.Lookup(p.Name)
		return ok
	case Server:
		return slices.Contains(m.System.Servers, p.Name)
	}
	return slices.ContainsFunc(m.Attachments, func(c int) bool { return PlaceName(p.Tier, m.Component(c)) == p.Name })
}

// AllPlaces returns all places of a component, tier by tier. It includes places on which no
// other component depends.
func AllPlaces(c *topology.Component) []Place {
	var list []Place
	for _, t := range tiers {
		if name := t.name(c); name != "" {
			list = append(list, Place{t.tier, name})
		}
	}
	return list
}

// Compare orders places by tier, in the order of the list tiers, then by name.
func Compare(a, b Place) int {
	tier := func(p Place) int { return slices.IndexFunc(tiers, func(t tier) bool { return t.tier == p.Tier }) }
	return cmp.Or(cmp.Compare(tier(a), tier(b)), cmp.Compare(a.Name, b.Name))
}

// Union returns the places of two lists without duplicates, in the order of [Compare].
func Union(a, b []Place) []Place {
	all := slices.Concat(a, b)
	slices.SortFunc(all, Compare)
	return slices.Compact(all)
}

// PlaceName returns the name of the place to which a component belongs in a tier. The result is
// empty if the component has no place in this tier.
func PlaceName(t Tier, c *topology.Component) string {
	at := slices.IndexFunc(tiers, func(known tier) bool { return known.tier == t })
	if at < 0 {
		return ""
	}
	return tiers[at].name(c)
}

// PlaceIfAlone returns the place to blame if only component i is anomalous. This place is the LUN
// if the component is the path that normally serves the LUN. Otherwise it is the component itself.
func (m *Map) PlaceIfAlone(i int) Place {
	switch c := m.Component(i); {
	case c.LUN == "":
		return Place{Drive, c.Name}
	case c.Priority <= 1:
		return Place{LUN, c.LUN}
	default:
		return Place{Attachment, c.Name}
	}
}

// OwnPlace returns the place of the component itself: a drive, or an attachment. For an attachment
// that normally serves its LUN, it returns the attachment and not the LUN.
func (m *Map) OwnPlace(i int) Place {
	if m.Component(i).LUN == "" {
		return Place{Drive, m.Component(i).Name}
	}
	return Place{Attachment, m.Component(i).Name}
}

package blame

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// Tier is what kind of thing a place is.
type Tier string

// The tiers that can be to blame.
const (
	Attachment Tier = "attachment"
	Drive      Tier = "drive"
	LUN        Tier = "LUN"
	Server     Tier = "server"
	Controller Tier = "controller"
	Array      Tier = "array"
	Drawer     Tier = "drawer"
	Enclosure  Tier = "enclosure"
	Expander   Tier = "expander"
	System     Tier = "system"

	// What parts of many servers may have in common.
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

// Across says whether a tier is an attribute that parts have in common across what
// holds them, and not itself a thing that holds them.
func (t Tier) Across() bool {
	switch t {
	case Slot, Model, Firmware, Batch, Age, Link, Kernel, Rack, Position:
		return true
	}
	return false
}

// Place is something that can be to blame.
type Place struct {
	Tier Tier
	Name string
}

// Wide says whether several components hang on the place.
func (p Place) Wide() bool {
	return p.Tier != LUN && p.Tier != Drive && p.Tier != Attachment
}

// Map is how the attachments of a system hang together.
type Map struct {
	System   *topology.System
	ServerOf []int   // by component: its server, -1 where it has none
	Watched  []int   // components that are attachments: drives and paths to LUNs
	Places   []Place // that can be blamed for several
	Across   []bool  // by place: an attribute, see [Tier.Across]
	Holder   []int   // by component: what fails as a whole, its array or its server; -1 where it has neither
	In       [][]int // by component: places that it hangs on
	On       [][]int // by place: components that hang on it
	Paths    [][]int // by LUN: attachments in the order of priority
	LUNOf    []int   // by component: its LUN in Paths, -1 where it has none
}

// NewMap draws the map of a system.
func NewMap(s *topology.System) *Map {
	m := &Map{
		System: s, ServerOf: s.ServerOf(), In: make([][]int, len(s.Components)), LUNOf: make([]int, len(s.Components)),
		Holder: holders(s),
	}
	luns := map[string]int{}
	for i := range s.Components {
		c := &s.Components[i]
		m.LUNOf[i] = -1
		if c.Kind != topology.Attachment {
			continue
		}
		m.Watched = append(m.Watched, i)
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

// tier is a tier with the name of the place that a component hangs on there.
type tier struct {
	tier Tier
	name func(*topology.Component) string
}

// holders numbers what the components of a system fail with: their array, or else
// their server.
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

// tiers are what a component hangs on and others may, too. Where two explain the
// same, the later one is blamed: of an array with one controller left the array,
// and of a server whose drives are all of one model the server.
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
	{Expander, func(c *topology.Component) string { return owned(c, c.Expander) }},
	{Drawer, func(c *topology.Component) string { return c.Drawer }},
	{Enclosure, func(c *topology.Component) string { return owned(c, c.Enclosure) }},
	{Server, func(c *topology.Component) string { return c.Server }},
	{Controller, func(c *topology.Component) string { return c.Controller }},
	{Array, func(c *topology.Component) string { return c.Array }},
}

// listPlaces lists the places tier by tier. An attribute that most LUNs and drives
// have, or one of them alone, explains nothing.
func (m *Map) listPlaces() {
	things := m.things(func(*topology.Component) string { return "" })[""]
	for _, t := range tiers {
		known, size := map[string]int{}, map[string]int(nil)
		if t.tier.Across() {
			size = m.things(t.name)
		}
		for _, i := range m.Watched {
			name := t.name(m.Of(i))
			if says := size == nil || size[name] > 1 && 2*size[name] <= things; name != "" && says {
				m.put(known, Place{t.tier, name}, i)
			}
		}
	}
}

// things counts LUNs and drives by what they are called.
func (m *Map) things(name func(*topology.Component) string) map[string]int {
	type named struct{ name, thing string }
	counted, size := map[named]bool{}, map[string]int{}
	for _, i := range m.Watched {
		c := m.Of(i)
		at := named{name(c), cmp.Or(c.LUN, c.Name)}
		if !counted[at] {
			counted[at] = true
			size[at.name]++
		}
	}
	return size
}

func (m *Map) put(known map[string]int, p Place, component int) {
	at, ok := known[p.Name]
	if !ok {
		at = len(m.Places)
		known[p.Name] = at
		m.Places, m.On, m.Across = append(m.Places, p), append(m.On, nil), append(m.Across, p.Tier.Across())
	}
	m.In[component] = append(m.In[component], at)
	m.On[at] = append(m.On[at], component)
}

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

// Of returns a component.
func (m *Map) Of(i int) *topology.Component { return &m.System.Components[i] }

// Standby says whether a component ought to be idle.
func (m *Map) Standby(i int) bool { return m.Of(i).Priority > 1 }

// First is the path that ought to serve a LUN.
func (m *Map) First(lun int) int { return m.Paths[lun][0] }

// GroupOf is the peer group of a component, by its index in the system.
func (m *Map) GroupOf(i int) int { return m.Of(i).Group - 1 }

// Hangs says whether a component hangs on a place.
func (m *Map) Hangs(i int, p Place) bool {
	return slices.ContainsFunc(m.In[i], func(at int) bool { return m.Places[at] == p })
}

// Has says whether the system still has a place.
func (m *Map) Has(p Place) bool {
	switch p.Tier {
	case System:
		return true
	case Drive, Attachment:
		_, ok := m.System.Lookup(p.Name)
		return ok
	case Server:
		return slices.Contains(m.System.Servers, p.Name)
	}
	return slices.ContainsFunc(m.Watched, func(c int) bool { return NameOf(p.Tier, m.Of(c)) == p.Name })
}

// AllOf lists what a component hangs on, tier by tier, whether or not anything else does.
func AllOf(c *topology.Component) []Place {
	var list []Place
	for _, t := range tiers {
		if name := t.name(c); name != "" {
			list = append(list, Place{t.tier, name})
		}
	}
	return list
}

// Compare orders places tier by tier, as [Map.Places] has them, then by name.
func Compare(a, b Place) int {
	tier := func(p Place) int { return slices.IndexFunc(tiers, func(t tier) bool { return t.tier == p.Tier }) }
	return cmp.Or(cmp.Compare(tier(a), tier(b)), cmp.Compare(a.Name, b.Name))
}

// NameOf is what a component hangs on in a tier, empty where it hangs on nothing
// there.
func NameOf(t Tier, c *topology.Component) string {
	at := slices.IndexFunc(tiers, func(known tier) bool { return known.tier == t })
	if at < 0 {
		return ""
	}
	return tiers[at].name(c)
}

// Alone is the place to blame for a component that nothing else is odd with: its
// LUN where it is the path that ought to serve it, itself otherwise.
func (m *Map) Alone(i int) Place {
	switch c := m.Of(i); {
	case c.LUN == "":
		return Place{Drive, c.Name}
	case c.Priority <= 1:
		return Place{LUN, c.LUN}
	default:
		return Place{Attachment, c.Name}
	}
}

// Itself is the place of a component alone, whatever its priority.
func (m *Map) Itself(i int) Place {
	if m.Of(i).LUN == "" {
		return Place{Drive, m.Of(i).Name}
	}
	return Place{Attachment, m.Of(i).Name}
}

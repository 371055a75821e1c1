package incident

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// Tier is what kind of thing a component is.
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
	Slot       Tier = "slot"
	Model      Tier = "model"
	System     Tier = "system"
)

// place is something that several attachments hang on.
type place struct {
	tier Tier
	name string
}

// layout is how the attachments of a system hang together.
type layout struct {
	system   *topology.System
	serverOf []int
	watched  []int   // components that are attachments
	places   []place // that can be blamed for several
	in       [][]int // by component: places
	on       [][]int // by place: components
	paths    [][]int // by LUN: attachments in order of priority
	lunOf    []int   // by component: place in paths, -1 where it has none
}

func newLayout(s *topology.System) *layout {
	l := &layout{
		system: s, serverOf: s.ServerOf(), in: make([][]int, len(s.Components)), lunOf: make([]int, len(s.Components)),
	}
	luns := map[string]int{}
	for i := range s.Components {
		c := &s.Components[i]
		l.lunOf[i] = -1
		if c.Kind != topology.Attachment {
			continue
		}
		l.watched = append(l.watched, i)
		if c.LUN != "" {
			l.addPath(luns, c.LUN, i)
		}
	}
	for _, paths := range l.paths {
		slices.SortStableFunc(paths, func(a, b int) int { return cmp.Compare(s.Components[a].Priority, s.Components[b].Priority) })
	}
	l.listPlaces()
	return l
}

// tiers are what a component hangs on and others may, too. Where two explain the
// same, the later one is blamed: of an array with one controller left the array,
// and of a server whose drives are all of one model the server.
var tiers = []struct {
	tier Tier
	name func(*topology.Component) string
}{
	{LUN, func(c *topology.Component) string { return c.LUN }},
	{Model, func(c *topology.Component) string { return c.Model }},
	{Slot, func(c *topology.Component) string { return c.Slot }},
	{Drawer, func(c *topology.Component) string { return c.Drawer }},
	{Server, func(c *topology.Component) string { return c.Server }},
	{Controller, func(c *topology.Component) string { return c.Controller }},
	{Array, func(c *topology.Component) string { return c.Array }},
}

// listPlaces lists them tier by tier. A model or slot that most components have
// explains nothing.
func (l *layout) listPlaces() {
	for _, t := range tiers {
		known, size := map[string]int{}, map[string]int{}
		for _, i := range l.watched {
			size[t.name(l.of(i))]++
		}
		for _, i := range l.watched {
			name := t.name(l.of(i))
			if common := 2*size[name] > len(l.watched) && (t.tier == Model || t.tier == Slot); name != "" && !common {
				l.put(known, place{t.tier, name}, i)
			}
		}
	}
}

func (l *layout) put(known map[string]int, p place, component int) {
	at, ok := known[p.name]
	if !ok {
		at = len(l.places)
		known[p.name] = at
		l.places, l.on = append(l.places, p), append(l.on, nil)
	}
	l.in[component] = append(l.in[component], at)
	l.on[at] = append(l.on[at], component)
}

func (l *layout) addPath(luns map[string]int, name string, component int) {
	at, ok := luns[name]
	if !ok {
		at = len(l.paths)
		luns[name] = at
		l.paths = append(l.paths, nil)
	}
	l.lunOf[component] = at
	l.paths[at] = append(l.paths[at], component)
}

// of returns a component.
func (l *layout) of(i int) *topology.Component { return &l.system.Components[i] }

// standby says whether a component ought to be idle.
func (l *layout) standby(i int) bool { return l.of(i).Priority > 1 }

// alone is how a component is blamed that nothing else is odd with: its LUN
// where it is the path that serves it, itself otherwise.
func (l *layout) alone(i int) place {
	switch c := l.of(i); {
	case c.LUN == "":
		return place{Drive, c.Name}
	case c.Priority <= 1:
		return place{LUN, c.LUN}
	default:
		return place{Attachment, c.Name}
	}
}

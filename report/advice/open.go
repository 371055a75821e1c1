package advice

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/topology"
)

// Open are the components that all problems show on which are not over, in the groups
// that bear losses together. It is made once for all problems that advice is asked for,
// since there may be tens of thousands of them.
type Open struct {
	shown map[problem][]int // the components of each
	pools map[group]things
	kinds map[group]things // of all pools of a kind of storage
}

// Shown is what a problem shows on.
type Shown struct {
	ID         string
	Place      blame.Place
	Components []int
}

// A problem is told from others by these.
type problem struct {
	id    string
	place blame.Place
}

// A group bears losses together. Pools of servers' own may have one name on all of
// them, and are told apart by their server.
type group struct {
	kind                  topology.Kind
	storage, pool, server string
}

// things are LUNs and drives, and how often problems show on each.
type things map[string]int

// NewOpen lists what problems show on.
func NewOpen(system *topology.System, all []Shown) *Open {
	o := &Open{shown: map[problem][]int{}, pools: map[group]things{}, kinds: map[group]things{}}
	for _, s := range all {
		key := problem{s.ID, s.Place}
		o.shown[key] = append(o.shown[key], s.Components...)
		for _, c := range s.Components {
			part := &system.Components[c]
			g := groupOf(part)
			add(o.pools, g, part)
			add(o.kinds, g.ofKind(), part)
		}
	}
	return o
}

func add(to map[group]things, g group, part *topology.Component) {
	if to[g] == nil {
		to[g] = things{}
	}
	to[g][Thing(part)]++
}

func groupOf(c *topology.Component) group {
	g := group{kind: c.Kind, storage: c.Storage, pool: c.Pool}
	if local := c.Storage == "zfs" || c.Storage == "md" || c.Storage == "raid" || c.Storage == "limpet"; local && c.Pool != "" {
		g.server = c.Server
	}
	return g
}

func (g group) ofKind() group { return group{kind: g.kind, storage: g.storage} }

// isNeighbour says whether two groups bear losses together: a part that names no pool may
// be of any.
func (g group) isNeighbour(h group) bool {
	return g == h || g.ofKind() == h.ofKind() && (g.pool == "" || h.pool == "")
}

// of are the things that may be of a group with g: those of its pool and those of none.
func (o *Open) of(g group) [2]things {
	if g.pool == "" {
		return [2]things{o.kinds[g.ofKind()]}
	}
	return [2]things{o.pools[g], o.pools[g.ofKind()]}
}

// lost counts the other parts of a group that are slow or out, each once, however
// many paths lead to it: what this problem shows on, and what others do.
func (a *adviser) lost(c int) int {
	g, self := groupOf(a.of(c)), Thing(a.of(c))
	all := a.Open.of(g)
	mine, known := a.within(g, a.Members), a.within(g, a.Open.shown[problem{a.ID, a.Place}])
	n := union(all[0], all[1])
	for name, times := range known { // what is open of this problem itself is none of the others
		if all[0][name]+all[1][name] == times && mine[name] == 0 {
			n--
		}
	}
	for name := range mine {
		if all[0][name]+all[1][name] == 0 {
			n++
		}
	}
	if mine[self] > 0 || all[0][self]+all[1][self] > known[self] {
		n--
	}
	return n
}

// within are the things among components that bear losses together with a group.
func (a *adviser) within(g group, components []int) things {
	found := things{}
	for _, c := range components {
		if part := a.of(c); groupOf(part).isNeighbour(g) {
			found[Thing(part)]++
		}
	}
	return found
}

// union counts the things of two sets.
func union(x, y things) int {
	if len(x) > len(y) {
		x, y = y, x
	}
	n := len(x) + len(y)
	for name := range x {
		if y[name] > 0 {
			n--
		}
	}
	return n
}

package advice

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/topology"
)

// Open lists the components of all open problems, by redundancy group. It is made once for all
// problems, because there may be tens of thousands of them.
type Open struct {
	shown map[problem][]int // components of each problem
	pools map[group]things
	kinds map[group]things // by kind of storage, over all its pools
}

// Shown holds the components of a problem.
type Shown struct {
	ID         string
	Place      blame.Place
	Components []int
}

// A problem is identified by its ID and its place.
type problem struct {
	id    string
	place blame.Place
}

// A group is a set of parts that share redundancy. Local pools on different servers may have the
// same name, so a group of local storage has the server too.
type group struct {
	kind                  topology.Kind
	storage, pool, server string
}

// things counts the problems of each LUN or drive.
type things map[string]int

// NewOpen returns the components of the problems.
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
	to[g][part.PartName()]++
}

func groupOf(c *topology.Component) group {
	g := group{kind: c.Kind, storage: c.Storage, pool: c.Pool}
	if local := c.Storage == "zfs" || c.Storage == "md" || c.Storage == "raid" || c.Storage == "limpet"; local && c.Pool != "" {
		g.server = c.Server
	}
	return g
}

func (g group) ofKind() group { return group{kind: g.kind, storage: g.storage} }

// isNeighbour reports whether parts of two groups may share redundancy: a part without a pool may
// belong to any pool.
func (g group) isNeighbour(h group) bool {
	return g == h || g.ofKind() == h.ofKind() && (g.pool == "" || h.pool == "")
}

// of returns the LUNs and drives with problems that may share redundancy with g: those of its pool,
// and those without a pool.
func (o *Open) of(g group) [2]things {
	if g.pool == "" {
		return [2]things{o.kinds[g.ofKind()]}
	}
	return [2]things{o.pools[g], o.pools[g.ofKind()]}
}

// lost counts the other parts of a group that are slow or out, because of this or another problem.
// A part counts once for any number of paths.
func (a *adviser) lost(c int) int {
	g, self := groupOf(a.of(c)), a.of(c).PartName()
	all := a.Open.of(g)
	mine, known := a.within(g, a.Members), a.within(g, a.Open.shown[problem{a.ID, a.Place}])
	n := union(all[0], all[1])
	for name, times := range known { // a part of this problem alone counts only if it is still a member
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

// within returns those LUNs and drives of the components that may share redundancy with g.
func (a *adviser) within(g group, components []int) things {
	found := things{}
	for _, c := range components {
		if part := a.of(c); groupOf(part).isNeighbour(g) {
			found[part.PartName()]++
		}
	}
	return found
}

// union returns the number of different things in two sets.
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

package plan

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// part is a connected part of the system: servers that share peer groups, arrays or LUNs. One
// engine must judge the components of all these servers.
type part struct {
	Name       string   // name of the first server of the part
	Servers    []string // in the order of the system
	Components int
}

// parts returns the connected parts of a system. They are in the order in which the system has the
// first server of each part. A server without components is a separate part.
func parts(s *topology.System) []part {
	f := newForest(len(s.Servers))
	at := s.ServerOf()
	join(f, at, s.Components, func(c *topology.Component) any { return c.Group })
	for _, name := range []func(*topology.Component) string{
		func(c *topology.Component) string { return c.Array },
		func(c *topology.Component) string { return c.LUN },
	} {
		join(f, at, s.Components, func(c *topology.Component) any {
			if name(c) == "" {
				return nil
			}
			return name(c)
		})
	}
	return f.parts(s, at)
}

// join puts the servers of two components into one set of the forest if the components have the
// same key. It ignores a component whose key is nil. The parameter `at` has the index of each
// component's server.
func join(f *forest, at []int, all []topology.Component, key func(*topology.Component) any) {
	first := map[any]int{}
	for i := range all {
		k := key(&all[i])
		if k == nil || at[i] < 0 {
			continue
		}
		if other, ok := first[k]; ok {
			f.join(other, at[i])
		} else {
			first[k] = at[i]
		}
	}
}

// forest joins elements into sets (union-find). The root of a set is the element with the lowest
// index.
type forest struct{ parent []int }

func newForest(n int) *forest {
	f := &forest{make([]int, n)}
	for i := range f.parent {
		f.parent[i] = i
	}
	return f
}

func (f *forest) root(i int) int {
	for f.parent[i] != i {
		f.parent[i] = f.parent[f.parent[i]]
		i = f.parent[i]
	}
	return i
}

func (f *forest) join(a, b int) {
	a, b = f.root(a), f.root(b)
	f.parent[max(a, b)] = min(a, b)
}

func (f *forest) parts(s *topology.System, at []int) []part {
	by := map[int]*part{}
	var order []int
	for i, name := range s.Servers {
		r := f.root(i)
		if by[r] == nil {
			by[r] = &part{Name: name}
			order = append(order, r)
		}
		by[r].Servers = append(by[r].Servers, name)
	}
	for _, server := range at {
		if server >= 0 {
			by[f.root(server)].Components++
		}
	}
	slices.Sort(order)
	parts := make([]part, len(order))
	for i, r := range order {
		parts[i] = *by[r]
	}
	return parts
}

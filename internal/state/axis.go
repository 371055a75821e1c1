package state

import (
	"fmt"
	"slices"
)

// Axis is a list of things, such as the components, servers or peer groups of a system, for each of
// which a stage remembers something. The place of a thing is its index in the list. When a state is
// read, the axis maps the place of each thing in the state to its place now.
type Axis struct {
	n    int   // number of places now
	to   []int // by place in the state: place now; -1: the thing no longer exists
	same bool  // all places are unchanged

	number int // number of the axis in an outline of the state, from 1
}

// Named is one thing of an axis. Identity is for example a serial number, or empty. If the saved
// identity and the identity now differ, and neither is empty, another thing has the same name now.
type Named struct{ Name, Identity string }

// Axis writes the names of an axis, or reads the names in the state and finds their places now.
// Things with the same name, such as a peer group of drives and one of interfaces, are
// distinguished by their order.
func (c *Codec) Axis(now []Named) *Axis {
	was := slices.Clone(now)
	List(c, &was, func(c *Codec, n *Named) {
		Text(c, &n.Name)
		Text(c, &n.Identity)
	})
	switch {
	case c.Saving():
		return unchangedAxis(len(now))
	case c.outlines():
		return c.newAxis(len(now))
	}
	at := make(map[string][]int, len(now))
	for i, n := range now {
		at[n.Name] = append(at[n.Name], i)
	}
	a := &Axis{n: len(now), to: make([]int, len(was))}
	for i, w := range was {
		place, left := -1, at[w.Name]
		if len(left) > 0 {
			place, at[w.Name] = left[0], left[1:]
		}
		if place >= 0 && w.Identity != "" && now[place].Identity != "" && w.Identity != now[place].Identity {
			place = -1
		}
		a.to[i] = place
	}
	a.settle()
	return a
}

// unchangedAxis returns an axis of n things whose places are unchanged.
func unchangedAxis(n int) *Axis {
	a := &Axis{n: n, to: make([]int, n), same: true}
	for i := range a.to {
		a.to[i] = i
	}
	return a
}

// settle sets same to whether all places are unchanged.
func (a *Axis) settle() {
	a.same = len(a.to) == a.n
	for i, at := range a.to {
		a.same = a.same && i == at
	}
}

// Sub returns the axis of some things of another axis, given by their places: for example the
// members of a group among all components.
func (c *Codec) Sub(of *Axis, members []int) *Axis {
	was := slices.Clone(members)
	Ints(c, &was)
	switch {
	case c.Saving():
		return unchangedAxis(len(members))
	case c.outlines():
		return c.newAxis(len(members))
	}
	at := make(map[int]int, len(members))
	for place, m := range members {
		at[m] = place
	}
	a := &Axis{n: len(members), to: make([]int, len(was))}
	for i, w := range was {
		a.to[i] = -1
		if w < 0 || w >= len(of.to) {
			c.Failf("the saved state is damaged: it refers to entry %d of a list of %d entries; start without the saved state", w, len(of.to))
			return a
		}
		if place, ok := at[of.to[w]]; ok {
			a.to[i] = place
		}
	}
	a.settle()
	return a
}

// Same reports whether all places are unchanged.
func (a *Axis) Same() bool { return a.same }

// Gone returns the places in the state of things that no longer exist.
func (a *Axis) Gone() []int {
	var gone []int
	for i, at := range a.to {
		if at < 0 {
			gone = append(gone, i)
		}
	}
	return gone
}

// Index writes or reads a place on the axis. The place is -1 for none, and after reading for a
// thing that no longer exists.
func (a *Axis) Index(c *Codec, at *int) {
	Int(c, at)
	switch {
	case c.outlines():
		*at = 0
	case c.Saving() || c.Failed():
	case *at < -1 || *at >= len(a.to):
		c.Failf("the saved state is damaged: it refers to entry %d of a list of %d entries; start without the saved state", *at, len(a.to))
		*at = -1
	case *at >= 0:
		*at = a.to[*at]
	}
}

// Indexes writes or reads a list of places. After reading, it leaves out things that no longer
// exist.
func (a *Axis) Indexes(c *Codec, s *[]int) {
	List(c, s, a.Index)
	if !c.Saving() {
		*s = slices.DeleteFunc(*s, func(at int) bool { return at < 0 })
	}
}

// By writes or reads what a stage remembers of each thing of an axis. The slice has an element for
// each place now. If the state has nothing about a thing, its element does not change. The function
// each may also get a new zero value: for a thing that no longer exists, or in an outline.
func By[T any](c *Codec, a *Axis, s []T, each func(*Codec, *T)) {
	if c.outlines() {
		c.within(fmt.Sprintf("each of axis %d", a.number), func() { each(c, new(T)) })
		return
	}
	for i := range a.to {
		if c.Failed() {
			return
		}
		if at := a.to[i]; at >= 0 {
			each(c, &s[at])
			continue
		}
		var gone T
		each(c, &gone)
	}
}

// ByIndex writes or reads a map whose keys are places of an axis.
func ByIndex[V any](c *Codec, a *Axis, m *map[int]V, value func(*Codec, *V)) {
	Map(c, m, a.Index, value)
	if !c.Saving() {
		delete(*m, -1)
	}
}

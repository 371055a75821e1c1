package state

import (
	"fmt"
	"slices"
)

// Axis is what a stage remembers something of each of: the components of a
// system, its servers, its peer groups. While reading it leads from the place
// that each had when the state was written to the place that it has now.
type Axis struct {
	n    int   // places now
	to   []int // by place in the state: place now, -1 where it is gone
	same bool  // nothing has moved

	number int // in an outline, from 1 on
}

// Named is one place of an axis. Where both the state and the present know an
// identity, such as a serial number, and it differs, something else stands
// there under the same name.
type Named struct{ Name, Identity string }

// Axis writes the names of an axis, or reads those of the state and finds where
// they are now. Places of one name, as peer groups of drives and of interfaces may
// have, are told apart by their order.
func (c *Codec) Axis(now []Named) *Axis {
	was := slices.Clone(now)
	List(c, &was, func(c *Codec, n *Named) {
		Text(c, &n.Name)
		Text(c, &n.Identity)
	})
	switch {
	case c.Saving():
		return straight(len(now))
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

// straight is an axis on which nothing has moved.
func straight(n int) *Axis {
	a := &Axis{n: n, to: make([]int, n), same: true}
	for i := range a.to {
		a.to[i] = i
	}
	return a
}

// settle finds out whether everything stands where it stood.
func (a *Axis) settle() {
	a.same = len(a.to) == a.n
	for i, at := range a.to {
		a.same = a.same && i == at
	}
}

// Sub is the axis of some places of another, given by their numbers: the
// members of a group among all components.
func (c *Codec) Sub(of *Axis, members []int) *Axis {
	was := slices.Clone(members)
	Ints(c, &was)
	switch {
	case c.Saving():
		return straight(len(members))
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

// Same says whether everything stands where it stood.
func (a *Axis) Same() bool { return a.same }

// Gone lists the places of the state that are no more.
func (a *Axis) Gone() []int {
	var gone []int
	for i, at := range a.to {
		if at < 0 {
			gone = append(gone, i)
		}
	}
	return gone
}

// Index is a place on an axis that a stage remembers; -1 stands for none, and
// for one that is gone.
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

// Indexes is a list of places; those that are gone are left out.
func (a *Axis) Indexes(c *Codec, s *[]int) {
	List(c, s, a.Index)
	if !c.Saving() {
		*s = slices.DeleteFunc(*s, func(at int) bool { return at < 0 })
	}
}

// By is what a stage remembers of each place of an axis. The slice has an
// element for each place of now; those that the state does not know stay as
// they are. Each may not count on anything but a zero value.
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

// ByIndex is a map from places of an axis.
func ByIndex[V any](c *Codec, a *Axis, m *map[int]V, value func(*Codec, *V)) {
	Map(c, m, a.Index, value)
	if !c.Saving() {
		delete(*m, -1)
	}
}

package arrays

import (
	"cmp"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// A lunCell is a group of servers and LUNs without connections to other groups: an array of
// Intrepid with its servers. Cells share only the clients, which put the same load on all cells, so
// each cell can be simulated by itself.
type lunCell struct {
	LUNs    []*LUN
	Servers []*Server
	touched []*Attachment // attachments whose counters may have changed in this interval
}

// build creates the model of every part of a topology.
func build(b *lunBlueprint, system *topology.System) []*lunCell {
	servers, luns := map[string]*Server{}, map[string]*LUN{}
	var order []*LUN
	for _, name := range system.Servers {
		servers[name] = newServer(b, name)
	}
	for i := range system.Components {
		c := &system.Components[i]
		if c.Kind != topology.Attachment {
			continue
		}
		l := luns[lunOf(c)]
		if l == nil {
			l = newLUN(b, lunOf(c), c.Set)
			luns[l.Name] = l
			order = append(order, l)
		}
		attach(b, c, i, l, servers[c.Server])
	}
	for _, l := range order {
		slices.SortStableFunc(l.Attachments, func(a, b *Attachment) int { return cmp.Compare(a.Priority, b.Priority) })
	}
	return partition(system, servers, order)
}

// lunOf returns the name of the LUN of a component, or its own name if only one server has the
// drive.
func lunOf(c *topology.Component) string { return cmp.Or(c.LUN, c.Name) }

func attach(b *lunBlueprint, c *topology.Component, index int, l *LUN, on *Server) {
	a := &Attachment{
		Component: index, Name: c.Name, Priority: c.Priority, LUN: l, Server: on,
		device: newDevice(c, len(on.Attachments)),
		rng:    b.Source("attachment " + c.Name),
	}
	l.Attachments = append(l.Attachments, a)
	on.Attachments = append(on.Attachments, a)
}

// partition sorts LUNs and servers into cells, in the order of the topology.
func partition(system *topology.System, servers map[string]*Server, luns []*LUN) []*lunCell {
	var cells []*lunCell
	of := map[*Server]*lunCell{}
	for _, name := range system.Servers {
		if first := servers[name]; of[first] == nil {
			c := &lunCell{}
			cells = append(cells, c)
			connect(first, c, of)
		}
	}
	for _, name := range system.Servers {
		c := of[servers[name]]
		c.Servers = append(c.Servers, servers[name])
	}
	for _, l := range luns {
		c := of[l.Attachments[0].Server]
		c.LUNs = append(c.LUNs, l)
	}
	return cells
}

// connect puts a server into a cell, with all servers that share LUNs with it, directly or through
// others.
func connect(first *Server, c *lunCell, of map[*Server]*lunCell) {
	of[first] = c
	for reach := []*Server{first}; len(reach) > 0; reach = reach[1:] {
		for _, a := range reach[0].Attachments {
			for _, other := range a.LUN.Attachments {
				if of[other.Server] == nil {
					of[other.Server] = c
					reach = append(reach, other.Server)
				}
			}
		}
	}
}

// Begin sets all counters to their values before the first record.
func (c *lunCell) Begin() {
	for _, s := range c.Servers {
		s.begin()
	}
	c.untouch()
}

// Touch adds an attachment to those whose counters may change in this interval.
func (c *lunCell) Touch(a *Attachment) {
	if a != nil && !a.touched {
		a.touched = true
		c.touched = append(c.touched, a)
	}
}

func (c *lunCell) untouch() {
	for _, a := range c.touched {
		a.touched = false
	}
	c.touched = c.touched[:0]
}

// Follow switches servers off and on at their outages.
func (c *lunCell) Follow(now, next time.Time) {
	for _, s := range c.Servers {
		s.follow(now, next)
	}
}

// Step simulates an interval of dt seconds with this demand of the clients. If disksOnly is true,
// it computes only the counters of disks.
func (c *lunCell) Step(d demand, dt float64, disksOnly bool) {
	for _, l := range c.LUNs {
		c.Touch(l.answer(d, dt))
	}
	for _, a := range c.touched {
		a.end(dt)
	}
	c.untouch()
	for _, s := range c.Servers {
		s.end(dt, disksOnly)
	}
}

package arrays

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// A directory finds attachments by any of their names.
type directory map[string][]*Attachment

func newDirectory(system *topology.System, cells []*cell) directory {
	var all []*Attachment
	for _, c := range cells {
		for _, s := range c.Servers {
			all = append(all, s.Attachments...)
		}
	}
	slices.SortFunc(all, func(a, b *Attachment) int { return cmp.Compare(a.Component, b.Component) })
	d := directory{}
	for _, a := range all {
		part := &system.Components[a.Component]
		for _, name := range []string{part.Name, lunOf(part), part.Server, part.Controller, part.Array} {
			if at := d[name]; name != "" && (len(at) == 0 || at[len(at)-1] != a) {
				d[name] = append(at, a)
			}
		}
	}
	return d
}

// aim finds the attachments that an event hits.
func (d directory) aim(e Event) (aimed, error) {
	found := aimed{Event: e}
	for _, name := range e.hits() {
		if d[name] == nil {
			return found, fmt.Errorf("event \"%s\": the storage system has no component %s: name a component of the topology", e.describe().Text, name)
		}
		found.hit = append(found.hit, d[name]...)
	}
	return found, nil
}

// share gives each cell the events that concern it.
func (r *run) share() {
	home := map[*Server]int{}
	for i, c := range r.cells {
		for _, s := range c.Servers {
			home[s] = i
		}
	}
	concern := make([][]*aimed, len(r.cells))
	for _, e := range r.events {
		for i, here := range r.split(e, home) {
			if len(here.hit)+len(here.remote) > 0 {
				concern[i] = append(concern[i], here)
			}
		}
		e.silence()
	}
	for i, c := range r.cells {
		c.events = newAgenda(concern[i])
	}
}

// split returns the part of an event that each cell has, by cell.
func (r *run) split(e aimed, home map[*Server]int) []*aimed {
	here := make([]*aimed, len(r.cells))
	_, works := e.Mechanism.(ServerWork)
	for i := range here {
		here[i] = &aimed{Event: e.Event}
		if works && len(e.hit) > 0 {
			here[i].by = e.hit[0].Server
		}
	}
	for _, a := range e.hit {
		at := here[home[a.Server]]
		at.hit = append(at.hit, a)
	}
	if work, ok := e.Mechanism.(ServerWork); ok && work.Everywhere {
		for i, c := range r.cells {
			if len(here[i].hit) == 0 {
				here[i].remote = c.LUNs
			}
		}
	}
	return here
}

// silence adds an outage to the server that the event takes down.
func (e *aimed) silence() {
	o, ok := e.Mechanism.(outage)
	if !ok || len(e.hit) == 0 {
		return
	}
	if silent := o.silent(e.Event); silent.To.After(silent.From) {
		s := e.hit[0].Server
		s.Outages = append(s.Outages, silent)
		slices.SortFunc(s.Outages, func(a, b Span) int { return a.From.Compare(b.From) })
	}
}

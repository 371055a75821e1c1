package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// A run is a scenario under way. All parts step together, so that any of them
// may depend on any other.
type run struct {
	scenario    *Scenario
	system      *topology.System
	now         time.Time
	load        *load
	luns        []*lun
	servers     []*server
	attachments []*attachment
	events      []aimed
}

// start builds the system as it is at the scenario's first record.
func (s *Scenario) start() (*run, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	system, err := s.System()
	if err != nil {
		return nil, err
	}
	r := &run{scenario: s, system: system, now: s.Start, load: newLoad(s)}
	r.build()
	for _, e := range s.Events {
		a, err := r.aim(e)
		if err != nil {
			return nil, err
		}
		r.events = append(r.events, a)
	}
	r.strike(s.Start)
	for _, server := range r.servers {
		server.begin()
	}
	return r, nil
}

// build hangs a model on every part of the topology.
func (r *run) build() {
	servers, luns := map[string]*server{}, map[string]*lun{}
	for _, name := range r.system.Servers {
		servers[name] = newServer(r.scenario.Seed, name)
		r.servers = append(r.servers, servers[name])
	}
	for i := range r.system.Components {
		c := &r.system.Components[i]
		if c.Kind != topology.Attachment {
			continue
		}
		l := luns[lunOf(c)]
		if l == nil {
			l = newLUN(r.scenario, lunOf(c), c.Set)
			luns[l.name] = l
			r.luns = append(r.luns, l)
		}
		r.attach(i, l, servers[c.Server])
	}
	for _, l := range r.luns {
		slices.SortStableFunc(l.attachments, func(a, b *attachment) int {
			return cmp.Compare(r.system.Components[a.component].Priority, r.system.Components[b.component].Priority)
		})
	}
}

// lunOf names what a component is seen of: a LUN, or a drive that only one
// server sees.
func lunOf(c *topology.Component) string { return cmp.Or(c.LUN, c.Name) }

func (r *run) attach(component int, l *lun, s *server) {
	c := &r.system.Components[component]
	a := &attachment{
		component: component, lun: l, server: s,
		device: newDevice(c, len(s.attachments)),
		rng:    source(r.scenario.Seed, "attachment "+c.Name),
	}
	l.attachments = append(l.attachments, a)
	s.attachments = append(s.attachments, a)
	r.attachments = append(r.attachments, a)
}

// step lets an interval pass.
func (r *run) step() {
	dt := r.scenario.Interval.Seconds()
	next := r.now.Add(r.scenario.Interval)
	r.strike(next)
	flows := r.load.next(r.now, dt)
	for _, l := range r.luns {
		l.answer(flows, dt)
	}
	for _, s := range r.servers {
		s.end(dt)
	}
	r.now = next
}

// strike puts everything in the condition in which it is until next.
func (r *run) strike(next time.Time) {
	for _, l := range r.luns {
		l.condition = healthy
	}
	for _, a := range r.attachments {
		a.gone, a.own = false, Flow{}
	}
	for _, e := range r.events {
		if e.From.Before(next) && r.now.Before(e.To) {
			for _, a := range e.hit {
				e.strike(a)
			}
		}
	}
}

// aimed is an event with what it hits.
type aimed struct {
	Event
	hit []*attachment
}

// aim finds what an event hits.
func (r *run) aim(e Event) (aimed, error) {
	found := aimed{Event: e}
	for _, name := range e.hits() {
		matched := r.system.Match(name)
		if len(matched) == 0 {
			return found, fmt.Errorf("%s: the system has no %s; name a part of its topology", e.describe().Text, name)
		}
		for _, a := range r.attachments {
			if slices.Contains(matched, a.component) {
				found.hit = append(found.hit, a)
			}
		}
	}
	return found, nil
}

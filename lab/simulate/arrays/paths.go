package arrays

import (
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// This file builds the mechanisms that hit a part of an array. They depend on the structure of the
// array.

// attachments returns the names of the attachments for which wanted is true.
func (r *eventReader) attachments(wanted func(*topology.Component) bool) []string {
	var names []string
	for i := range r.system.Components {
		if c := &r.system.Components[i]; wanted(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// inside returns the LUNs, servers and controllers of an array.
func (r *eventReader) inside(array string) (luns, servers, controllers []string) {
	seen := map[string]bool{}
	add := func(list *[]string, name string) {
		if name != "" && !seen[name] {
			seen[name] = true
			*list = append(*list, name)
		}
	}
	for i := range r.system.Components {
		if c := &r.system.Components[i]; c.Array == array {
			add(&luns, c.LUN)
			add(&servers, c.Server)
			add(&controllers, c.Controller)
		}
	}
	slices.SortFunc(controllers, topology.Compare)
	return luns, servers, controllers
}

// lostLUNs removes all LUNs of an array from servers.
func (r *eventReader) lostLUNs(e *entry) []Event {
	var events []Event
	array := r.of(e)
	for _, server := range e.components {
		m := LostPaths{Component: array, Why: "because server " + server + " cannot access the LUNs"}
		m.Attachments = r.attachments(func(c *topology.Component) bool { return c.Server == server && c.Array == array })
		events = append(events, Event{Mechanism: m})
	}
	return events
}

// shortestReset is the shortest reset of a LUN, as a share of the longest.
const shortestReset = 0.3

// lunResets makes an array reset its LUNs. Servers give up those of their LUNs that answer after
// the timeout.
func (r *eventReader) lunResets(e *entry) []Event {
	m := LUNResets{Array: r.of(e), Delays: map[string]time.Duration{}}
	if m.Array == "" {
		return nil
	}
	delay, timeout := r.time(e, "delay", 103*time.Second), r.time(e, "timeout", time.Minute)
	rng := r.scenario.source("resets of " + m.Array)
	luns, _, _ := r.inside(m.Array)
	for _, lun := range luns {
		m.Delays[lun] = times(delay, shortestReset+(1-shortestReset)*rng.Float64()).Round(time.Second)
	}
	m.Delays[luns[rng.IntN(len(luns))]] = delay
	events := []Event{{To: e.span.From.Add(m.longest()), Mechanism: m}}
	for _, server := range e.components {
		lost := LostPaths{Component: server, Present: true, Why: "because the server stopped using these paths after a timeout"}
		lost.Attachments = r.attachments(func(c *topology.Component) bool {
			return c.Server == server && c.Priority == 1 && m.Delays[c.LUN] > timeout
		})
		events = append(events, Event{From: e.span.From.Add(timeout), Mechanism: lost})
	}
	return events
}

// drawer draws the LUNs with a drive in the faulty drawer. The errors are errors of the drawer, and
// each hits one of the LUNs.
func (r *eventReader) drawer(e *entry, array string) Mechanism {
	luns, _, _ := r.inside(array)
	count := int(r.number(e.fields, "luns", float64(len(luns)), 0, float64(len(luns))))
	rng := r.scenario.source("drawer of " + array)
	rng.Shuffle(len(luns), func(i, j int) { luns[i], luns[j] = luns[j], luns[i] })
	luns = luns[:max(count, 1)]
	slices.SortFunc(luns, topology.Compare)
	return DrawerErrors{
		Array: array, LUNs: luns,
		Every: r.time(e, "every", 2*time.Second) * time.Duration(len(luns)), Retry: r.time(e, "retry", 3*time.Second),
	}
}

// incoherent returns the paths that two controllers with different states lose. Such controllers
// can access only the LUNs that they own, so each LUN has only the servers of one controller (L13
// §5.2.1).
func (r *eventReader) incoherent(e *entry, component string) Mechanism {
	m := LostPaths{Component: component, Why: fmt.Sprintf("because the two controllers of %s have different states", component)}
	m.Present = r.Choice(e.fields["leaves"], "missing", "zero") == "zero"
	only := r.names(e.fields["only"], "LUN")
	for _, array := range r.system.Arrays {
		owner := r.owners(array)
		m.Attachments = append(m.Attachments, r.attachments(func(c *topology.Component) bool {
			return c.Array == array && (array == component || c.Controller == component) && c.Controller != owner[c.LUN] &&
				(only == nil || slices.Contains(only, c.LUN))
		})...)
	}
	return m
}

// owners returns, by LUN, the controller that owns it. The owner changes after as many LUNs as
// there are servers, and the first owner changes with each array. So every server has the same
// number of LUNs of each controller.
func (r *eventReader) owners(array string) map[string]string {
	luns, servers, controllers := r.inside(array)
	owner := map[string]string{}
	for i, lun := range luns {
		if turn := slices.Index(r.system.Arrays, array) + i/len(servers); len(controllers) > 0 {
			owner[lun] = controllers[turn%len(controllers)]
		}
	}
	return owner
}

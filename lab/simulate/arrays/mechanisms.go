package arrays

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/topology"
)

// A mechanism describes an entry of an events file, by its name.
type mechanism struct {
	name  string
	of    []string // kinds of components that it hits
	takes []string
	build func(*eventReader, *entry) []Event
}

var mechanisms = []mechanism{
	{"failed controller", []string{"controller"}, nil, each(func(_ *eventReader, _ *entry, name string) Mechanism {
		return FailedController{Controller: name}
	})},
	{"server down", []string{"server"}, nil, each(func(_ *eventReader, _ *entry, name string) Mechanism {
		return ServerDown{Server: name}
	})},
	{"service down", []string{"server"}, []string{"reboot"}, each(func(r *eventReader, e *entry, name string) Mechanism {
		return ServiceDown{Server: name, Reboot: r.time(e, "reboot", 5*time.Minute)}
	})},
	{"lost luns", []string{"server"}, []string{"of"}, (*eventReader).lostLUNs},
	{"lun resets", []string{"server"}, []string{"of", "delay", "timeout"}, (*eventReader).lunResets},
	{"incoherent controllers", []string{"array", "controller"}, []string{"leaves", "only"}, each((*eventReader).incoherent)},
	{"drawer errors", []string{"array"}, []string{"luns", "every", "retry"}, each((*eventReader).drawer)},
	{"slow lun", []string{"LUN"}, []string{"factor"}, each(func(r *eventReader, e *entry, name string) Mechanism {
		return SlowLUN{LUN: name, Factor: r.number(e.fields, "factor", 1.5, 1, 100)}
	})},
	{"busy lun", []string{"LUN"}, []string{"reads", "writes"}, each(func(r *eventReader, e *entry, name string) Mechanism {
		if e.fields["reads"] == nil && e.fields["writes"] == nil {
			r.Errorf(e.node, "the event has no requests for the busy LUN: add the setting \"reads\" or \"writes\"")
		}
		return BusyLUN{LUN: name, Reads: r.flow(e.fields["reads"]), Writes: r.flow(e.fields["writes"])}
	})},
	{"internal load", []string{"attachment"}, []string{"per_second", "await"}, each(func(r *eventReader, e *entry, name string) Mechanism {
		return InternalLoad{Attachment: name, PerSecond: r.number(e.fields, "per_second", 0.5, 0, 1000), Await: r.time(e, "await", 25*time.Millisecond)}
	})},
	{"server work", []string{"server"}, []string{"per_second", "kib"}, each(func(r *eventReader, e *entry, name string) Mechanism {
		return ServerWork{Server: name, Everywhere: true, Flow: Flow{
			PerSecond: r.number(e.fields, "per_second", gpfsWork.PerSecond, 0, 1000), KiB: r.number(e.fields, "kib", gpfsWork.KiB, 0, 1<<20),
		}}
	})},
}

// each returns a function that builds an event for every component.
func each(build func(*eventReader, *entry, string) Mechanism) func(*eventReader, *entry) []Event {
	return func(r *eventReader, e *entry) []Event {
		var events []Event
		for _, name := range e.components {
			events = append(events, Event{Mechanism: build(r, e, name)})
		}
		return events
	}
}

// named returns all components of a kind.
func named(s *topology.System, kind string) []string {
	switch kind {
	case "server":
		return s.Servers
	case "array":
		return s.Arrays
	case "controller":
		return s.Controllers
	case "LUN":
		return s.LUNs
	}
	var names []string
	for i := range s.Components {
		names = append(names, s.Components[i].Name)
	}
	return names
}

// names reads the names of components of some kinds.
func (r *eventReader) names(n *yaml.Node, kinds ...string) []string {
	if n == nil {
		return nil
	}
	var known, names []string
	for _, kind := range kinds {
		known = append(known, named(r.system, kind)...)
	}
	for _, pattern := range r.Texts(n) {
		some, err := topology.Expand(pattern)
		if err != nil {
			r.Errorf(n, "%v", err)
		}
		for _, name := range some {
			if !slices.Contains(known, name) {
				r.Errorf(n, "the storage system has no %[2]s %[1]s: write a name from %[3]s to %[4]s", name, strings.Join(kinds, " or "), known[0], known[len(known)-1])
			}
		}
		names = append(names, some...)
	}
	return names
}

// of returns the array to blame. The servers must have LUNs of this array; if not, of returns an
// empty name.
func (r *eventReader) of(e *entry) string {
	if !r.Required(e.node, e.fields, "of") {
		return ""
	}
	n := e.fields["of"]
	name := r.Text(n)
	luns, servers, _ := r.inside(name)
	if len(luns) == 0 {
		r.Errorf(n, "the storage system has no array %s: write a name from %s to %s", name, r.system.Arrays[0], r.system.Arrays[len(r.system.Arrays)-1])
		return ""
	}
	for _, server := range e.components {
		if !slices.Contains(servers, server) {
			r.Errorf(n, "server %s has no LUNs of array %s: name servers that have LUNs of this array", server, name)
			return ""
		}
	}
	return name
}

func (r *eventReader) time(e *entry, key string, usual time.Duration) time.Duration {
	n := e.fields[key]
	if n == nil {
		return usual
	}
	d := r.duration(n, "a duration, such as 60s or 3s")
	if d < time.Millisecond || d > 24*time.Hour {
		r.Errorf(n, "the setting %q is %s: write a time from 1ms to 24h", key, n.Value)
		return usual
	}
	return d
}

func (r *eventReader) number(f map[string]*yaml.Node, key string, usual, low, high float64) float64 {
	n := f[key]
	if n == nil {
		return usual
	}
	x, err := strconv.ParseFloat(r.Text(n), 64)
	if err != nil || !(x > low && x <= high) {
		r.Errorf(n, "the setting %q is %s: write a number above %g, up to %g", key, n.Value, low, high)
		return usual
	}
	return x
}

func (r *eventReader) flow(n *yaml.Node) Flow {
	if n == nil {
		return Flow{}
	}
	f := r.Fields(n, "a flow of requests", "per_second", "kib")
	return Flow{PerSecond: r.number(f, "per_second", 10, 0, 1e5), KiB: r.number(f, "kib", 128, 0, 1<<20)}
}

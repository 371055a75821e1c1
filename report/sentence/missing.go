package sentence

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/topology"
)

// lacking states that a resource is missing, and names the faults that cannot be seen without it.
// If faults is empty, no fault of the question can be seen.
var lacking = map[engine.Resource]struct{ missing, faults string }{
	engine.Disks:          {"These files contain no data about disks", "faults of disks"},
	engine.Interfaces:     {"These files contain no data about network interfaces", "network faults"},
	engine.ConnectionsIn:  {"These files contain no data about connections from clients to servers", "packet loss on the way to servers"},
	engine.ConnectionsOut: {"These files contain no data about connections from servers to clients", "packet loss on the way from servers"},
	engine.Peers:          {missing: "Fewer than three members of a peer group can be compared"},
	engine.Fineness:       {missing: "The interval between records is too long (a record every few seconds is needed)"},
}

// topologyKeys has, for each resource, the kind of component that a topology file must name if
// limpet shall look for the resource, its plural, and the key of the file.
var topologyKeys = map[engine.Resource]struct {
	kind      topology.Kind
	what, key string
}{
	engine.Disks:          {topology.Attachment, "drives", "drives"},
	engine.Interfaces:     {topology.Interface, "interfaces", "interfaces"},
	engine.ConnectionsIn:  {topology.Host, "hosts", "hosts"},
	engine.ConnectionsOut: {topology.Host, "hosts", "hosts"},
}

// Lacks returns a sentence for each resource that the data lack, with the faults that
// cannot be seen without it. Each sentence appears once.
func Lacks(w *Writer, list []engine.Lack) []string {
	var lines []string
	for _, l := range list {
		if text := lack(w.System, l); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return lines
}

func lack(system *topology.System, l engine.Lack) string {
	text, faults, cure := lacking[l.Resource].missing, lacking[l.Resource].faults, ""
	if n := topologyKeys[l.Resource]; unnamed(system, l.Resource) { // limpet did not look for this resource in the files
		text, cure = fmt.Sprintf("The topology %s lists no %s", system.File, n.what), fmt.Sprintf(" Add the setting %q to the topology file, or run without a topology: limpet then finds the %s in the files.", n.key, n.what)
	}
	switch {
	case l.Whole && l.Resource == engine.Interfaces && cure != "":
		return fmt.Sprintf("Skipped: the check of servers' disks and networks, because the topology %s lists no interfaces.%s", system.File, cure)
	case l.Whole && l.Resource == engine.Interfaces:
		return notAsked
	case l.Whole || faults == "":
		faults = map[engine.Question]string{engine.Components: "slow components", engine.Servers: "faults of a server's disk or network"}[l.Question]
	}
	return fmt.Sprintf("%s, so %s cannot be seen.%s", text, faults, cure)
}

// unnamed reports whether a topology file names no component of a resource.
func unnamed(system *topology.System, r engine.Resource) bool {
	n, ok := topologyKeys[r]
	if !ok || system == nil || system.File == "" {
		return false
	}
	return !slices.ContainsFunc(system.Components, func(c topology.Component) bool { return c.Kind == n.kind })
}

// notAsked states the data that the check of servers needs.
const notAsked = "Skipped: the check of servers' disks and networks. This check needs files with the network interfaces of at least three servers, with a record every few seconds."

package sentence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/topology"
)

// unseen is what cannot be seen without a resource.
var unseen = map[engine.Resource]string{
	engine.Disks:          "No disks in these files: faults of disks",
	engine.Interfaces:     "No interfaces in these files: network faults",
	engine.ConnectionsIn:  "No connections of clients to servers in these files: packet loss on the way to servers",
	engine.ConnectionsOut: "No connections of servers to clients in these files: packet loss on the way from servers",
	engine.Peers:          "Fewer than three can be compared: ",
	engine.Fineness:       "The records are too far apart, seconds are needed: ",
}

// remarkNamed is what a topology has to name for a resource to be looked for: the kind of its
// components, what they are called, and the key of the file.
var remarkNamed = map[engine.Resource]struct {
	kind      topology.Kind
	what, key string
}{
	engine.Disks:          {topology.Attachment, "drives", "drives:"},
	engine.Interfaces:     {topology.Interface, "interfaces", "interfaces:"},
	engine.ConnectionsIn:  {topology.Host, "hosts", "hosts:"},
	engine.ConnectionsOut: {topology.Host, "hosts", "hosts:"},
}

// Lacks says what the data lacked, and what cannot be seen for that; each once.
func Lacks(v *Writer, list []engine.Lack) []string {
	var lines []string
	for _, l := range list {
		if text := lack(v.System, l); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return lines
}

func lack(system *topology.System, l engine.Lack) string {
	text, faults, _ := strings.Cut(unseen[l.Resource], ": ")
	cure := ""
	if n := remarkNamed[l.Resource]; unnamed(system, l.Resource) { // what the files have was not looked at
		text, cure = fmt.Sprintf("The topology %s names no %s", system.File, n.what), fmt.Sprintf(" Add %s to it, or leave it out: %s are then found in the files.", n.key, n.what)
	}
	switch {
	case l.Whole && l.Resource == engine.Interfaces && cure != "":
		return fmt.Sprintf("Not asked: which server's resource (its disk or its network) is at fault. %s.%s", text, cure)
	case l.Whole && l.Resource == engine.Interfaces:
		return notAsked
	case l.Whole || faults == "":
		faults = map[engine.Question]string{engine.Components: "slow components", engine.Servers: "faults of a server's disk or network"}[l.Question]
	}
	return fmt.Sprintf("%s: %s cannot be seen.%s", text, faults, cure)
}

// unnamed says whether a topology file leaves a resource out.
func unnamed(system *topology.System, r engine.Resource) bool {
	n, ok := remarkNamed[r]
	if !ok || system == nil || system.File == "" {
		return false
	}
	return !slices.ContainsFunc(system.Components, func(c topology.Component) bool { return c.Kind == n.kind })
}

// notAsked says what the question of servers takes.
const notAsked = "Not asked: which server's resource (its disk or its network) is at fault. That takes files with the interfaces of three servers, sampled every few seconds."

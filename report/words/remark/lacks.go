package remark

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/diagnose"
	"github.com/limpet-storage/limpet/report/words"
	"github.com/limpet-storage/limpet/topology"
)

// unseen is what cannot be seen without a resource.
var unseen = map[diagnose.Resource]string{
	diagnose.Disks:          "No disks in these files: faults of disks",
	diagnose.Interfaces:     "No interfaces in these files: network faults",
	diagnose.ConnectionsIn:  "No connections of clients to servers in these files: packet loss on the way to servers",
	diagnose.ConnectionsOut: "No connections of servers to clients in these files: packet loss on the way from servers",
	diagnose.Peers:          "Fewer than three can be compared: ",
	diagnose.Fineness:       "The records are too far apart, seconds are needed: ",
}

// named is what a topology has to name for a resource to be looked for: the kind of its
// components, what they are called, and the key of the file.
var named = map[diagnose.Resource]struct {
	kind      topology.Kind
	what, key string
}{
	diagnose.Disks:          {topology.Attachment, "drives", "drives:"},
	diagnose.Interfaces:     {topology.Interface, "interfaces", "interfaces:"},
	diagnose.ConnectionsIn:  {topology.Host, "hosts", "hosts:"},
	diagnose.ConnectionsOut: {topology.Host, "hosts", "hosts:"},
}

// Lacks says what the data lacked, and what cannot be seen for that; each once.
func Lacks(v *words.Voice, list []diagnose.Lack) []string {
	var lines []string
	for _, l := range list {
		if text := lack(v.System, l); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return lines
}

func lack(system *topology.System, l diagnose.Lack) string {
	text, faults, _ := strings.Cut(unseen[l.Resource], ": ")
	cure := ""
	if n := named[l.Resource]; unnamed(system, l.Resource) { // what the files have was not looked at
		text, cure = fmt.Sprintf("The topology %s names no %s", system.File, n.what), fmt.Sprintf(" Add %s to it, or leave it out: %s are then found in the files.", n.key, n.what)
	}
	switch {
	case l.Whole && l.Resource == diagnose.Interfaces && cure != "":
		return fmt.Sprintf("Not asked: which server's resource (its disk or its network) is at fault. %s.%s", text, cure)
	case l.Whole && l.Resource == diagnose.Interfaces:
		return notAsked
	case l.Whole || faults == "":
		faults = map[diagnose.Question]string{diagnose.Components: "slow components", diagnose.Servers: "faults of a server's disk or network"}[l.Question]
	}
	return fmt.Sprintf("%s: %s cannot be seen.%s", text, faults, cure)
}

// unnamed says whether a topology file leaves a resource out.
func unnamed(system *topology.System, r diagnose.Resource) bool {
	n, ok := named[r]
	if !ok || system == nil || system.File == "" {
		return false
	}
	return !slices.ContainsFunc(system.Components, func(c topology.Component) bool { return c.Kind == n.kind })
}

// notAsked says what the question of servers takes.
const notAsked = "Not asked: which server's resource (its disk or its network) is at fault. That takes files with the interfaces of three servers, sampled every few seconds."

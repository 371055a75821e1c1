// This file reads the targets of each node: beegfs-ctl --listtargets with any of its columns, and
// beegfs target list of version 8.

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// The columns depend on the options. A line of = shows their widths. Values are right-aligned,
// except the node, which is the last or the first column:
//
//	MirrorGroupID MGMemberType TargetID     Reachability  Consistency        Total         Free    %   NodeID
//	============= ============ ========     ============  ===========        =====         ====    =   ======
//	           11      primary       21          Offline         Good     662.9GiB     531.7GiB  80%   beegfs-meta node7 [ID: 21]
//
// Version 8:
//
//	ID     ALIAS           ON NODE         REACHABILITY  LAST CONTACT  CONSISTENCY  …
//	s:101  storage_target  node_storage_1  Online        …

const system = "beegfs"

var (
	ruleLine   = lazyregexp.New(`^\s*={3,}(?:\s+=+)+\s*$`)
	longNode   = lazyregexp.New(`\s*\[ID: (\d+)\]`)
	newHead    = lazyregexp.New(`^\s*(?:UID\s+)?ID\s+ALIAS\s+ON NODE\b`)
	newLine    = lazyregexp.New(`^\s*(?:\S+\s+)?([sm]:\d+|\d+)\s+(\S+)\s+(\S+)(?:\s|$)`)
	wordNumber = lazyregexp.New(`^\d+$`)
)

// readBeeGFS reads the targets in a text, and claims their lines.
func readBeeGFS(t *Text) Inventory {
	var inv Inventory
	readTargets(t, &inv)
	readNew(t, &inv)
	return inv
}

func readTargets(t *Text, inv *Inventory) {
	var columns []string
	for i, line := range t.All() {
		words := strings.Fields(line)
		if head := strings.Fields(t.Line(i - 1)); ruleLine.MatchString(line) && len(head) == len(words) && has(head, "TargetID") {
			columns = head
			t.Claim(i-1, i)
			continue
		}
		if columns == nil || len(words) < 2 {
			continue
		}
		v, ok := target(columns, line)
		if !ok {
			if wordNumber.MatchString(words[0]) {
				inv.Notef(t.At(i), "%q is not a line of beegfs-ctl --listtargets; remove this line", strings.TrimSpace(line))
			}
			columns = nil
			continue
		}
		v.At = t.At(i)
		if wordNumber.MatchString(v.Host) {
			inv.Notef(v.At, "node %s has a number and no name; run beegfs-ctl with --longnodes, or replace the number with the name of the server", v.Host)
		}
		inv.Volumes = append(inv.Volumes, v)
		t.Claim(i, i)
	}
}

func has(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// target parses a line by its columns. With --longnodes the node is its name (one word or two) and
// [ID: 1].
func target(columns []string, line string) (v Volume, ok bool) {
	node := ""
	words := strings.Fields(line)
	if m := longNode.FindStringIndex(line); m != nil {
		node, words = cutNode(columns, strings.Fields(line[:m[0]]), strings.Fields(line[m[1]:]))
	}
	if len(words) != len(columns) {
		return v, false
	}
	f := map[string]string{}
	for i, name := range columns {
		if f[name] == "" { // two columns have the name %
			f[name] = words[i]
		}
	}
	if !wordNumber.MatchString(f["TargetID"]) {
		return v, false
	}
	if node == "" {
		node = f["NodeID"]
	}
	v = Volume{System: system, Name: "target " + f["TargetID"], ID: f["TargetID"], SizeBytes: Bytes(f["Total"], 1024), Host: node}
	if node != "" {
		v.Servers = []string{node}
	}
	return v, true
}

// cutNode joins the words of the node into one. The node is the last column, or with --nodesfirst
// the first. If the node has two words, the second is the host.
func cutNode(columns, before, after []string) (node string, words []string) {
	rest := len(columns) - 1 - len(after)
	if len(before) <= rest || rest < 0 {
		return "", nil
	}
	node = before[len(before)-1]
	return node, append(append(before[:rest:rest], node), after...)
}

func readNew(t *Text, inv *Inventory) {
	open := false
	for i, line := range t.All() {
		m := newLine.FindStringSubmatch(line)
		switch {
		case newHead.MatchString(line):
			open = true
		case open && m != nil && m[2] != "":
			inv.Volumes = append(inv.Volumes, Volume{At: t.At(i), System: system, Name: m[2], ID: m[1], Host: m[3], Servers: []string{m[3]}})
		default:
			open = false
			continue
		}
		t.Claim(i, i)
	}
}

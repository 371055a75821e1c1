// Package beegfs reads which node has which target: beegfs-ctl --listtargets
// with any of its columns, and beegfs target list of version 8.
package beegfs

import (
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/site"
)

// The columns depend on the options; a line of = says how wide they are, and
// values stand to the right, except for the node, which comes last or first:
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
	ruleLine   = regexp.MustCompile(`^\s*={3,}(?:\s+=+)+\s*$`)
	longNode   = regexp.MustCompile(`(\S+)\s+(\S+)?\s*\[ID: (\d+)\]\s*$`)
	newHead    = regexp.MustCompile(`^\s*(?:UID\s+)?ID\s+ALIAS\s+ON NODE\b`)
	newLine    = regexp.MustCompile(`^\s*(?:\S+\s+)?([sm]:\d+|\d+)\s+(\S+)\s+(\S+)(?:\s|$)`)
	wordNumber = regexp.MustCompile(`^\d+$`)
)

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readTargets(t, &inv)
	readNew(t, &inv)
	return inv
}

func readTargets(t *site.Text, inv *site.Inventory) {
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
			if !strings.Contains(line, "TargetID") {
				inv.Notef(t.At(i), "%q is no line of --listtargets; take it out", strings.TrimSpace(line))
			}
			columns = nil
			continue
		}
		v.At = t.At(i)
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

// target reads a line by its columns. NodeID may be several words, so columns
// before it are counted from the left and those behind it from the right.
func target(columns []string, line string) (v site.Volume, ok bool) {
	node := ""
	if m := longNode.FindStringSubmatchIndex(line); m != nil {
		node = line[m[2]:m[3]]
		if m[4] >= 0 {
			node = line[m[4]:m[5]]
		}
		line = line[:m[2]] + line[m[6]:m[7]]
	}
	words := strings.Fields(line)
	if len(words) != len(columns) {
		return v, false
	}
	f := map[string]string{}
	for i, name := range columns {
		if f[name] == "" { // two columns are called %
			f[name] = words[i]
		}
	}
	if !wordNumber.MatchString(f["TargetID"]) {
		return v, false
	}
	if node == "" {
		node = f["NodeID"]
	}
	v = site.Volume{System: system, Name: "target " + f["TargetID"], ID: f["TargetID"], SizeBytes: site.Bytes(f["Total"], 1024), Host: node}
	if node != "" {
		v.Servers = []string{node}
	}
	return v, true
}

func readNew(t *site.Text, inv *site.Inventory) {
	open := false
	for i, line := range t.All() {
		m := newLine.FindStringSubmatch(line)
		switch {
		case newHead.MatchString(line):
			open = true
		case open && m != nil:
			inv.Volumes = append(inv.Volumes, site.Volume{At: t.At(i), System: system, Name: m[2], ID: m[1], Host: m[3], Servers: []string{m[3]}})
		default:
			open = false
			continue
		}
		t.Claim(i, i)
	}
}

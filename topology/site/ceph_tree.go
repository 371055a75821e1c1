package site

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// ceph osd tree and osd df tree, as JSON
//
//	{"nodes": [{"id": -5, "name": "compute1", "type": "host", "children": [1]},
//	           {"id": 1, "device_class": "ssd", "name": "osd.1", "type": "osd"}], "stray": []}
//
// and as text, in which hosts and OSDs are indented below their bucket:
//
//	ID  CLASS  WEIGHT   TYPE NAME          STATUS  REWEIGHT  PRI-AFF
//	-5         0.09760      host compute1
//	 1    ssd  0.09760          osd.1          up   1.00000  1.00000

type treeNode struct {
	ID       int
	Name     string
	Type     string
	Class    string `json:"device_class"`
	Children []int
	KB       uint64
	Status   string
}

func readTree(_ *Text, d *Document, inv *Inventory) bool {
	var v struct{ Nodes, Stray []treeNode }
	if !d.Into(&v, "nodes") {
		return false
	}
	if len(v.Nodes) > 0 && v.Nodes[0].Type == "" {
		return false
	}
	host := map[int]string{}
	for _, n := range v.Nodes {
		for _, child := range n.Children {
			if n.Type == "host" && !isShadow(n.Name) {
				host[child] = n.Name
			}
		}
	}
	for _, n := range append(v.Nodes, v.Stray...) {
		if n.Type != "osd" {
			continue
		}
		o := osd(d.At(), fmt.Sprint(n.ID), host[n.ID])
		o.Pool, o.Media, o.SizeBytes, o.State = n.Class, mediaOf(n.Class), n.KB<<10, n.Status
		inv.Volumes = append(inv.Volumes, o)
	}
	return true
}

// isShadow reports whether a bucket is a copy that CRUSH keeps for a device class: host1~ssd.
func isShadow(name string) bool { return strings.Contains(name, "~") }

func mediaOf(class string) string {
	switch class {
	case "hdd", "ssd", "nvme":
		return class
	}
	return ""
}

var (
	treeTextHead = lazyregexp.New(`^\s*ID\s+(?:CLASS\s+)?WEIGHT\b.*TYPE NAME`)
	oldTreeHead  = lazyregexp.New(`^\s*#\s*id\s+weight\s+type name`)
	bucketLine   = lazyregexp.New(`^\s*-?\d+\s+(?:\S+\s+)*?(root|datacenter|zone|region|room|pod|pdu|row|rack|chassis|host|osd)\s+(\S+)\s*$`)
	osdState     = lazyregexp.New(`\b(up|down|destroyed|DNE)\b`)
	osdLine      = lazyregexp.New(`^\s*(\d+)\s+(?:([a-z]\w*)\s+)?[\d.]+\s.*\bosd\.(\d+)\b`)
)

func readTreeText(t *Text, inv *Inventory) {
	inTree, host := false, ""
	for i, line := range t.All() {
		bucket, leaf := bucketLine.FindStringSubmatch(line), osdLine.FindStringSubmatch(line)
		switch {
		case treeTextHead.MatchString(line), oldTreeHead.MatchString(line):
			inTree, host = true, ""
		case !inTree:
			continue
		case leaf != nil && leaf[1] == leaf[3]:
			o := osd(t.At(i), leaf[1], host)
			o.Pool, o.Media, o.State = leaf[2], mediaOf(leaf[2]), osdState.FindString(line)
			inv.Volumes = append(inv.Volumes, o)
		case bucket != nil:
			host = ""
			if bucket[1] == "host" {
				host = bucket[2]
			}
		case strings.Contains(line, "TOTAL"), strings.HasPrefix(line, "MIN/MAX VAR"):
		default:
			inTree = false
			continue
		}
		t.Claim(i, i)
	}
}

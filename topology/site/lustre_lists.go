package site

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// On a client, a line of lctl dl -t ends with the NID of the target's server. On a server, lctl dl
// lists the targets of the server:
//
//	 4 UP osc snx11035-OST0014-osc-ffff885f81a64000 8dbdc7f6-8f86-86ea-052f-357e2db2a7d9 5 10.100.101.25@o2ib2
//	12 UP obdfilter scratch-OST0012 scratch-OST0012_UUID 187
var (
	lustreDeviceLine = lazyregexp.New(`^\s*\d+\s+(UP|IN|AT|ST)\s+([\w-]+)\s+(\S+)\s+\S+\s+\d+(?:\s+(\S+@\S+))?\s*$`)
	inTarget         = lazyregexp.New(`^([\w.-]+?-(?:OST|MDT)[0-9a-f]{4})(?:-|$)`)
)

func readDeviceList(t *Text, inv *Inventory) {
	for i, line := range t.All() {
		m := lustreDeviceLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		t.Claim(i, i)
		name := inTarget.FindStringSubmatch(m[3])
		if name == nil {
			continue
		}
		v, _ := lustreTarget(t.At(i), name[1])
		v.State = m[1]
		switch m[2] {
		case "osc", "mdc", "osp":
			if m[4] != "" && !strings.Contains(m[4], "@lo") {
				inv.Volumes = append(inv.Volumes, serve(v, serverOf(m[4])))
			}
		case "obdfilter", "mdt", "ofd":
			inv.Volumes = append(inv.Volumes, serve(v, t.Host))
		}
	}
}

// serverOf returns the server of a network identifier: oss1 for oss1@tcp. An IP address keeps its
// network (10.0.0.1@tcp), because it is not the name of a server.
func serverOf(nid string) string {
	host, _, _ := strings.Cut(nid, "@")
	if _, err := netip.ParseAddr(host); err == nil {
		return nid
	}
	return host
}

// lfs df:
//
//	UUID                   1K-blocks        Used   Available Use% Mounted on
//	snx11035-OST0000_UUID 90767651352 65387344040 24423870832  73% /scratch2[OST:0]
//	OST0003             : inactive device
var (
	spaceHead = lazyregexp.New(`^\s*UUID\s+(1K-blocks|bytes|Inodes)\b`)
	spaceLine = lazyregexp.New(`^\s*([\w.-]+-(?:OST|MDT)[0-9a-f]{4})_UUID\s+([\d.]+[KMGTPE]?)\s+\S+\s+\S+\s+\S+%?\s+\S+`)
	spaceSum  = lazyregexp.New(`^\s*filesystem[ _]summary:|^\s*(?:OST|MDT)[0-9a-f]{4}\s*: `)
)

func readSpace(t *Text, inv *Inventory) {
	unit := ""
	for i, line := range t.All() {
		head, m := spaceHead.FindStringSubmatch(line), spaceLine.FindStringSubmatch(line)
		switch {
		case head != nil:
			unit = head[1]
		case m != nil:
			v, _ := lustreTarget(t.At(i), m[1])
			v.SizeBytes = spaceBytes(m[2], unit)
			inv.Volumes = append(inv.Volumes, v)
		case !spaceSum.MatchString(line):
			continue
		}
		t.Claim(i, i)
	}
}

func spaceBytes(text, unit string) uint64 {
	switch unit {
	case "bytes":
		return Bytes(text, 1024)
	case "1K-blocks":
		kilobytes, _ := strconv.ParseUint(text, 10, 50)
		return kilobytes << 10
	}
	return 0
}

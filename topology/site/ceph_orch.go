package site

import (
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// ceph orch device ls; releases before Quincy write Hostname and Serial:
//
//	HOST    PATH          TYPE  DEVICE ID                       SIZE  AVAILABLE  REFRESHED  REJECT REASONS
//	node-a  /dev/sdb      hdd   SEAGATE_ST10000NM0096_ZA2ABC01  9095G  No        9m ago     LVM detected, locked
var (
	orchHead = lazyregexp.New(`^(?:HOST|Hostname)\s+(?:PATH|Path)\s+(?:TYPE|Type)\s+(?:DEVICE ID|Serial)\s`)
	orchLine = lazyregexp.New(`^(\S+)\s+(/dev/\S+)\s+(hdd|ssd|nvme|unknown)\s+(\S+)\s+(?:(\S+)\s)?`)
)

func readOrchText(t *Text, inv *Inventory) {
	inTable := false
	for i, line := range t.All() {
		m := orchLine.FindStringSubmatch(line)
		switch {
		case orchHead.MatchString(line):
			inTable = true
		case inTable && m != nil:
			inv.Devices = append(inv.Devices, orchDevice(t.At(i), m))
		default:
			inTable = false
			continue
		}
		t.Claim(i, i)
	}
}

func orchDevice(at At, m []string) Device {
	const base = 1024
	d := Device{At: at, Host: m[1], Name: DeviceName(m[2]), Kind: Drive}
	if m[3] != "unknown" {
		d.Media = m[3]
	}
	if d.SizeBytes = Bytes(m[4], base); d.SizeBytes > 0 {
		return d // no identity is known
	}
	d.SizeBytes = Bytes(m[5], base)
	if d.Model, d.Serial = splitID(m[4]); d.Serial == "" {
		d.Serial = m[4]
	}
	return d
}

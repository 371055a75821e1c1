package site

import (
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// lsblk -P writes a line for each device; newer ones write MAJ_MIN:
//
//	NAME="sda1" TYPE="part" FSTYPE="linux_raid_member" MAJ:MIN="8:1"
var pair = lazyregexp.New(`([A-Z][A-Z0-9:_%-]*)="((?:[^"\\]|\\.)*)"`)

func readPairs(t *Text, inv *Inventory) {
	for i, line := range t.All() {
		f := map[string]string{}
		for _, m := range pair.FindAllStringSubmatch(line, -1) {
			f[m[1]] = m[2]
		}
		if f["NAME"] == "" && f["KNAME"] == "" || len(f) < 2 {
			continue
		}
		if f["MAJ:MIN"] == "" {
			f["MAJ:MIN"] = f["MAJ_MIN"]
		}
		t.Claim(i, i)
		if d, ok := device(t.Host, t.At(i), f, ""); ok {
			inv.Devices = append(inv.Devices, d)
		}
	}
}

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// With debug output, and from multipathd, comes a table of all paths:
//
//	uuid hcil    dev dev_t pri dm_st chk_st vend/prod/rev       dev_st
//	     0:0:0:0 sda 8:0   -1  undef ready  VMware,Virtual disk running
//	3600… 3:0:0:5 sdab 65:176 0   [undef][ready] DGC,RAID 5
var multipathTableLine = lazyregexp.New(`^\s*(\S+)?\s+(\d+:\d+:\d+:\d+)\s+(\w+)\s+(\d+:\d+)\s+(-?\d+)\s+\[?\w+\]?\s*\[?\w+\]?\s+(.+)$`)

var debugLine = lazyregexp.New(`^(\w{3} \d+ [\d:]+ \| |\*word = |params = |status = |sd\w+: |sr\d+: |process \d+ |forked |uuid +hcil|===== paths list|multipathd> )`)

// readPathTable reads the table, and claims the chatter of debug output where
// there is one.
func readPathTable(t *Text, inv *Inventory) {
	inTable := false
	for i, line := range t.All() {
		inTable = inTable || strings.Contains(line, "hcil") && strings.Contains(line, "dev_t")
		m := multipathTableLine.FindStringSubmatch(line)
		switch {
		case inTable && m != nil:
			inv.Devices = append(inv.Devices, tablePath(t, i, m))
		case !debugLine.MatchString(line) || !inTable && t.Claimed() == 0:
			continue
		}
		t.Claim(i, i)
	}
}

func tablePath(t *Text, i int, m []string) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: m[3], Number: m[4], Address: m[2], WWN: m[1]}
	vendor, product, ok := strings.Cut(m[6], ",")
	if ok {
		d.Vendor = strings.TrimSpace(vendor)
		d.Model = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(product), "running"))
	}
	return d
}

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// /proc/scsi/scsi knows addresses and models, and no names of devices:
//
//	Attached devices:
//	Host: scsi0 Channel: 00 Id: 00 Lun: 01
//	  Vendor: HP       Model: LOGICAL VOLUME   Rev: 3.54
//	  Type:   Direct-Access                    ANSI  SCSI revision: 05
var (
	hostLine   = lazyregexp.New(`^\s*Host:\s*scsi(\d+)\s+Channel:\s*(\d+)\s+Id:\s*(\d+)\s+Lun:\s*(\d+)`)
	vendorLine = lazyregexp.New(`^\s*Vendor:\s*(.*?)\s*Model:\s*(.*?)\s*Rev:\s*(.*?)\s*$`)
	typeLine   = lazyregexp.New(`^\s*Type:\s*(\S.*?)\s+ANSI`)
)

func readProc(t *Text, inv *Inventory) {
	for i, line := range t.All() {
		m := hostLine.FindStringSubmatch(line)
		vendor := vendorLine.FindStringSubmatch(t.Line(i + 1))
		if m == nil || vendor == nil {
			if strings.HasPrefix(line, "Attached devices:") {
				t.Claim(i, i)
			}
			continue
		}
		d := Device{At: t.At(i), Host: t.Host, Address: address(m[1:]), Vendor: vendor[1], Model: vendor[2], Firmware: vendor[3]}
		last := i + 1
		if kind := typeLine.FindStringSubmatch(t.Line(i + 2)); kind != nil {
			last++
			d.Kind = Media
			if kind[1] == "Direct-Access" {
				d.Kind = Drive
			}
		}
		t.Claim(i, last)
		if d.Kind == Drive {
			inv.Devices = append(inv.Devices, d)
		}
	}
}

// address writes numbers as lsscsi does, without zeros before them.
func address(numbers []string) string {
	plain := make([]string, len(numbers))
	for i, n := range numbers {
		if plain[i] = strings.TrimLeft(n, "0"); plain[i] == "" {
			plain[i] = "0"
		}
	}
	return strings.Join(plain, ":")
}

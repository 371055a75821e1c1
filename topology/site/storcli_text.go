package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// In the text output, a drive is a line of a table. Its attributes follow in lines with "=":
//
//	Controller = 0
//	Drive /c0/e252/s0 :
//	EID:Slt DID State DG     Size Intf Med SED PI SeSz Model                Sp Type
//	252:0    34 Onln   0 14.551 TB SATA HDD N   N  512B ST16000NM001G-2KK103 U  -
//	Drive /c0/e252/s0 Device attributes :
//	SN =             ZL2PVFA8
//	WWN = 5000C500E54F4EBB
var (
	storcliControllerLine = lazyregexp.New(`^Controller\s*=\s*(\d+)`)
	storcliHeadLine       = lazyregexp.New(`^(?:CLI Version|Operating system) = `)
	storcliListLine       = lazyregexp.New(`^\s*(\d*\s*:\s*\d+)\s+\d+\s+(\w+)\s+(\S+)\s+([\d.]+ [KMGTP]B)\s+(\S+)\s+(HDD|SSD)\s+\S+\s+\S+\s+\S+\s+(.*?)\s+[UD]\s+\S+\s*$`)
	attributeLine         = lazyregexp.New(`^(SN|WWN|Manufacturer Id|Model Number|Firmware Revision)\s*=\s*(.*)$`)
	storcliOtherLine      = lazyregexp.New(`^(?:CLI Version|Operating system|Status|Description|EID[:=-]|EID:Slt|DID=|Drive /c\d|(?:Drive|PD|JBOD|Physical Drive) (?:Information|LIST|List) :|[A-Za-z][\w ./()-]* = |Onln=|DHS=|UBUnsp=|UGood=|GHS=|JBOD=|-{10,}|={5,})`)
)

func readTextStorcli(t *Text, inv *Inventory) {
	controller := ""
	places := map[string]int{}
	var open *Device
	for i, line := range t.All() {
		line = strings.TrimSpace(line)
		if m := storcliControllerLine.FindStringSubmatch(line); m != nil {
			controller, open = m[1], nil
			t.Claim(i, i)
			continue
		}
		if controller == "" {
			if storcliHeadLine.MatchString(line) {
				t.Claim(i, i)
			}
			continue
		}
		if m := storcliListLine.FindStringSubmatch(line); m != nil {
			at := strings.ReplaceAll(m[1], " ", "")
			d, _ := drive(t.At(i), t.Host, controller, at)
			describeStorcli(&d, m[2], m[3], m[4], m[6], m[7])
			places[controller+" "+at] = len(inv.Devices)
			inv.Devices = append(inv.Devices, d)
		} else if c, at, ok := placeOf(line); ok && strings.HasPrefix(line, "Drive ") {
			if k, known := places[c+" "+at]; known {
				open = &inv.Devices[k]
			}
		} else if m := attributeLine.FindStringSubmatch(line); m != nil && open != nil {
			setAttribute(open, m[1], strings.TrimSpace(m[2]))
		} else if !storcliOtherLine.MatchString(line) {
			continue
		}
		t.Claim(i, i)
	}
}

func setAttribute(d *Device, key, value string) {
	switch key {
	case "SN":
		d.Serial = value
	case "WWN":
		d.WWN = value
	case "Manufacturer Id":
		d.Vendor = value
	case "Model Number":
		d.Model = value
	case "Firmware Revision":
		d.Firmware = value
	}
}

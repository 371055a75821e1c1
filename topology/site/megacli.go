// This file reads the drives and their slots from MegaCli -PDList and -LdPdInfo, the older tool for
// MegaRAID controllers.

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A drive is a block of lines that begins with its enclosure:
//
//	Adapter #0
//
//	Enclosure Device ID: 9
//	Slot Number: 0
//	WWN: 5000C500E54F4EBB
//	Raw Size: 279.396 GB [0x22ecb25c Sectors]
//	Firmware state: Online, Spun Up
//	Inquiry Data: IBM-ESXSMK3001GRRB      SC2222Q22222SC22SC22SC22
//	Media Type: Hard Disk Device
//
// Inquiry Data is the serial, model and firmware of a SATA drive, or vendor, model, firmware and
// serial of a SAS drive, without separators: the parser does not use it.

var (
	adapterLine = lazyregexp.New(`^\s*Adapter:?\s*#?\s*(\d+)`)
	keyLine     = lazyregexp.New(`^\s*([A-Z][\w #()./'?-]*?)\s*:\s*(.*)$`)
)

// readMegaCLI reads the drives in a text, and claims their lines.
func readMegaCLI(t *Text) Inventory {
	var inv Inventory
	adapter := ""
	open := -1
	for i, line := range t.All() {
		if m := adapterLine.FindStringSubmatch(line); m != nil && open < 0 || m != nil && strings.HasPrefix(strings.TrimSpace(line), "Adapter #") {
			adapter, open = m[1], -1
			if nextIsDrive(t, i) {
				t.Claim(i, i)
			}
			continue
		}
		m := keyLine.FindStringSubmatch(line)
		switch {
		case m != nil && m[1] == "Enclosure Device ID":
			open = len(inv.Devices)
			inv.Devices = append(inv.Devices, Device{At: t.At(i), Host: t.Host, Kind: Drive, Enclosure: enclosure(adapter, m[2])})
		case open < 0 || m == nil:
			if strings.TrimSpace(line) != "" && !strings.Contains(line, "Exit Code") {
				open = -1
			}
			continue
		default:
			setDrive(&inv.Devices[open], m[1], m[2])
		}
		t.Claim(i, i)
	}
	return inv
}

func nextIsDrive(t *Text, i int) bool {
	for k := i + 1; k < min(i+6, t.Len()); k++ {
		if strings.Contains(t.Line(k), "Enclosure Device ID") {
			return true
		}
	}
	return false
}

func enclosure(adapter, id string) string {
	if adapter == "" {
		adapter = "0"
	}
	if id == "N/A" || id == "" {
		return "c" + adapter
	}
	return "c" + adapter + "/e" + id
}

func setDrive(d *Device, key, value string) {
	value = strings.TrimSpace(value)
	switch key {
	case "Slot Number":
		d.Slot = value
	case "WWN":
		d.WWN = value
	case "Raw Size":
		size, _, _ := strings.Cut(value, " [")
		d.SizeBytes = Bytes(size, 1024)
	case "Device Firmware Level":
		d.Firmware = value
	case "Media Type":
		switch value {
		case "Hard Disk Device":
			d.Media = "hdd"
		case "Solid State Device":
			d.Media = "ssd"
		}
	case "Firmware state":
		switch {
		case strings.HasPrefix(value, "Hotspare"):
			d.Role = "spare"
		case strings.HasPrefix(value, "Failed"), strings.HasPrefix(value, "Unconfigured(bad)"):
			d.Role = "faulty"
		}
	}
}

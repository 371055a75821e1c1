// This file reads which drive sits in which slot behind a SAS controller in IT or IR mode,
// from the output of sas2ircu DISPLAY and sas3ircu DISPLAY.

package site

import (
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Each drive is a block of lines; each enclosure is a block at the end:
//
//	Device is a Hard disk
//	  Enclosure #                             : 2
//	  Slot #                                  : 0
//	  SAS Address                             : 500065b-3-6789-abe0
//	  State                                   : Ready (RDY)
//	  Size (in MB)/(in sectors)               : 3815447/7814037167
//	  Model Number                            : ST4000DM000-1F21
//	  Firmware Revision                       : CC52
//	  Serial No                               : S3007ZKX
//	  GUID                                    : 5000c5006d1f661f
var (
	controllerLine     = lazyregexp.New(`Read configuration has been initiated for controller (\d+)`)
	sas2ircuDeviceLine = lazyregexp.New(`^\s*Device is an? (.*)$`)
	fieldLine          = lazyregexp.New(`^\s+([A-Z][\w #()/.\[\]-]*?)\s+: (.*)$`)
	sas3Line           = lazyregexp.New(`^\s*(?:\S+ )+SAS3 IR |Controller type\s+: SAS3|^SAS3IRCU: `)
	sas2ircuOtherLine  = lazyregexp.New(`^\s*(?:LSI Corporation SAS|Avago Technologies SAS|Broadcom SAS|Version \d|Copyright \(c\)|Controller information|IR Volume information|Physical device information|Enclosure information|IR volume \d+|Initiator at ID|Physical hard disks|SAS[23]IRCU: |-{20,})`)
)

// readSAS2IRCU reads the drives in a text and claims their lines.
func readSAS2IRCU(t *Text) Inventory {
	var inv Inventory
	tool := toolOf(t)
	hba, block := tool+" 0", ""
	begun := false
	for i, line := range t.All() {
		if m := controllerLine.FindStringSubmatch(line); m != nil {
			hba, begun, block = tool+" "+m[1], true, ""
		}
		device, field := sas2ircuDeviceLine.FindStringSubmatch(line), fieldLine.FindStringSubmatch(line)
		switch {
		case device != nil:
			begun = true
			block = strings.TrimSpace(device[1])
			if isDrive(block) {
				inv.Devices = append(inv.Devices, Device{At: t.At(i), Host: t.Host, Kind: Drive})
			}
		case begun && sas2ircuOtherLine.MatchString(line):
			block = ""
		case begun && field != nil && isDrive(block):
			setSas2ircu(&inv.Devices[len(inv.Devices)-1], hba, field[1], strings.TrimSpace(field[2]))
		case begun && field != nil, controllerLine.MatchString(line):
		default:
			continue
		}
		t.Claim(i, i)
	}
	if begun {
		claimHead(t)
	}
	return inv
}

// claimHead claims the lines before the first controller.
func claimHead(t *Text) {
	for i, line := range t.All() {
		if sas2ircuOtherLine.MatchString(line) {
			t.Claim(i, i)
		}
	}
}

func isDrive(block string) bool {
	return strings.EqualFold(block, "hard disk") || strings.EqualFold(block, "Solid State Drive") || strings.EqualFold(block, "unknown device")
}

// toolOf returns the tool for these controllers: sas2ircu or sas3ircu. The names of enclosures
// begin with the tool, because the tool switches the locate LEDs of the enclosure.
func toolOf(t *Text) string {
	for _, line := range t.All() {
		if sas3Line.MatchString(line) {
			return "sas3ircu"
		}
	}
	return "sas2ircu"
}

func setSas2ircu(d *Device, hba, key, value string) {
	switch key {
	case "Enclosure #":
		d.Enclosure = hba + "/" + value
	case "Slot #":
		d.Slot = value
	case "Size (in MB)/(in sectors)":
		_, sectors, _ := strings.Cut(value, "/")
		n, _ := strconv.ParseUint(sectors, 10, 50)
		d.SizeBytes = n * 512
	case "Manufacturer":
		d.Vendor = value
	case "Model Number":
		d.Model = value
	case "Firmware Revision":
		d.Firmware = value
	case "Serial No":
		d.Serial = value
	case "Unit Serial No(VPD)":
		d.Serial = value // the full serial number; "Serial No" is truncated
	case "GUID":
		if value != "N/A" {
			d.WWN = value
		}
	case "Drive Type":
		if cut := strings.LastIndex(value, "_"); cut >= 0 {
			d.Media = strings.ToLower(value[cut+1:])
		}
	case "State":
		switch {
		case strings.Contains(value, "(HSP)"):
			d.Role = "spare"
		case strings.Contains(value, "(FLD)"), strings.Contains(value, "(MIS)"):
			d.Role = "faulty"
		}
	}
}

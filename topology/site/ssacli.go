// This file reads which drive sits in which bay of an HPE Smart Array, and which array the
// drive is a part of, from the output of ssacli, hpssacli and hpacucli, with and without
// details.

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// The short and the long form of a drive, indented below its array and controller:
//
//	Smart Array P408i-a SR Gen10 in Slot 0 (Embedded)
//	   Array A
//	      physicaldrive 2I:1:1 (port 2I:box 1:bay 1, SATA SSD, 960 GB, OK)
//
//	   Array: A
//	      Logical Drive: 1
//	         Disk Name: /dev/sda
//	         Unique Identifier: 600508B1001C…
//	      physicaldrive 2I:1:1
//	         Size: 960 GB
//	         Firmware Revision: D0MU075
//	         Serial Number: …
//	         WWID: 31402EC01526FD80
//	         Model: ATA     MTFDDAK960TCB
var (
	ssacliControllerLine = lazyregexp.New(`^\s*(?:HPE? )?\S.* in (?:Slot (\S+)|\((?:External|Embedded)\)|\S+$)`)
	ssacliToolPrompt     = lazyregexp.New(`^\s*=> (?:ctrl|controller) `)
	slotLine             = lazyregexp.New(`\bin Slot (\w+)`)
	ssacliArrayLine      = lazyregexp.New(`^\s*[Aa]rray:? ([A-Z]+)\b`)
	unassigned           = lazyregexp.New(`(?i)^\s*(?:unassigned|HBA Drives)\s*$`)
	driveLine            = lazyregexp.New(`^\s*physicaldrive ([\w:]+)(?: \((.*)\))?\s*$`)
	logicalLine          = lazyregexp.New(`^\s*(?i:logical ?drive):? (\d+)(?: \((.*)\))?\s*$`)
	cageLine             = lazyregexp.New(`^\s+(?:\S.* at Port \w+, Box \w+, \w+|Physical Drives|None attached|Expander \d+|(?:Enclosure )?SEP \(.*\).*|Port Name: \w+|Seagate.*|.*Mirror Group \d+:?|physicaldrive .*|(?:Drive|Parity|Spare) \w+:?)\s*$`)
	ssacliFieldLine      = lazyregexp.New(`^\s+([A-Z][\w /().:#%&-]*?):(?: (.*))?$`)
)

// A reader holds the controller, the array and the device of the current line.
type reader struct {
	t           *Text
	inv         *Inventory
	slot, array string
	places      map[string]int // index of a device in inv, by slot and port:box:bay
	open        int            // index of the device whose fields follow; -1: none
}

// readSsacli reads the drives in a text and claims their lines.
func readSsacli(t *Text) Inventory {
	var inv Inventory
	r := reader{t: t, inv: &inv, places: map[string]int{}, open: -1}
	begun := false
	for i, line := range t.All() {
		slot := slotLine.FindStringSubmatch(line)
		switch {
		case slot != nil && ssacliControllerLine.MatchString(line) && !strings.HasPrefix(line, "   "):
			r.slot, r.array, r.open, begun = slot[1], "", -1, true
		case !begun && !ssacliToolPrompt.MatchString(line):
			continue
		case !begun:
		case r.take(i, line):
		default:
			continue
		}
		t.Claim(i, i)
	}
	return inv
}

func (r *reader) take(i int, line string) bool {
	array, drive, logical := ssacliArrayLine.FindStringSubmatch(line), driveLine.FindStringSubmatch(line), logicalLine.FindStringSubmatch(line)
	switch {
	case unassigned.MatchString(line), cageLine.MatchString(line) && drive == nil:
		r.array, r.open = "", -1
	case array != nil:
		r.array, r.open = array[1], -1
	case drive != nil:
		r.drive(i, drive[1], drive[2])
	case logical != nil:
		r.logical(i)
	default:
		field := ssacliFieldLine.FindStringSubmatch(line)
		if field == nil {
			return false
		}
		if r.open >= 0 {
			setSsacli(&r.inv.Devices[r.open], field[1], strings.TrimSpace(field[2]))
		}
	}
	return true
}

// drive begins a physical drive. Its enclosure and slot come from place, which is
// port:box:bay. The output lists a drive more than once: below its array, below its port, and
// in full.
func (r *reader) drive(i int, place, short string) {
	key := r.slot + " " + place
	k, known := r.places[key]
	if !known {
		k = len(r.inv.Devices)
		r.places[key] = k
		box, bay := cutLast(place)
		r.inv.Devices = append(r.inv.Devices, Device{At: r.t.At(i), Host: r.t.Host, Kind: Drive, Enclosure: "slot " + r.slot + "/" + box, Slot: bay})
	}
	r.open = k
	if r.array != "" {
		r.inv.Devices[k].Pool = "array " + r.array
	}
	shorts := strings.Split(short, ", ")
	if len(shorts) >= 4 {
		d := &r.inv.Devices[k]
		d.Media, d.SizeBytes = mediaSsacli(shorts[1]), Bytes(shorts[2], 1000)
		if shorts[len(shorts)-1] == "spare" {
			d.Role = "spare"
		}
	}
}

// logical begins a logical drive, which the operating system sees as a disk.
func (r *reader) logical(i int) {
	r.open = len(r.inv.Devices)
	r.inv.Devices = append(r.inv.Devices, Device{At: r.t.At(i), Host: r.t.Host, Kind: Drive, Pool: "array " + r.array, Role: "logical"})
}

func cutLast(place string) (box, bay string) {
	cut := strings.LastIndex(place, ":")
	if cut < 0 {
		return "", place
	}
	return place[:cut], place[cut+1:]
}

func mediaSsacli(text string) string {
	switch {
	case strings.Contains(text, "NVMe"):
		return "nvme"
	case strings.Contains(text, "SSD"), strings.Contains(text, "Solid State"):
		return "ssd"
	case strings.Contains(text, "HDD"), text == "SAS", text == "SATA":
		return "hdd"
	}
	return ""
}

func setSsacli(d *Device, key, value string) {
	switch key {
	case "Disk Name":
		name, _, _ := strings.Cut(value, " ")
		d.Name = DeviceName(name)
	case "Unique Identifier", "WWID":
		d.WWN = value
	case "Serial Number":
		d.Serial = value
	case "Firmware Revision":
		d.Firmware = value
	case "Model":
		vendor, model, ok := strings.Cut(value, "  ")
		if !ok {
			model = value
			vendor = ""
		}
		d.Vendor, d.Model = vendor, strings.TrimSpace(model)
	case "Size":
		if d.SizeBytes == 0 {
			d.SizeBytes = Bytes(value, 1000)
		}
	case "Interface Type":
		d.Media = mediaSsacli(value)
	case "Drive Type":
		if value == "Spare Drive" {
			d.Role = "spare"
		}
	case "Port", "Box", "Bay", "Status":
	}
}

// This file reads the inventory that limpet-record writes into activity files: from the
// files themselves, and from the output of limpet dump --inventory.

package site

import (
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// limpet dump --inventory prints
//
//	# hostname;device;number;bytes;model;serial;WWN;part of;upkeep;state
//	fs1;sda;8:0;16000900661248;ST16000NM001G;ZL2A9XYZ;0x5000c500a1b2c3d4;md0,dm-3;recover;
//	# hostname;interface;address
//	fs1;eth0;10.0.0.7
//
// Lines of earlier versions end with the column "part of".
var recordedDeviceLine = lazyregexp.New(`^([^;]+);([^;]+);(\d+:\d+);(\d*);([^;]*);([^;]*);([^;]*);([^;]*)(?:;[^;]*;[^;]*)?$`)

// readRecorder reads the devices in a text and claims their lines.
func readRecorder(t *Text) Inventory {
	var inv Inventory
	begun := false
	for i, line := range t.All() {
		m := recordedDeviceLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "# hostname;"):
			begun = true
		case begun && m != nil:
			size, _ := strconv.ParseUint(m[4], 10, 63)
			d := Device{At: t.At(i), Host: m[1], Name: m[2], Number: m[3], SizeBytes: size, Model: m[5], Serial: m[6], WWN: m[7]}
			place(&d, strings.Split(m[8], ","))
			inv.Devices = append(inv.Devices, d)
		case begun && strings.Count(line, ";") == 2:
		default:
			begun = false
			continue
		}
		t.Claim(i, i)
	}
	return inv
}

// place sets the kind of a device, and the array or pool that it is a part of.
func place(d *Device, parents []string) {
	d.Kind = kindOfRecorded(d.Name, d.WWN)
	for _, p := range parents {
		if strings.HasPrefix(p, "md") || strings.Contains(p, "/") {
			d.Pool = p
		}
	}
}

func kindOfRecorded(name, wwn string) Kind {
	for _, prefix := range []string{"loop", "ram", "zram", "sr", "fd"} {
		if strings.HasPrefix(name, prefix) {
			return Media
		}
	}
	switch {
	case strings.HasPrefix(name, "md"), strings.HasPrefix(name, "bcache"), strings.HasPrefix(name, "drbd"):
		return Stacked
	case strings.HasPrefix(name, "dm-") && wwn != "":
		return Multipath
	case strings.HasPrefix(name, "dm-"):
		return Stacked
	}
	return Drive
}

// This file reads the drives of Linux software RAID arrays: /proc/mdstat, mdadm --detail and
// --examine, their scans, and the JSON that jc makes of them.

package site

import (
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readMD reads the arrays and drives in a text, and claims their lines.
func readMD(t *Text) Inventory {
	var inv Inventory
	readMdJSON(t, &inv)
	readMdstat(t, &inv)
	readMdadm(t, &inv)
	return inv
}

var partition = lazyregexp.New(`^((?:sd|vd|xvd|hd)[a-z]+)\d+$|^((?:nvme\d+n\d+|mmcblk\d+|cciss/c\d+d\d+|md_?d?\d+|nbd\d+|loop\d+))p\d+$`)

// member returns the sighting of a member of an array; for a partition, the sighting of its drive.
func member(t *Text, i int, device, array, role string) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: DeviceName(device), Pool: array, Role: role}
	if m := partition.FindStringSubmatch(d.Name); m != nil {
		d.Aliases = nil
		d.Name = m[1] + m[2]
	}
	return d
}

// array returns the sighting of the array itself.
func array(t *Text, i int, name string, members []Device) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: DeviceName(name), Kind: Stacked}
	for _, m := range members {
		d.Of = append(d.Of, m.Name)
	}
	return d
}

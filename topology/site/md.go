// This file reads which drives the arrays of Linux software RAID are made of:
// /proc/mdstat, mdadm --detail and --examine, their scans, and the JSON that jc
// makes of them.

package site

import (
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readMD reads what it understands of a text and claims it.
func readMD(t *Text) Inventory {
	var inv Inventory
	readMdJSON(t, &inv)
	readMdstat(t, &inv)
	readMdadm(t, &inv)
	return inv
}

var partition = lazyregexp.New(`^((?:sd|vd|xvd|hd)[a-z]+)\d+$|^((?:nvme\d+n\d+|mmcblk\d+|cciss/c\d+d\d+|md_?d?\d+|nbd\d+|loop\d+))p\d+$`)

// member is the sighting of a member of an array, as the drive that a
// partition is on.
func member(t *Text, i int, device, array, role string) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: DeviceName(device), Pool: array, Role: role}
	if m := partition.FindStringSubmatch(d.Name); m != nil {
		d.Aliases = nil
		d.Name = m[1] + m[2]
	}
	return d
}

// array is the sighting of the array itself.
func array(t *Text, i int, name string, members []Device) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: DeviceName(name), Kind: Stacked}
	for _, m := range members {
		d.Of = append(d.Of, m.Name)
	}
	return d
}

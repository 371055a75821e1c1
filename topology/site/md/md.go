package md

import (
	"regexp"

	"github.com/limpet-storage/limpet/topology/site"
)

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readJSON(t, &inv)
	readMdstat(t, &inv)
	readMdadm(t, &inv)
	return inv
}

var partition = regexp.MustCompile(`^((?:sd|vd|xvd|hd)[a-z]+)\d+$|^((?:nvme\d+n\d+|mmcblk\d+|cciss/c\d+d\d+|md_?d?\d+|nbd\d+|loop\d+))p\d+$`)

// member is the sighting of a member of an array, as the drive that a
// partition is on.
func member(t *site.Text, i int, device, array, role string) site.Device {
	d := site.Device{At: t.At(i), Host: t.Host, Name: site.DeviceName(device), Pool: array, Role: role}
	if m := partition.FindStringSubmatch(d.Name); m != nil {
		d.Aliases = nil
		d.Name = m[1] + m[2]
	}
	return d
}

// array is the sighting of the array itself.
func array(t *site.Text, i int, name string, members []site.Device) site.Device {
	d := site.Device{At: t.At(i), Host: t.Host, Name: site.DeviceName(name), Kind: site.Stacked}
	for _, m := range members {
		d.Of = append(d.Of, m.Name)
	}
	return d
}

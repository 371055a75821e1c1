package sysstat

import "github.com/limpet-storage/limpet/internal/devname"

// Names appends to dst[:0] the name of each of the disks that a host shows
// together: by the inventory, else by the device's number, else by its
// company (see devname.VirtioMajor), else devM-m. The company of the first
// call decides: a device keeps its name when another one comes.
func (inv *Inventory) Names(disks []Disk, dst []string) []string {
	dst = dst[:0]
	virtio := inv.virtioMajor(disks)
	for i := range disks {
		d := &disks[i]
		switch known := inv.devices[deviceNumber{d.Major, d.Minor}]; {
		case known != nil && known.Name != "":
			dst = append(dst, known.Name)
		case d.Major == virtio:
			dst = append(dst, devname.Virtio(d.Minor))
		default:
			dst = append(dst, devname.Of(d.Major, d.Minor))
		}
	}
	return dst
}

// Name is that of one device of a host whose disks were asked about.
func (inv *Inventory) Name(major, minor uint32) string {
	return inv.Names([]Disk{{Major: major, Minor: minor}}, nil)[0]
}

// settle decides once what the numbers of a host's disks mean.
func (inv *Inventory) settle(rec *Record) {
	if !inv.settled {
		inv.virtioMajor(rec.Disks(nil))
	}
}

// virtioMajor is decided by the first disks that are asked about.
func (inv *Inventory) virtioMajor(disks []Disk) uint32 {
	if inv.settled || len(disks) == 0 {
		return inv.virtio
	}
	numbers := make([][2]uint32, len(disks))
	for i := range disks {
		numbers[i] = [2]uint32{disks[i].Major, disks[i].Minor}
	}
	inv.virtio, inv.settled = devname.VirtioMajor(numbers), true
	return inv.virtio
}

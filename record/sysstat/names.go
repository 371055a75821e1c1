package sysstat

import "github.com/limpet-storage/limpet/internal/devname"

// Names appends to dst[:0] the name of each disk in a record of a host: from the inventory, else
// from the device's number, else from the other disks of the record (see devname.VirtioMajor), else
// devM-m. The disks of the first call decide, so that a device keeps its name when disks are added
// later.
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

// Name returns the name of one device. Names must have been called before with the disks of its
// host.
func (inv *Inventory) Name(major, minor uint32) string {
	return inv.Names([]Disk{{Major: major, Minor: minor}}, nil)[0]
}

// settle decides once which major number the virtio disks of a host have.
func (inv *Inventory) settle(rec *Record) {
	if !inv.settled {
		inv.virtioMajor(rec.Disks(nil))
	}
}

// virtioMajor returns the major number of virtio disks. The disks of the first call decide.
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

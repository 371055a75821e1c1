package sysstat

import (
	"slices"
	"strconv"
)

// The kernel gives some drivers fixed numbers, from which a name follows.
// Others, device-mapper, zram, NVMe and virtio among them, get numbers as
// they come.
const (
	ramMajor    = 1
	loopMajor   = 7
	mdMajor     = 9
	srMajor     = 11
	dasdMajor   = 94
	mmcMajor    = 179
	xvdMajor    = 202
	extMajor    = 259 // NVMe, and partitions beyond a driver's own
	minDynamic  = 234
	maxDynamic  = 254
	sdMinors    = 16
	dasdMinors  = 4
	minorsBlock = 256
)

// sdMajors are those of SCSI disks, 16 disks each.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// DeviceName is the kernel's name of a device whose number tells it, and
// devM-m, as sysstat writes it, of others.
func DeviceName(major, minor uint32) string {
	switch major {
	case ramMajor:
		return numbered("ram", minor)
	case loopMajor:
		return numbered("loop", minor)
	case mdMajor:
		return numbered("md", minor)
	case srMajor:
		return numbered("sr", minor)
	case dasdMajor:
		return lettered("dasd", minor/dasdMinors, minor%dasdMinors)
	case xvdMajor:
		return lettered("xvd", minor/sdMinors, minor%sdMinors)
	}
	if k := slices.Index(sdMajors, major); k >= 0 {
		// Majors take 16 disks each, and from the 257th disk on 16 again.
		index := minor/minorsBlock*minorsBlock + uint32(k)*sdMinors + minor%minorsBlock/sdMinors
		return lettered("sd", index, minor%sdMinors)
	}
	return NumberName(major, minor)
}

// NumberName is devM-m, the name that sysstat gives to a number.
func NumberName(major, minor uint32) string {
	return "dev" + strconv.Itoa(int(major)) + "-" + strconv.Itoa(int(minor))
}

func numbered(driver string, n uint32) string {
	return driver + strconv.Itoa(int(n))
}

// lettered counts disks a … z, aa …; partition 0 is the disk.
func lettered(driver string, disk, partition uint32) string {
	var letters []byte
	for n := int(disk); n >= 0; n = n/26 - 1 {
		letters = append(letters, byte('a'+n%26))
	}
	slices.Reverse(letters)
	name := driver + string(letters)
	if partition > 0 {
		name += strconv.Itoa(int(partition))
	}
	return name
}

// Names appends to dst[:0] the name of each of the disks that a host shows
// together: by the inventory, else by the device's number, else by its
// company (see virtioMajor), else devM-m.
func (inv *Inventory) Names(disks []Disk, dst []string) []string {
	dst = dst[:0]
	virtio := virtioMajor(disks)
	for i := range disks {
		d := &disks[i]
		switch known := inv.devices[deviceNumber{d.Major, d.Minor}]; {
		case known != nil && known.Name != "":
			dst = append(dst, known.Name)
		case d.Major == virtio:
			dst = append(dst, lettered("vd", d.Minor/sdMinors, d.Minor%sdMinors))
		default:
			dst = append(dst, DeviceName(d.Major, d.Minor))
		}
	}
	return dst
}

// virtioMajor is the major of virtio disks, 0 if there are none for sure. It
// is dynamic, as those of device-mapper and zram are. But a host has a disk;
// where none with a fixed number is, the first device of the driver that was
// there first, hence with the highest number, is a guest's disk.
func virtioMajor(disks []Disk) (major uint32) {
	for i := range disks {
		d := &disks[i]
		switch {
		case physical(d.Major):
			return 0
		case d.Minor == 0 && d.Major >= minDynamic && d.Major <= maxDynamic:
			major = max(major, d.Major)
		}
	}
	return major
}

// physical says whether a major is one of disks with fixed numbers.
func physical(major uint32) bool {
	switch major {
	case dasdMajor, mmcMajor, xvdMajor, extMajor:
		return true
	}
	return slices.Contains(sdMajors, major)
}

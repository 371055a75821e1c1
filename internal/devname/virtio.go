package devname

import "slices"

// The major of virtio disks is dynamic, like the majors of device-mapper and zram. There are two
// ways to find it, the more certain way first:
//
//	254:0 254:16 254:32    virtio has sixteen minors for each disk, other drivers have one
//	7:0 254:0 253:0        no device has a fixed major of disks, but every host has a disk: it is
//	                       the first device of the driver that was loaded first; this driver has
//	                       the highest major, because the kernel gives dynamic majors downwards

// Virtio returns the name of a virtio disk: vda for minor 0.
func Virtio(minor uint32) string {
	return lettered("vd", minor/sdMinors, minor%sdMinors)
}

// VirtioMajor returns the major of the virtio disks of a host; 0 if it is not certain. The devices
// are all devices of the host, as major and minor.
func VirtioMajor(devices [][2]uint32) uint32 {
	byMajor := map[uint32][]uint32{}
	physical := false
	for _, d := range devices {
		physical = physical || isPhysical(d[0])
		if d[0] >= minDynamic && d[0] <= maxDynamic {
			byMajor[d[0]] = append(byMajor[d[0]], d[1])
		}
	}
	var spaced, first uint32
	for major, minors := range byMajor {
		if isSpaced(minors) {
			spaced = max(spaced, major)
		}
		if slices.Contains(minors, 0) {
			first = max(first, major)
		}
	}
	switch {
	case spaced != 0:
		return spaced
	case physical:
		return 0
	}
	return first
}

// mostPartitions is the largest number of partitions of a virtio disk: if more minors follow each
// other, they belong to device-mapper.
const mostPartitions = 8

// isSpaced reports whether minors belong to several disks, with minors for partitions after each
// disk.
func isSpaced(minors []uint32) bool {
	partitions := map[uint32]int{} // by the minor of the disk
	for _, m := range minors {
		if m%sdMinors == 0 {
			partitions[m] += 0
		} else {
			partitions[m-m%sdMinors]++
		}
	}
	for disk, n := range partitions {
		if n > mostPartitions || !slices.Contains(minors, disk) {
			return false
		}
	}
	return len(partitions) > 1
}

// isPhysical reports whether a major belongs to a driver of disks with fixed majors.
func isPhysical(major uint32) bool {
	switch major {
	case dasdMajor, mmcMajor, xvdMajor, extMajor:
		return true
	}
	return slices.Contains(sdMajors, major)
}

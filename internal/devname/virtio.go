package devname

import "slices"

// The major of virtio disks is dynamic, as those of device-mapper and zram
// are. Two signs tell it, the surer first:
//
//	254:0 254:16 254:32    virtio has sixteen minors for each disk, others one
//	7:0 254:0 253:0        a host has a disk; where none has a fixed number, the
//	                       first device of the driver that was there first, hence
//	                       with the highest number, is a guest's disk

// Virtio is the name of a virtio disk, vda for minor 0.
func Virtio(minor uint32) string {
	return lettered("vd", minor/sdMinors, minor%sdMinors)
}

// VirtioMajor is the major of virtio disks among the devices that a host
// shows together, given as major and minor; 0 if there are none for sure.
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

// mostPartitions that a virtio disk is believed to have: more minors in a row
// are those of device-mapper.
const mostPartitions = 8

// isSpaced says whether minors are those of several disks with room for
// partitions behind each.
func isSpaced(minors []uint32) bool {
	partitions := map[uint32]int{} // by the disk's minor
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

// isPhysical says whether a major is one of disks with fixed numbers.
func isPhysical(major uint32) bool {
	switch major {
	case dasdMajor, mmcMajor, xvdMajor, extMajor:
		return true
	}
	return slices.Contains(sdMajors, major)
}

package devname

import (
	"slices"
	"strconv"
	"strings"
)

// The kernel gives some drivers fixed majors, so the name of a device follows from its number.
// Other drivers, such as device-mapper, zram, NVMe and virtio, get a major when they are loaded.
const (
	ramMajor  = 1
	loopMajor = 7
	mdMajor   = 9
	srMajor   = 11
	dasdMajor = 94
	mmcMajor  = 179
	xvdMajor  = 202
	extMajor  = 259 // NVMe, and partitions for which a driver has no minors

	minDynamic  = 234
	maxDynamic  = 254
	sdMinors    = 16
	dasdMinors  = 4
	minorsBlock = 256
)

// sdMajors are the majors of SCSI disks, in the order in which sd uses them. Each major has sixteen
// disks, and each disk has sixteen minors. After the last major, sd uses higher minors.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// Of returns the kernel name of a device if the name follows from the number: sdb for 8:16.
// Otherwise it returns devM-m, the name that sysstat uses.
func Of(major, minor uint32) string {
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
		// Each major has 16 disks. From the 257th disk on, each major has another 16.
		index := minor/minorsBlock*minorsBlock + uint32(k)*sdMinors + minor%minorsBlock/sdMinors
		return lettered("sd", index, minor%sdMinors)
	}
	return Number(major, minor)
}

// Number returns devM-m, the name that sysstat gives to a device number.
func Number(major, minor uint32) string {
	return "dev" + strconv.Itoa(int(major)) + "-" + strconv.Itoa(int(minor))
}

// ParseNumber parses a device number: dev8-16, 8-16 or 8:16.
func ParseNumber(text string) (major, minor uint32, ok bool) {
	text = strings.TrimPrefix(text, "dev")
	at := strings.IndexAny(text, ":-")
	if at < 0 || !isNumber(text[:at]) || !isNumber(text[at+1:]) {
		return 0, 0, false
	}
	a, errMajor := strconv.ParseUint(text[:at], 10, 32)
	b, errMinor := strconv.ParseUint(text[at+1:], 10, 32)
	return uint32(a), uint32(b), errMajor == nil && errMinor == nil
}

func numbered(driver string, n uint32) string {
	return driver + strconv.Itoa(int(n))
}

// lettered returns the name of a disk with letters: a … z, aa, and so on. Partition 0 is the whole
// disk.
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

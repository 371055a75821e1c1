package devname

import (
	"slices"
	"strconv"
	"strings"
)

// The kernel gives some drivers fixed numbers, from which a name follows.
// Others, device-mapper, zram, NVMe and virtio among them, get numbers as
// they come.
const (
	ramMajor  = 1
	loopMajor = 7
	mdMajor   = 9
	srMajor   = 11
	dasdMajor = 94
	mmcMajor  = 179
	xvdMajor  = 202
	extMajor  = 259 // NVMe, and partitions beyond a driver's own

	minDynamic  = 234
	maxDynamic  = 254
	sdMinors    = 16
	dasdMinors  = 4
	minorsBlock = 256
)

// sdMajors are those of SCSI disks in the order in which sd takes them,
// sixteen disks of sixteen minors each, before it takes higher minors.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// Of is the kernel's name of a device whose number tells it, sdb for 8:16,
// and devM-m, as sysstat writes it, of others.
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
		// Majors take 16 disks each, and from the 257th disk on 16 again.
		index := minor/minorsBlock*minorsBlock + uint32(k)*sdMinors + minor%minorsBlock/sdMinors
		return lettered("sd", index, minor%sdMinors)
	}
	return Number(major, minor)
}

// Number is devM-m, the name that sysstat gives to a number.
func Number(major, minor uint32) string {
	return "dev" + strconv.Itoa(int(major)) + "-" + strconv.Itoa(int(minor))
}

// ParseNumber reads dev8-16, 8-16 and 8:16.
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

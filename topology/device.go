package topology

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Device is a block device as a source of samples knows it; what it does
// not know stays zero. Activity files hold major:minor and, since sysstat
// 12.1.7, a WWN, never a name.
type Device struct {
	Name         string
	Major, Minor uint32
	WWN          string // in any form that ParseWWN reads
	Partition    uint32 // 0 for a whole device; a partition carries the WWN of its drive
}

// String is the device's name, or what its major:minor says without asking
// its server: sdb for 8:16, dev259-3 where the kernel assigns freely.
func (d Device) String() string {
	switch name := sdName(d.Major, d.Minor); {
	case d.Name != "":
		return d.Name
	case name != "":
		return name
	case d.Major == 0 && d.WWN != "":
		return "wwn-0x" + d.wwn()
	}
	return fmt.Sprintf("dev%d-%d", d.Major, d.Minor)
}

func (d Device) wwn() string {
	hex, _ := ParseWWN(d.WWN)
	return hex
}

// ParseWWN returns the 16 or 32 lower-case hex digits of a world wide name in
// any of its forms: 0x5000c500a1b2c3d4, naa.…, eui.…, wwn-0x…, and the 3… of
// scsi_id and multipath. Zeros are no WWN.
func ParseWWN(text string) (hex string, ok bool) {
	hex = strings.ToLower(text)
	for _, prefix := range []string{"scsi-", "wwn-", "naa.", "eui.", "0x"} {
		hex = strings.TrimPrefix(hex, prefix)
	}
	if len(hex) == 17 || len(hex) == 33 {
		hex = strings.TrimPrefix(hex, "3") // the designator type of scsi_id: 3 = NAA
	}
	if len(hex) != 16 && len(hex) != 32 || strings.Trim(hex, "0123456789abcdef") != "" {
		return "", false
	}
	return hex, strings.Trim(hex, "0") != ""
}

var numbered = regexp.MustCompile(`^(?:dev)?(\d+)[:-](\d+)$`)

// parseDevice tells the three ways to write a device apart: by WWN, by
// major:minor (also as sar prints it, dev8-16), else by name.
func parseDevice(text string) Device {
	for _, dir := range []string{"/dev/disk/by-id/", "/dev/mapper/", "/dev/"} {
		text = strings.TrimPrefix(text, dir)
	}
	if hex, ok := ParseWWN(text); ok {
		return Device{WWN: hex}
	}
	if m := numbered.FindStringSubmatch(text); m != nil {
		major, errMajor := strconv.ParseUint(m[1], 10, 32)
		minor, errMinor := strconv.ParseUint(m[2], 10, 32)
		if errMajor == nil && errMinor == nil {
			return Device{Major: uint32(major), Minor: uint32(minor)}
		}
	}
	return Device{Name: text}
}

// sdMajors are the block majors of sd in the order in which it takes them,
// sixteen drives of sixteen minors each, before it takes higher minors.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// sdName is the name that sd gives to a major:minor, empty where it is not
// sd's.
func sdName(major, minor uint32) string {
	k := slices.Index(sdMajors, major)
	if k < 0 {
		return ""
	}
	index := 16*k + int(minor&0xff)/16 + int(minor>>8)*256
	name := "sd" + letters(index)
	if part := minor % 16; part != 0 {
		name += strconv.Itoa(int(part))
	}
	return name
}

// letters counts a, b, … z, aa, ab, … from 0.
func letters(index int) string {
	var text string
	for index++; index > 0; index = (index - 1) / 26 {
		text = string(rune('a'+(index-1)%26)) + text
	}
	return text
}

// The names that the kernel gives to block devices: class, unit, partition.
var kernelNames = []*regexp.Regexp{
	regexp.MustCompile(`^(sd|hd|vd|xvd|dasd)[a-z]+(\d+)?$`),
	regexp.MustCompile(`^(nvme)\d+n\d+(p\d+)?$`),
	regexp.MustCompile(`^(loop|ram|zram|sr|fd|md|dm|nbd|rbd|mmcblk|pmem|bcache|drbd)-?\d+(p\d+)?$`),
}

// Majors that tell a class where there is no name. 253 and 254 are assigned
// freely, and nearly always to the device mapper.
var majorClasses = map[uint32]string{
	1: "ram", 2: "fd", 7: "loop", 9: "md", 11: "sr", 43: "nbd", 94: "dasd", 147: "drbd", 179: "mmcblk", 253: "dm", 254: "dm", 259: "nvme",
}

// class says what kind of device it is, as only like devices are peers: sd,
// nvme, dm … A name that the kernel does not give is one of the device mapper.
func (d Device) class() (class string, partition bool) {
	name := d.Name
	if name == "" {
		name = sdName(d.Major, d.Minor)
	}
	for _, kernel := range kernelNames {
		if m := kernel.FindStringSubmatch(name); m != nil {
			return m[1], m[2] != "" || d.Partition != 0
		}
	}
	if name == "" {
		return d.majorClass(), d.Partition != 0
	}
	return "dm", d.Partition != 0
}

func (d Device) majorClass() string {
	if d.Major == 0 {
		return ""
	}
	return cmp.Or(majorClasses[d.Major], fmt.Sprintf("dev%d", d.Major))
}

// kernelNamed reports whether the kernel chose the name, in the order in which
// it met the devices, so that another server may give it to another LUN.
func kernelNamed(name string) bool {
	return slices.ContainsFunc(kernelNames, func(r *regexp.Regexp) bool { return r.MatchString(name) })
}

// setDevice notes how a server knows a component.
func (c *Component) setDevice(d Device) {
	c.WWN, c.Device = d.WWN, d.Name
	if d.Major != 0 {
		c.Device = fmt.Sprintf("%d:%d", d.Major, d.Minor)
	}
}

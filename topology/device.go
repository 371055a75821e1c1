package topology

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/devname"
)

// A Device is a block device as a source of samples describes it; unknown fields are zero. Activity
// files hold major:minor and, since sysstat 12.1.7, a WWN, never a name.
type Device struct {
	Name         string
	Major, Minor uint32
	WWN          string // in any form that ParseWWN reads
	Partition    uint32 // 0: a whole device; a partition has the WWN of its drive
}

// String returns the device's name. Without a name it returns the name for major:minor: sdb for
// 8:16, dev259-3 if the kernel assigns the number freely.
func (d Device) String() string {
	switch {
	case d.Name != "":
		return d.Name
	case d.Major == 0 && d.WWN != "":
		return "wwn-0x" + d.wwn()
	}
	return devname.Of(d.Major, d.Minor)
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

// parseDevice parses a device in one of three forms: a WWN, major:minor (also as sar prints it,
// dev8-16), or a name.
func parseDevice(text string) Device {
	for _, dir := range []string{"/dev/disk/by-id/", "/dev/mapper/", "/dev/"} {
		text = strings.TrimPrefix(text, dir)
	}
	if hex, ok := ParseWWN(text); ok {
		return Device{WWN: hex}
	}
	if major, minor, ok := devname.ParseNumber(text); ok {
		return Device{Major: major, Minor: minor}
	}
	return Device{Name: text}
}

// Majors that show the class of a device without a name. 253 and 254 are assigned freely, and
// nearly always to the device mapper.
var majorClasses = map[uint32]string{
	1: "ram", 2: "fd", 7: "loop", 9: "md", 11: "sr", 43: "nbd", 94: "dasd", 147: "drbd", 179: "mmcblk", 253: "dm", 254: "dm", 259: "nvme",
}

// class returns the kind of a device: sd, nvme, dm … Only devices of the same class are peers. A
// name that does not come from the kernel belongs to the device mapper. If a device has no name,
// its major decides.
func (d Device) class() (class string, partition bool) {
	name := d.String()
	if major, minor, ok := devname.ParseNumber(name); ok {
		return Device{Major: major, Minor: minor}.majorClass(), d.Partition != 0
	}
	if class, partition, ok := devname.Class(name); ok {
		return class, partition || d.Partition != 0
	}
	if d.Name == "" {
		return "", d.Partition != 0
	}
	return "dm", d.Partition != 0
}

func (d Device) majorClass() string {
	if d.Major == 0 {
		return ""
	}
	return cmp.Or(majorClasses[d.Major], fmt.Sprintf("dev%d", d.Major))
}

// kernelNamed reports whether the kernel chose the name. The kernel gives names in the order in
// which it finds the devices, so another server may give the name to another LUN.
func kernelNamed(name string) bool {
	_, _, ok := devname.Class(name)
	return ok
}

// setDevice sets the device and the WWN of a component.
func (c *Component) setDevice(d Device) {
	c.WWN, c.Device = d.WWN, d.Name
	if d.Major != 0 {
		c.Device = d.String()
	}
}

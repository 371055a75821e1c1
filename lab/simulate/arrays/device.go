package arrays

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A device is what a server knows an attachment by.
type device struct {
	name         string
	major, minor uint32
	wwn          [2]uint64
	model        string
	size         uint64
}

// dmMajor is what the device mapper gets as a rule; its minors count.
const dmMajor = 253

// newDevice gives a component its name, its numbers and its WWN. A name that
// is not one of sd is one of the device mapper; index is its place there.
func newDevice(c *topology.Component, index int) device {
	d := device{name: c.Device, wwn: wwnOf(c), model: c.Model, size: c.SizeBytes, major: dmMajor, minor: uint32(index)}
	if d.name == "" {
		d.name = fmt.Sprintf("dm-%d", index)
	}
	if major, minor, ok := sdNumber(d.name); ok {
		d.major, d.minor = major, minor
	}
	return d
}

// sdMajors are those that sd takes in turn, sixteen disks of sixteen minors
// each.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// sdNumber is the number of sda, sdb, … as the kernel gives it.
func sdNumber(name string) (major, minor uint32, ok bool) {
	letters, ok := strings.CutPrefix(name, "sd")
	index := 0
	for _, r := range letters {
		if r < 'a' || r > 'z' {
			return 0, 0, false
		}
		index = 26*index + int(r-'a') + 1
	}
	if !ok || index < 1 || index > 16*len(sdMajors) {
		return 0, 0, false
	}
	index--
	return sdMajors[index/16], uint32(index % 16 * 16), true
}

// vendor begins the WWNs that the simulation makes up: NAA 6 and the OUI of a
// maker of arrays.
const vendor = 0x60001ff0 << 32

// wwnOf is a component's WWN, the same for all attachments of a LUN.
func wwnOf(c *topology.Component) [2]uint64 {
	if c.WWN != "" {
		high, _ := strconv.ParseUint(c.WWN[:16], 16, 64)
		low, _ := strconv.ParseUint("0"+c.WWN[16:], 16, 64)
		return [2]uint64{high, low}
	}
	h := fnv.New64a()
	h.Write([]byte(lunOf(c)))
	return [2]uint64{vendor, h.Sum64()}
}

// inventory is the device as the comments of an activity file tell it.
func (d device) inventory() sysstat.Device {
	wwn := fmt.Sprintf("0x%016x", d.wwn[0])
	if d.wwn[1] != 0 {
		wwn += fmt.Sprintf("%016x", d.wwn[1])
	}
	return sysstat.Device{Major: d.major, Minor: d.minor, Name: d.name, WWN: wwn, Model: d.model, Size: d.size}
}

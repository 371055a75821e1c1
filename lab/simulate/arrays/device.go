package arrays

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A device has the names and numbers of an attachment on its server.
type device struct {
	name         string
	major, minor uint32
	wwn          [2]uint64
	model        string
	size         uint64
}

// dmMajor is the usual major number of the device mapper. Its minor numbers count up from 0.
const dmMajor = 253

// newDevice gives a component its name, its numbers and its WWN. A name that does not begin with sd
// is a name of the device mapper, with index as its minor number.
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

// sdMajors are the major numbers of sd, in order of use. Each has sixteen disks with sixteen minor
// numbers.
var sdMajors = []uint32{8, 65, 66, 67, 68, 69, 70, 71, 128, 129, 130, 131, 132, 133, 134, 135}

// sdNumber returns the numbers that the kernel gives to sda, sdb, and so on.
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

// vendor is the first half of the WWNs that the simulation invents: NAA 6 and the OUI of a maker of
// arrays.
const vendor = 0x60001ff0 << 32

// wwnOf returns the WWN of a component. All attachments of a LUN have the same WWN.
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

// inventory returns the device as the comments of an activity file have it.
func (d device) inventory() sysstat.Device {
	wwn := fmt.Sprintf("0x%016x", d.wwn[0])
	if d.wwn[1] != 0 {
		wwn += fmt.Sprintf("%016x", d.wwn[1])
	}
	return sysstat.Device{Major: d.major, Minor: d.minor, Name: d.name, WWN: wwn, Model: d.model, Size: d.size}
}

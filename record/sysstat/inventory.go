package sysstat

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// An activity file has only the numbers of devices. Therefore a recorder writes comments that
// describe the devices; every version of sysstat ignores them:
//
//	dev 8:16=sdb wwn=0x5000c500a1b2c3d4 size=16000900661248
//	dev 8:16 model=ST16000NM001G-2KK103 serial=ZL2A9XYZ
//	dev 8:16 md=md0 parent=dm-3 parent=dm-4
//	dev 8:16 firmware=SN03 slot=3 enclosure=0x500605b000027200 link=12.0%20Gbit
//	dev 8:16 upkeep=recover state=blocked
//	dev 4097:5=osd.5 class=hdd host=ceph2 on=sdb,nvme0n1
//
// A line with a name begins a new description of a device, a line without a name continues it.
// Spaces and other special bytes of a value are written as %20. A value that does not fit into one
// comment continues in the next with "key+=".

const (
	maxComment = commentLen - 1
	devPrefix  = "dev "
	// Limits of an inventory that is read from comments.
	maxValue   = 256
	maxParents = 256
	maxDevices = 1 << 16
)

// A Device describes a block device.
type Device struct {
	Major, Minor uint32
	Name         string
	WWN          string
	Model        string
	Serial       string
	Size         uint64   // bytes
	Parents      []string // device-mapper and multipath devices on top of it
	MD           string   // array of which it is a member
	Pool         string   // ZFS pool or vdev of which it is a member
	Firmware     string
	Slot         string // slot in its enclosure
	Enclosure    string // logical identifier of its enclosure
	Expander     string // SAS address of the expander that it is attached to
	Link         string // speed of its link: "12.0 Gbit"
	Upkeep       string // maintenance of its array or pool: resync, recover, reshape, check, repair, resilver, scrub
	State        string // state of the device or of its paths; "": it runs

	// Fields of a service, such as an OSD of Ceph (see [ServiceMajor]).
	Class string // device class: OSDs of one class are peers
	Host  string // name of the server on which it runs
	On    string // names of the devices of that server that hold its data, with commas between them
}

// ServiceMajor is the major number of services that report their own counters, such as OSDs of Ceph,
// in place of block devices. Linux has 12 bits for major numbers, so no block device has this number.
const ServiceMajor = 1<<12 + 1

type deviceNumber struct {
	major, minor uint32
}

// An Inventory holds the devices and addresses from comments. The zero value is empty and ready to
// use.
type Inventory struct {
	devices   map[deviceNumber]*Device
	addresses map[netip.Addr]string // interface by address
	changes   int
	virtio    uint32 // major number of virtio disks, see Names
	settled   bool   // virtio was decided
}

// Changes returns the number of changes of devices, so that callers can cache names.
func (inv *Inventory) Changes() int {
	return inv.changes
}

// Device returns the description of a device.
func (inv *Inventory) Device(major, minor uint32) (Device, bool) {
	d, ok := inv.devices[deviceNumber{major, minor}]
	if !ok {
		return Device{}, false
	}
	return d.clone(), true
}

// Devices returns all devices, sorted by number.
func (inv *Inventory) Devices() []Device {
	list := make([]Device, 0, len(inv.devices))
	for _, d := range inv.devices {
		list = append(list, d.clone())
	}
	slices.SortFunc(list, func(a, b Device) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
	})
	return list
}

func (d *Device) clone() Device {
	c := *d
	c.Parents = slices.Clone(d.Parents)
	return c
}

// learn adds the devices of another inventory that this inventory does not have.
func (inv *Inventory) learn(other *Inventory) {
	for _, d := range other.Devices() {
		if _, known := inv.devices[deviceNumber{d.Major, d.Minor}]; !known {
			inv.Set(d)
		}
	}
}

// Set adds a device or replaces its description.
func (inv *Inventory) Set(d Device) {
	d = d.clone()
	if inv.devices == nil {
		inv.devices = map[deviceNumber]*Device{}
	}
	inv.devices[deviceNumber{d.Major, d.Minor}] = &d
	inv.changes++
}

// Add adds a comment, and reports whether it was a line of an inventory. Unknown keys are ignored.
func (inv *Inventory) Add(comment string) bool {
	if len(comment) > maxComment {
		return false
	}
	if rest, ok := strings.CutPrefix(comment, devPrefix); ok {
		return inv.addDevice(rest)
	}
	rest, ok := strings.CutPrefix(comment, addrPrefix)
	return ok && inv.addAddress(rest)
}

// addDevice parses the text after "dev" in a comment.
func (inv *Inventory) addDevice(rest string) bool {
	words := strings.Fields(rest)
	if len(words) == 0 {
		return false
	}
	number, name, named := strings.Cut(words[0], "=")
	n, ok := parseNumber(number)
	if !ok || len(inv.devices) == maxDevices && inv.devices[n] == nil {
		return false
	}
	if named || inv.devices[n] == nil {
		inv.Set(Device{Major: n.major, Minor: n.minor, Name: unescape(name)})
	}
	for _, word := range words[1:] {
		inv.devices[n].set(word)
	}
	inv.changes++
	return true
}

func parseNumber(s string) (n deviceNumber, ok bool) {
	major, minor, ok := strings.Cut(s, ":")
	a, err1 := strconv.ParseUint(major, 10, 32)
	b, err2 := strconv.ParseUint(minor, 10, 32)
	return deviceNumber{uint32(a), uint32(b)}, ok && err1 == nil && err2 == nil
}

// set sets a field from key=value, or continues it from key+=value.
func (d *Device) set(word string) {
	key, value, _ := strings.Cut(word, "=")
	key, more := strings.CutSuffix(key, "+")
	value = unescape(value)
	if key == "size" {
		d.Size, _ = strconv.ParseUint(value, 10, 64)
		return
	}
	field := d.text(key)
	if key == "parent" {
		field = d.parent(more)
	}
	if field == nil {
		return
	}
	if more {
		value = *field + value
	}
	*field = value[:min(len(value), maxValue)]
}

// parent returns a pointer to the last parent if last is set, otherwise to a new parent.
func (d *Device) parent(last bool) *string {
	if !last && len(d.Parents) < maxParents {
		d.Parents = append(d.Parents, "")
	}
	if len(d.Parents) == 0 {
		return nil
	}
	return &d.Parents[len(d.Parents)-1]
}

// text returns the field for a key, or nil if the field is no text.
func (d *Device) text(key string) *string {
	switch key {
	case "name":
		return &d.Name
	case "wwn":
		return &d.WWN
	case "model":
		return &d.Model
	case "serial":
		return &d.Serial
	case "md":
		return &d.MD
	case "pool":
		return &d.Pool
	case "firmware":
		return &d.Firmware
	case "slot":
		return &d.Slot
	case "enclosure":
		return &d.Enclosure
	case "expander":
		return &d.Expander
	case "link":
		return &d.Link
	case "upkeep":
		return &d.Upkeep
	case "state":
		return &d.State
	case "class":
		return &d.Class
	case "host":
		return &d.Host
	case "on":
		return &d.On
	}
	return nil
}

// Comments returns the comments that describe a device, each short enough for a record.
// Inventory.Add reads them back.
func (d Device) Comments() []string {
	c := commenter{head: fmt.Sprintf("%s%d:%d", devPrefix, d.Major, d.Minor)}
	c.line = c.head
	c.add("=", "name", d.Name)
	for _, key := range []string{"wwn", "model", "serial", "md", "pool", "firmware", "slot", "enclosure", "expander", "link", "upkeep", "state", "class", "host", "on"} {
		if value := *d.text(key); value != "" {
			c.add(" "+key+"=", key, value)
		}
	}
	if d.Size > 0 {
		c.add(" size=", "size", strconv.FormatUint(d.Size, 10))
	}
	for _, parent := range d.Parents {
		c.add(" parent=", "parent", parent)
	}
	return append(c.done, c.line)
}

// A commenter divides the words of a device into comments.
type commenter struct {
	head, line string
	done       []string
}

// add adds a key and its value: to the current line if they fit, else to the next line, else
// divided over several lines.
func (c *commenter) add(prefix, key, value string) {
	parts := escape(value)
	if len(c.line)+len(prefix)+len(strings.Join(parts, "")) > maxComment && c.line != c.head {
		c.flush()
	}
	c.line += prefix
	for _, part := range parts {
		if len(c.line)+len(part) > maxComment {
			c.flush()
			c.line += " " + key + "+="
		}
		c.line += part
	}
}

func (c *commenter) flush() {
	c.done = append(c.done, c.line)
	c.line = c.head
}

// escape returns the bytes of a value, each as it is written in a comment.
func escape(s string) []string {
	parts := make([]string, len(s))
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || c == '%' {
			parts[i] = fmt.Sprintf("%%%02x", c)
			continue
		}
		parts[i] = s[i : i+1]
	}
	return parts
}

func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

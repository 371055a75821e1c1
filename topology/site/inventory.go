package site

import (
	"fmt"
	"time"
)

// At is the place of a fact in a file.
type At struct {
	File string
	Line int // from 1; 0: the whole file
}

func (a At) String() string {
	if a.Line == 0 {
		return a.File
	}
	return fmt.Sprintf("%s:%d", a.File, a.Line)
}

// A Kind is the kind of a block device.
type Kind uint8

// The kinds. Unknown does not mean a drive: a table of paths does not show what kind of device a
// name is.
const (
	Unknown   Kind = iota
	Drive          // a drive, a LUN, or one path to a LUN
	Multipath      // a device-mapper device over the paths of one LUN
	Stacked        // md, LVM, crypt, bcache: made of other devices
	Partition
	Media // optical drives, tapes, loop devices, memory: nothing to compare
)

// A Device is a sighting of a block device. A field that its source does not have is empty.
type Device struct {
	At
	Host    string   // the server that sees it
	Name    string   // sdb, nvme0n1, or the name of the device mapper; without /dev/
	Aliases []string // further names on the same server
	Number  string   // 8:16
	Address string   // SCSI address, host:channel:target:lun
	Kind    Kind

	WWN, Serial             string
	Vendor, Model, Firmware string
	Media                   string // hdd, ssd or nvme
	Kernel                  string // kernel of the server
	Made                    string // date of manufacture, as precise as it is known: 2021-03
	SizeBytes               uint64

	Enclosure string   // name or logical identifier of the enclosure
	Slot      string   // slot within the enclosure
	Port      string   // SAS address of the drive's port, as its enclosure lists it
	Expander  string   // SAS address of the expander that it is attached to
	Link      string   // speed of its link: "12.0 Gbit"
	Targets   []string // ports of the array that working paths lead to

	Of   []string // devices that it consists of: paths, members
	Pool string   // array, pool or vdev of which it is a member: "md0", "tank/raidz2-0"
	Role string   // role within the pool: spare, log, cache …; "": data

	Redundancy string // redundancy of the pool: raid6

	State string // as the tool prints it: "active ready running" of a path; "": the tool does not print it
}

// A Volume is a sighting of a file system's unit of storage: an NSD, OST, OSD, brick or target.
type Volume struct {
	At
	System     string // gpfs, lustre, ceph, gluster, beegfs, hdfs
	FileSystem string
	Name       string
	ID         string // "": no ID beside the name
	Servers    []string
	Ranked     bool // the servers are in the order of priority
	Host       string
	Device     string // its name on Host

	Pool      string // storage pool, device class, failure group
	Media     string // hdd, ssd or nvme
	SizeBytes uint64
	Created   time.Time // zero: unknown

	State string // as the tool prints it: up, down, UP, IN; "": the tool does not print it
}

// A Note describes a text that was not understood, or a contradiction between two sources. Its text
// has the cure.
type Note struct {
	At
	Text string
}

func (n Note) String() string { return n.At.String() + ": " + n.Text }

// An Inventory holds the facts that sources have about a site.
type Inventory struct {
	Devices []Device
	Volumes []Volume
	Notes   []Note
}

// Add adds another inventory.
func (inv *Inventory) Add(other Inventory) {
	inv.Devices = append(inv.Devices, other.Devices...)
	inv.Volumes = append(inv.Volumes, other.Volumes...)
	inv.Notes = append(inv.Notes, other.Notes...)
}

// Notef adds a note.
func (inv *Inventory) Notef(at At, format string, args ...any) {
	inv.Notes = append(inv.Notes, Note{at, fmt.Sprintf(format, args...)})
}

// Empty reports whether the inventory has no devices and no volumes.
func (inv *Inventory) Empty() bool { return len(inv.Devices) == 0 && len(inv.Volumes) == 0 }

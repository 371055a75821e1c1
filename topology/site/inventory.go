package site

import (
	"fmt"
	"time"
)

// At is where a statement stands.
type At struct {
	File string
	Line int // from 1; 0 where the whole file says it
}

func (a At) String() string {
	if a.Line == 0 {
		return a.File
	}
	return fmt.Sprintf("%s:%d", a.File, a.Line)
}

// A Kind says what a block device is.
type Kind uint8

// The kinds. Unknown is not the same as a drive: a table of paths does not
// say what stands behind its names.
const (
	Unknown   Kind = iota
	Drive          // a drive, a LUN, or one path to a LUN
	Multipath      // a device-mapper device over the paths of one LUN
	Stacked        // md, LVM, crypt, bcache: made of other devices
	Partition
	Media // optical drives, tapes, loop devices, memory: nothing to compare
)

// A Device is a sighting of a block device. What its source does not say is
// empty.
type Device struct {
	At
	Host    string   // the server that sees it
	Name    string   // sdb, nvme0n1, or the name of the device mapper; without /dev/
	Aliases []string // further names on the same server
	Number  string   // 8:16
	Address string   // of SCSI, host:channel:target:lun
	Kind    Kind

	WWN, Serial             string
	Vendor, Model, Firmware string
	Media                   string // hdd, ssd or nvme
	Kernel                  string // of the server
	Made                    string // when, as far as it is known: 2021-03
	SizeBytes               uint64

	Enclosure string   // its name or logical identifier
	Slot      string   // within the enclosure
	Port      string   // SAS address of the port by which its enclosure knows it
	Expander  string   // SAS address of what it is attached to
	Link      string   // how fast it is attached: "12.0 Gbit"
	Targets   []string // ports of the array that working paths lead to

	Of   []string // devices that it is made of: paths, members
	Pool string   // the array, pool or vdev that it is a member of: "md0", "tank/raidz2-0"
	Role string   // within the pool: spare, log, cache …; empty for data

	Redundancy string // of the pool: raid6

	State string // as the tool prints it: "active ready running" of a path; empty: the tool does not print it
}

// A Volume is a sighting of what a file system calls its unit of storage: an
// NSD, OST, OSD, brick or target.
type Volume struct {
	At
	System     string // gpfs, lustre, ceph, gluster, beegfs, hdfs
	FileSystem string
	Name       string
	ID         string // where it has one beside its name
	Servers    []string
	Ranked     bool // the servers stand in the order of priority
	Host       string
	Device     string // what Host calls it

	Pool      string // storage pool, device class, failure group
	Media     string // hdd, ssd or nvme
	SizeBytes uint64
	Created   time.Time // zero where unknown

	State string // as the tool prints it: up, down, UP, IN; empty: the tool does not print it
}

// A Note is something that was not understood, or that two sources contradict
// each other in. Its text says what to do.
type Note struct {
	At
	Text string
}

func (n Note) String() string { return n.At.String() + ": " + n.Text }

// An Inventory is what sources say of a site.
type Inventory struct {
	Devices []Device
	Volumes []Volume
	Notes   []Note
}

// Add takes what another inventory says.
func (inv *Inventory) Add(other Inventory) {
	inv.Devices = append(inv.Devices, other.Devices...)
	inv.Volumes = append(inv.Volumes, other.Volumes...)
	inv.Notes = append(inv.Notes, other.Notes...)
}

// Notef adds a note.
func (inv *Inventory) Notef(at At, format string, args ...any) {
	inv.Notes = append(inv.Notes, Note{at, fmt.Sprintf(format, args...)})
}

// Empty reports whether it says nothing of devices and volumes.
func (inv *Inventory) Empty() bool { return len(inv.Devices) == 0 && len(inv.Volumes) == 0 }

package kernel

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// /proc/diskstats has a line for each block device and partition: number and name; for reads, the
// number completed, the number merged, sectors and ms; the same for writes; I/Os in flight, ms
// busy, ms weighted by the I/Os in flight; since Linux 4.18 discards like reads; since 5.5 flushes
// and their ms.
//
//	   8       0 sda 24012 311 1847102 9120 88121 5312 3184522 71245 0 60212 82104 0 0 0 0 1204 1739
//	   8       1 sda1 23871 311 1840958 9088 84300 5312 3184522 70113 0 59104 79201 0 0 0 0 0 0
//	 253       0 dm-0 24105 0 1838214 9404 93105 0 3184522 75516 0 59988 84920 0 0 0 0 0 0
//	   0       0 nvme0c0n1 5120 0 40960 612 0 0 0 0 0 700 612 0 0 0 0 0 0
//
// A device is taken if it has completed an I/O and has a directory in /sys/block. Partitions have
// no such directory. The paths of an NVMe device with several paths have the number 0:0 and are
// left out: an activity file could not distinguish them, and its readers treat 0:0 as an empty
// slot.

// fewestCounters is the number of counters that every kernel since 2.6.25 has.
const fewestCounters = 11

// disks is the table of block devices.
type disks struct {
	file       file
	sys        string
	choice     patterns
	partitions bool
	links      links
	known      map[string]*disk // disks by name
	completed  []completed      // I/Os completed by each disk in the sample
	inFlight   []hoststat.InFlight
	stuck      int    // number of disks with requests in flight at two samples and none completed between them
	done       uint64 // number of requests that all disks completed since the previous sample
	round      uint64 // number of the current sample
	changes    int
}

// completed holds the I/Os that a disk has completed, of each kind.
type completed struct {
	reads, writes, discards uint64
	inFlight                uint64 // requests in flight
}

func (c completed) all() uint64 { return c.reads + c.writes + c.discards }

// A disk holds what is remembered of a block device between samples.
type disk struct {
	major, minor uint32
	taken        bool
	settled      bool // taken is final
	shown        bool // the device was in a sample
	id           identity
	round        uint64 // round in which the device was last seen
	ios          uint64 // I/Os completed at the previous sample
	seen         bool   // ios is known
	flying       bool   // requests were in flight at the previous sample
	still        uint64 // number of successive samples with requests in flight and none completed
}

func newDisks(o Options) disks {
	return disks{
		sys:        filepath.Join(o.Root, "sys"),
		choice:     o.Devices,
		partitions: o.Partitions,
		links:      links{dir: filepath.Join(o.Root, "dev/disk/by-id")},
		known:      map[string]*disk{},
	}
}

func (t *disks) sample(s *sysstat.Sample) error {
	s.Disks, t.completed = s.Disks[:0], t.completed[:0]
	t.inFlight, t.stuck, t.done = t.inFlight[:0], 0, 0
	text, err := t.file.read()
	if err != nil {
		return err
	}
	t.round++
	t.identify()
	seen := 0
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		name, d, done, ok := parseDisk(line)
		if !ok {
			continue
		}
		known, again := t.lookup(name, &d)
		if again {
			continue
		}
		seen++
		if known.taken && d.IOs > 0 {
			t.show(known)
			d.WWN, d.Partition = known.id.wwn, known.id.partition
			s.Disks = append(s.Disks, d)
			t.completed = append(t.completed, done)
			t.follow(known, &d, done.inFlight)
		}
	}
	t.forget(seen)
	return nil
}

// follow records the requests in flight, and whether the disk has completed any since the previous
// sample.
func (t *disks) follow(known *disk, d *sysstat.Disk, inFlight uint64) {
	if known.seen {
		t.done += d.IOs - min(known.ios, d.IOs)
	}
	switch {
	case inFlight == 0 || known.ios != d.IOs:
		known.still = 0
	case known.flying:
		known.still++
		t.stuck++
	}
	if inFlight > 0 {
		t.inFlight = append(t.inFlight, hoststat.InFlight{Major: d.Major, Minor: d.Minor, Requests: inFlight, Still: known.still})
	}
	known.ios, known.flying, known.seen = d.IOs, inFlight > 0, true
}

// lookup returns the disk of a line, and whether this round has already seen it. The kernel returns
// the list page by page, so a device may appear twice if another device was added meanwhile.
func (t *disks) lookup(name []byte, d *sysstat.Disk) (known *disk, again bool) {
	known = t.known[string(name)]
	if known == nil || known.major != d.Major || known.minor != d.Minor {
		t.drop(known)
		known = &disk{major: d.Major, minor: d.Minor, id: t.links.byName[string(name)]}
		t.known[string(name)] = known
	}
	if !known.settled {
		t.settle(sysName(string(name)), known)
	}
	again = known.round == t.round
	known.round = t.round
	return known, again
}

// settle decides whether a device is taken. A device without a directory that is not known as a
// partition is just being created. It is checked again at the next sample.
func (t *disks) settle(name string, known *disk) {
	known.settled = true
	switch {
	case known.major|known.minor == 0 || !t.choice.match(name):
	case t.partitions || exists(filepath.Join(t.sys, "block", name)):
		known.taken = true
	default:
		known.settled = exists(filepath.Join(t.sys, "class/block", name, "partition"))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// sysName returns the name of a device in /sys: cciss!c0d0 for cciss/c0d0.
func sysName(name string) string { return strings.ReplaceAll(name, "/", "!") }

// forget drops the devices that this round did not see.
func (t *disks) forget(seen int) {
	if len(t.known) == seen {
		return
	}
	for name, known := range t.known {
		if known.round != t.round {
			t.drop(known)
			delete(t.known, name)
		}
	}
}

// show and drop count the devices that appear in samples and that disappear.
func (t *disks) show(d *disk) {
	if !d.shown {
		d.shown = true
		t.changes++
	}
}

func (t *disks) drop(d *disk) {
	if d != nil && d.shown {
		t.changes++
	}
}

// identify updates the WWN of each device if WWNs may have changed.
func (t *disks) identify() {
	if !t.links.refresh() {
		return
	}
	for name, known := range t.known {
		known.id = t.links.byName[name]
	}
}

// unmatched returns the patterns that match no device.
func (t *disks) unmatched() []string {
	return t.choice.idle(func(one patterns) bool {
		for name, known := range t.known {
			if known.taken && one.match(sysName(name)) {
				return true
			}
		}
		return false
	})
}

func (t *disks) close() error {
	t.links.close()
	return t.file.close()
}

// parseDisk parses a line. ok is false if counters are missing, as for the partitions of old
// kernels.
func parseDisk(line words) (name []byte, d sysstat.Disk, done completed, ok bool) {
	var device [2]uint64
	if line.numbers(device[:]) < len(device) || max(device[0], device[1]) > 1<<32-1 {
		return nil, d, done, false
	}
	name = line.next()
	var v [15]uint64
	if line.numbers(v[:]) < fewestCounters {
		return nil, d, done, false
	}
	done = completed{v[0], v[4], v[11], v[8]}
	return name, sysstat.Disk{
		Major: uint32(device[0]), Minor: uint32(device[1]),
		IOs:         done.all(),
		ReadSectors: v[2], WriteSectors: v[6], DiscardSectors: v[13],
		ReadTicks: uint32(v[3]), WriteTicks: uint32(v[7]), DiscardTicks: uint32(v[14]),
		BusyTicks: uint32(v[9]), QueueTicks: uint32(v[10]),
	}, done, true
}

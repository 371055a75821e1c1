package kernel

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// /proc/diskstats has a line for each block device and partition: number,
// name, then reads, of which merged, sectors, ms; the same of writes; I/Os
// under way, ms busy, ms weighted by the I/Os under way; since Linux 4.18
// discards as reads; since 5.5 flushes and their ms.
//
//	   8       0 sda 24012 311 1847102 9120 88121 5312 3184522 71245 0 60212 82104 0 0 0 0 1204 1739
//	   8       1 sda1 23871 311 1840958 9088 84300 5312 3184522 70113 0 59104 79201 0 0 0 0 0 0
//	 253       0 dm-0 24105 0 1838214 9404 93105 0 3184522 75516 0 59988 84920 0 0 0 0 0 0
//	   0       0 nvme0c0n1 5120 0 40960 612 0 0 0 0 0 700 612 0 0 0 0 0 0
//
// Taken are those that have done anything and have a directory in /sys/block,
// which partitions have not. The paths of an NVMe device with several are shown
// without a number; what has none cannot be told apart in an activity file,
// and its readers take it for an empty slot.

// fewestCounters is those that every kernel since 2.6.25 has.
const fewestCounters = 11

// disks is the table of block devices.
type disks struct {
	file       file
	sys        string
	choice     patterns
	partitions bool
	links      links
	known      map[string]*disk // by name
	completed  []completed      // of each disk in the sample
	inFlight   []hoststat.InFlight
	stuck      int    // disks with requests under way at two samples that completed none between them
	done       uint64 // requests that all disks completed since the sample before
	round      uint64 // of sampling
	changes    int
}

// completed is the I/Os of each kind.
type completed struct {
	reads, writes, discards uint64
	inFlight                uint64 // requests under way
}

func (c completed) all() uint64 { return c.reads + c.writes + c.discards }

// A disk is what stays the same from sample to sample.
type disk struct {
	major, minor uint32
	taken        bool
	settled      bool // whether taken is certain
	shown        bool // samples have had it
	id           identity
	round        uint64 // in which it was last seen
	ios          uint64 // completed by the sample before
	seen         bool   // ios is known
	flying       bool   // requests were under way then
	still        uint64 // samples in a row with requests under way and without a completed one
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

// follow notes the requests under way, and whether the disk has completed any since the sample before.
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

// lookup is what is known of a device. The kernel hands the list out page by
// page, so one may come again if another was added meanwhile.
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

// settle decides whether a device is taken. One that has no directory and is
// not known as a partition is just being made, and is asked for again.
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

// sysName is the name of a device in /sys: that of cciss/c0d0 is cciss!c0d0.
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

// show and drop count what samples see come and go.
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

// identify looks again which WWN each device has, if that may have changed.
func (t *disks) identify() {
	if !t.links.refresh() {
		return
	}
	for name, known := range t.known {
		known.id = t.links.byName[name]
	}
}

// unmatched are the patterns that no device has.
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

// parseDisk takes a line. It is not ok where counters are missing, as for the
// partitions of old kernels.
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

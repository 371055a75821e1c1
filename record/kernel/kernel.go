package kernel

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Options say where counters are read, and which devices and interfaces are taken.
type Options struct {
	Root string // directory with proc, sys and dev; "/" except in tests
	// Devices and Interfaces are patterns of path.Match for the kernel's names. If they are empty,
	// the same devices and interfaces are taken as by sadc.
	Devices, Interfaces []string
	// Partitions takes partitions, too, like sadc -S XDISK.
	Partitions bool
}

// DefaultOptions returns options that take the same devices as sadc -S DISK.
func DefaultOptions() Options { return Options{Root: "/"} }

// Validate returns an error if an option is wrong.
func (o *Options) Validate() error {
	if o.Root == "" {
		return errors.New("no root directory is given: give /, or a directory that contains proc and sys")
	}
	for _, list := range []patterns{o.Devices, o.Interfaces} {
		for _, p := range list {
			if _, err := path.Match(p, ""); err != nil {
				return fmt.Errorf("pattern %q cannot be used: %w: write a pattern such as sd* or nvme[0-9]n1", p, err)
			}
		}
	}
	return nil
}

// patterns select names. An empty list selects all names.
type patterns []string

func (list patterns) match(name string) bool {
	for _, p := range list {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return len(list) == 0
}

// idle returns the patterns that match nothing. Each pattern is tested separately.
func (list patterns) idle(matched func(one patterns) bool) (unmatched []string) {
	for _, p := range list {
		if !matched(patterns{p}) {
			unmatched = append(unmatched, p)
		}
	}
	return unmatched
}

// A Kernel reads the counters of this machine's kernel. Its methods are for one goroutine at a
// time, except that Inventory and SpaceAndHealth may run beside them.
type Kernel struct {
	opts       Options
	uptime     file
	stat       file
	snmp       file
	disks      disks
	interfaces interfaces
	waits      waits
	zpool      func() string // returns the output of zpool status
}

// Open opens the files that are sampled.
func Open(o Options) (*Kernel, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	k := &Kernel{opts: o, disks: newDisks(o), interfaces: newInterfaces(o), zpool: zpoolStatus}
	if o.Root != "/" { // the command knows only the pools of this machine
		k.zpool = func() string { return "" }
	}
	for _, f := range []struct {
		file *file
		path string
	}{
		{&k.uptime, "proc/uptime"},
		{&k.stat, "proc/stat"},
		{&k.disks.file, "proc/diskstats"},
		{&k.interfaces.file, "proc/net/dev"},
		{&k.snmp, "proc/net/snmp"},
	} {
		if err := f.file.open(filepath.Join(o.Root, f.path)); err != nil {
			return nil, errors.Join(fmt.Errorf("%w: check that /proc is mounted and that this process may read /proc", err), k.Close())
		}
	}
	if err := k.waits.open(o.Root); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

// Sample fills s with the current counters, and reuses the memory of s. It does not change Custom.
// Counters that cannot be read are left empty, except that TCP keeps its previous values. The error
// names them; the other counters are valid.
func (k *Kernel) Sample(s *sysstat.Sample) error {
	return errors.Join(
		k.sampleCPUs(s),
		k.disks.sample(s),
		k.interfaces.sample(s),
		k.sampleTCP(s),
	)
}

// Uptime returns the time since the machine was booted, in 1/100 s.
func (k *Kernel) Uptime() (uint64, error) {
	text, err := k.uptime.read()
	if err != nil {
		return 0, err
	}
	uptime, ok := parseUptime(text)
	if !ok {
		return 0, fmt.Errorf("file %s: %q is not the time since the start of the machine", k.uptime.path, text)
	}
	return uptime, nil
}

// Completed returns how many I/Os of each kind the disk at index i of the last sample has
// completed. A sample has only their sum.
func (k *Kernel) Completed(i int) (reads, writes, discards uint64) {
	c := k.disks.completed[i]
	return c.reads, c.writes, c.discards
}

// Unmatched returns the patterns of the options that matched no device and no interface at the last
// sample, with or without I/O.
func (k *Kernel) Unmatched() (devices, interfaces []string) {
	return k.disks.unmatched(), k.interfaces.unmatched()
}

// Changes counts the devices and interfaces that appeared in samples or disappeared. While the
// number stays the same, no new inventory is needed for them. As in sadc, a device appears with its
// first I/O.
func (k *Kernel) Changes() int { return k.disks.changes + k.interfaces.changes }

// Close closes what Open opened.
func (k *Kernel) Close() error {
	return errors.Join(k.uptime.close(), k.stat.close(), k.snmp.close(), k.disks.close(), k.interfaces.close(), k.waits.close())
}

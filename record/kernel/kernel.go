package kernel

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Options say where to look and what to take.
type Options struct {
	Root string // directory that has proc, sys and dev; "/" but for tests
	// Devices and Interfaces are patterns as of path.Match, against the
	// kernel's names. Empty takes all that sadc takes.
	Devices, Interfaces []string
	// Partitions takes partitions too, as sadc -S XDISK does.
	Partitions bool
}

// DefaultOptions take what sadc -S DISK takes.
func DefaultOptions() Options { return Options{Root: "/"} }

// Validate says what is wrong with the options.
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

// patterns choose by name; none take everything.
type patterns []string

func (list patterns) match(name string) bool {
	for _, p := range list {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return len(list) == 0
}

// idle are the patterns that match nothing, each asked for alone.
func (list patterns) idle(matched func(one patterns) bool) (unmatched []string) {
	for _, p := range list {
		if !matched(patterns{p}) {
			unmatched = append(unmatched, p)
		}
	}
	return unmatched
}

// A Kernel is this machine's. Its methods are for one goroutine at a time, but
// Inventory and Room may run beside them.
type Kernel struct {
	opts       Options
	uptime     file
	stat       file
	snmp       file
	disks      disks
	interfaces interfaces
	waits      waits
	zpool      func() string // what zpool status says
}

// Open opens what is sampled.
func Open(o Options) (*Kernel, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	k := &Kernel{opts: o, disks: newDisks(o), interfaces: newInterfaces(o), zpool: zpoolStatus}
	if o.Root != "/" { // the command knows the pools of this machine alone
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

// Sample fills s with the counters of now, in the memory that s has already;
// Custom is left alone. What cannot be read is left empty, TCP as it was, and
// named in the error; the rest is good all the same.
func (k *Kernel) Sample(s *sysstat.Sample) error {
	return errors.Join(
		k.sampleCPUs(s),
		k.disks.sample(s),
		k.interfaces.sample(s),
		k.sampleTCP(s),
	)
}

// Uptime is the time since the machine was started, in 1/100 s.
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

// Completed is how many I/Os of each kind the disk at index i of the last
// sample has completed. A sample has only their sum.
func (k *Kernel) Completed(i int) (reads, writes, discards uint64) {
	c := k.disks.completed[i]
	return c.reads, c.writes, c.discards
}

// Unmatched are the patterns of the options that match nothing of what the
// last sample could have shown.
func (k *Kernel) Unmatched() (devices, interfaces []string) {
	return k.disks.unmatched(), k.interfaces.unmatched()
}

// Changes counts the devices and interfaces that came into samples and went:
// as long as it stays, an inventory need not be made anew for their sake. A
// device comes with its first I/O, as sadc has it.
func (k *Kernel) Changes() int { return k.disks.changes + k.interfaces.changes }

// Close closes what Open opened.
func (k *Kernel) Close() error {
	return errors.Join(k.uptime.close(), k.stat.close(), k.snmp.close(), k.disks.close(), k.interfaces.close(), k.waits.close())
}

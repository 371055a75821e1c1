package kernel

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Inventory is the comments that tell what devices and addresses this machine
// has, as sysstat.Inventory reads them, in a stable order. Left out are
// devices that hold nothing and have done nothing, such as loop devices
// without a file. It asks the devices themselves, so one that hangs may hold
// it up: keep it off the path of sampling.
func (k *Kernel) Inventory() (comments []string, err error) {
	devices, err := k.devices()
	if err != nil {
		return nil, err
	}
	for _, d := range devices {
		comments = append(comments, d.Comments()...)
	}
	addresses, err := k.addresses()
	if err != nil {
		return nil, err
	}
	for _, a := range addresses {
		comments = append(comments, a.Comment())
	}
	return comments, nil
}

// devices are those that samples may show, by their numbers.
func (k *Kernel) devices() ([]sysstat.Device, error) {
	r := tree{
		dir:   filepath.Join(k.opts.Root, "sys/block"),
		links: readLinks(filepath.Join(k.opts.Root, "dev/disk/by-id")),
		pool:  solePool(filepath.Join(k.opts.Root, "proc/spl/kstat/zfs")),
	}
	if exists(filepath.Join(k.opts.Root, "proc/spl/kstat/zfs")) {
		r.scans = scansOf(k.zpool())
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return nil, fmt.Errorf("devices cannot be read: %w: check that sysfs is mounted", err)
	}
	var list []sysstat.Device
	for _, e := range entries {
		list = append(list, r.device(e.Name(), k.disks.choice, k.opts.Partitions)...)
	}
	slices.SortFunc(list, func(a, b sysstat.Device) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
	})
	return list, nil
}

// A tree is /sys/block, and what else tells of its devices.
type tree struct {
	dir   string
	links map[string]identity
	pool  string // the only ZFS pool, where there is one only
	scans map[string]scan
}

// device is what is known of a device and, if they are wanted, its partitions.
func (t *tree) device(name string, choice patterns, partitions bool) (list []sysstat.Device) {
	dir := filepath.Join(t.dir, name)
	parts := partitionsOf(dir)
	if d, ok := t.plain(name, dir); ok && choice.match(name) {
		t.describe(&d, dir)
		t.place(&d, append(parts, dir))
		t.tend(&d, dir, append(parts, dir))
		list = append(list, d)
	}
	for _, part := range parts {
		base := filepath.Base(part)
		if d, ok := t.plain(base, part); ok && partitions && choice.match(base) {
			t.place(&d, []string{part})
			t.tend(&d, part, []string{part})
			list = append(list, d)
		}
	}
	return list
}

// plain is what devices and partitions have in common. It is not ok for those
// without a number, and for those that neither hold nor have done anything.
func (t *tree) plain(name, dir string) (d sysstat.Device, ok bool) {
	major, minor, ok := parseDevice(text(dir, "dev"))
	sectors, _ := strconv.ParseUint(text(dir, "size"), 10, 64)
	d = sysstat.Device{Major: major, Minor: minor, Name: strings.ReplaceAll(name, "!", "/"), Size: sectors * 512}
	used := sectors > 0 || strings.Trim(text(dir, "stat"), "0 \t") != ""
	return d, ok && used
}

// parseDevice takes 8:16.
func parseDevice(text string) (major, minor uint32, ok bool) {
	a, b, ok := strings.Cut(text, ":")
	m, err1 := strconv.ParseUint(a, 10, 32)
	n, err2 := strconv.ParseUint(b, 10, 32)
	return uint32(m), uint32(n), ok && err1 == nil && err2 == nil
}

// text is what an attribute says, "" where there is none.
func text(dir, attribute string) string {
	b, _ := os.ReadFile(filepath.Join(dir, attribute))
	return strings.Trim(string(b), " \t\n\x00")
}

// names are the entries of a directory in order.
func names(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// partitionsOf are the directories of a device's partitions.
func partitionsOf(dir string) (list []string) {
	for _, name := range names(dir) {
		if part := filepath.Join(dir, name); exists(filepath.Join(part, "partition")) {
			list = append(list, part)
		}
	}
	return list
}

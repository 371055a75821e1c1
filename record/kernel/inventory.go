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

// Inventory returns comments on the devices and addresses of this machine, in a stable order, for
// sysstat.Inventory. Devices without content and without I/O, such as loop devices without a file,
// are left out. Inventory queries the devices themselves, so a device that hangs may block it. It
// must therefore not be called while a sample is taken.
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

// devices returns the devices that samples may show, sorted by number.
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

// A tree holds /sys/block, and other sources about its devices.
type tree struct {
	dir   string
	links map[string]identity
	pool  string // name of the ZFS pool, if there is exactly one
	scans map[string]scan
}

// device returns the description of a device and, if partitions is set, of its partitions.
func (t *tree) device(name string, choice patterns, partitions bool) (list []sysstat.Device) {
	dir := filepath.Join(t.dir, name)
	parts := partitionsOf(dir)
	if d, ok := t.plain(name, dir); ok && choice.match(name) {
		t.describe(&d, dir)
		t.place(&d, append(parts, dir))
		t.fillMaintenance(&d, dir, append(parts, dir))
		list = append(list, d)
	}
	for _, part := range parts {
		base := filepath.Base(part)
		if d, ok := t.plain(base, part); ok && partitions && choice.match(base) {
			t.place(&d, []string{part})
			t.fillMaintenance(&d, part, []string{part})
			list = append(list, d)
		}
	}
	return list
}

// plain returns the description that devices and partitions have in common. ok is false for a
// device without a number, and for a device without content and without I/O.
func (t *tree) plain(name, dir string) (d sysstat.Device, ok bool) {
	major, minor, ok := parseDevice(text(dir, "dev"))
	sectors, _ := strconv.ParseUint(text(dir, "size"), 10, 64)
	d = sysstat.Device{Major: major, Minor: minor, Name: strings.ReplaceAll(name, "!", "/"), Size: sectors * 512}
	used := sectors > 0 || strings.Trim(text(dir, "stat"), "0 \t") != ""
	return d, ok && used
}

// parseDevice parses a device number such as 8:16.
func parseDevice(text string) (major, minor uint32, ok bool) {
	a, b, ok := strings.Cut(text, ":")
	m, err1 := strconv.ParseUint(a, 10, 32)
	n, err2 := strconv.ParseUint(b, 10, 32)
	return uint32(m), uint32(n), ok && err1 == nil && err2 == nil
}

// text returns the content of an attribute; empty: there is no such attribute.
func text(dir, attribute string) string {
	b, _ := os.ReadFile(filepath.Join(dir, attribute))
	return strings.Trim(string(b), " \t\n\x00")
}

// names returns the entries of a directory, sorted.
func names(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// partitionsOf returns the directories of a device's partitions.
func partitionsOf(dir string) (list []string) {
	for _, name := range names(dir) {
		if part := filepath.Join(dir, name); exists(filepath.Join(part, "partition")) {
			list = append(list, part)
		}
	}
	return list
}

package kernel

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/hoststat"
)

// /proc/self/mountinfo lists the mounted file systems. The third column is the device, such as 253:0.
// A file system on several devices (btrfs) has a number of its own there, and one of its devices as
// its source.
//
//	36 25 253:0 / /bricks/b1 rw,noatime shared:1 - xfs /dev/mapper/vg-b1 rw,attr2
//	41 25 0:32 /sub /home rw,relatime shared:9 - btrfs /dev/sdb1 rw,space_cache=v2
//
// An NVMe drive measures its temperature, in m°C, and names the temperature from which on it protects
// itself:
//
//	/sys/class/nvme/nvme0/hwmon2/temp1_input   41850
//	/sys/class/nvme/nvme0/hwmon2/temp1_max     84850
//	/sys/class/nvme/nvme0/hwmon2/temp1_alarm   0
//	/sys/class/nvme/nvme0/nvme0n1/dev          259:0

// SpaceAndHealth returns the free space of the file systems on the sampled devices, and the
// temperatures of these devices. It may take long, because a device that hangs may never answer. It
// may run at the same time as the other methods.
func (k *Kernel) SpaceAndHealth() ([]hoststat.FileSystem, []hoststat.Drive, error) {
	text, err := os.ReadFile(filepath.Join(k.opts.Root, "proc/self/mountinfo"))
	if err != nil {
		return nil, k.drives(), err
	}
	var list []hoststat.FileSystem
	var errs []error
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		m, ok := parseMount(line)
		if !ok || seen[m.number] {
			continue
		}
		f, ok := k.deviceOf(&m)
		if !ok {
			continue
		}
		seen[m.number] = true
		f.Mount = m.at
		if err := measure(filepath.Join(k.opts.Root, m.at), &f); err != nil {
			errs = append(errs, err)
			continue
		}
		if f.Bytes > 0 {
			list = append(list, f)
		}
	}
	return list, k.drives(), errors.Join(errs...)
}

// A mount is a line of mountinfo.
type mount struct{ number, at, source string }

// parseMount parses a line. ok is false if the file system is read-only: a file system in an image
// (squashfs) is always full.
func parseMount(line string) (m mount, ok bool) {
	before, after, found := strings.Cut(line, " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !found || len(left) < 6 || len(right) < 3 {
		return m, false
	}
	m = mount{left[2], unescape(left[4]), unescape(right[1])}
	return m, writable(left[5]) && writable(right[2])
}

func writable(options string) bool {
	first, _, _ := strings.Cut(options, ",")
	return first != "ro"
}

// unescape replaces the octal escapes that the kernel writes for spaces: /a\040b.
func unescape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if len(s) >= 4 && s[0] == '\\' {
			if n, err := strconv.ParseUint(s[1:4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				s = s[4:]
				continue
			}
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

// deviceOf finds the recorded device below a mount: the device itself, or the disk of a partition.
func (k *Kernel) deviceOf(m *mount) (f hoststat.FileSystem, ok bool) {
	sys := filepath.Join(k.opts.Root, "sys")
	dir, err := filepath.EvalSymlinks(filepath.Join(sys, "dev/block", m.number))
	if err != nil && strings.HasPrefix(m.source, "/dev/") {
		name := filepath.Base(m.source)
		if to, linked := filepath.EvalSymlinks(filepath.Join(k.opts.Root, m.source)); linked == nil {
			name = filepath.Base(to)
		}
		dir, err = filepath.EvalSymlinks(filepath.Join(sys, "class/block", name))
	}
	if err != nil {
		return f, false
	}
	if !k.opts.Partitions && exists(filepath.Join(dir, "partition")) {
		dir = filepath.Dir(dir)
	}
	if !patterns(k.opts.Devices).match(filepath.Base(dir)) {
		return f, false
	}
	f.Major, f.Minor, ok = deviceNumber(filepath.Join(dir, "dev"))
	return f, ok
}

// deviceNumber reads a file such as 253:0.
func deviceNumber(path string) (major, minor uint32, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false
	}
	a, b, _ := bytes.Cut(bytes.TrimSpace(text), []byte{':'})
	x, ok1 := number(a)
	y, ok2 := number(b)
	return uint32(x), uint32(y), ok1 && ok2 && max(x, y) < 1<<32
}

// drives returns the temperatures of NVMe drives.
func (k *Kernel) drives() (list []hoststat.Drive) {
	controllers, _ := filepath.Glob(filepath.Join(k.opts.Root, "sys/class/nvme/nvme*")) // the pattern is right
	for _, dir := range controllers {
		sensors, _ := filepath.Glob(filepath.Join(dir, "hwmon*/temp1_input"))
		older, _ := filepath.Glob(filepath.Join(dir, "device/hwmon/hwmon*/temp1_input")) // Linux 5.5 to 5.9
		sensors = append(sensors, older...)
		if len(sensors) == 0 {
			continue
		}
		sensor := strings.TrimSuffix(sensors[0], "input")
		now, ok := milli(sensor + "input")
		if !ok {
			continue
		}
		limit, _ := milli(sensor + "max")
		alarm, _ := milli(sensor + "alarm")
		names, _ := filepath.Glob(filepath.Join(dir, "nvme*n*/dev"))
		for _, name := range names {
			major, minor, ok := deviceNumber(name)
			if ok && patterns(k.opts.Devices).match(filepath.Base(filepath.Dir(name))) {
				list = append(list, hoststat.Drive{Major: major, Minor: minor, MilliCelsius: now, Limit: limit, Alarm: alarm != 0})
			}
		}
	}
	return list
}

// milli reads a file with one number, which may be negative.
func milli(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

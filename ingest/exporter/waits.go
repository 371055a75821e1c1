package exporter

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// node_exporter exports a part of the data that limpet-record measures about free space and waits.
// Waits are the times for which tasks and requests wait. These are examples of the exported series:
//
//	node_pressure_memory_stalled_seconds_total 17.2
//	node_disk_io_now{device="sda"} 3
//	node_filesystem_avail_bytes{device="/dev/sda1",fstype="xfs",mountpoint="/bricks/b1"} 4.2e+09
//	node_hwmon_temp_celsius{chip="nvme_nvme0",sensor="temp1"} 41.85
//
// The free space of a file system is stored with the block device of the file system. A device of
// the device mapper has one name in /dev and another name among the disks. An info series has both
// names:
//
//	node_filesystem_avail_bytes{device="/dev/mapper/vg-home",fstype="xfs",mountpoint="/home"} 4.2e+09
//	node_disk_device_mapper_info{device="dm-0",name="vg-home"} 1

// mapperPrefix is the beginning of the names of devices of the device mapper, below /dev.
const mapperPrefix = "mapper/"

// deviceName returns the name of the block device below a file system: for /dev/sda1 it returns
// sda1. It returns nil for a file system that is not on a block device of this machine.
func deviceName(path []byte) []byte {
	name, ok := bytes.CutPrefix(path, []byte("/dev/"))
	if !ok || bytes.IndexByte(bytes.TrimPrefix(name, []byte(mapperPrefix)), '/') >= 0 {
		return nil
	}
	return name
}

// controllerName returns the name of an NVMe controller from the name of its hwmon chip (sensor
// device): for nvme_nvme0 it returns nvme0. It returns nil for other chips.
func controllerName(chip []byte) []byte {
	name, ok := bytes.CutPrefix(chip, []byte("nvme_"))
	if !ok || !bytes.HasPrefix(name, []byte("nvme")) {
		return nil
	}
	return name
}

// readWaits adds the waits of the server, and the free space of its file systems, to the reading r.
func (sv *server) readWaits(p *scrape, r *Reading) {
	host := p.cellsOf(sv.host)
	var s hoststat.Sample
	found := host.has(pressures)
	micros := func(field int) uint64 { return uint64(math.Round(host.values[field] * 1e6)) }
	s.Pressure = [hoststat.NumResources]hoststat.Pressure{
		hoststat.CPU:    {Some: micros(hostCPUWaiting)},
		hoststat.IO:     {Some: micros(hostIOWaiting), Full: micros(hostIOStalled)},
		hoststat.Memory: {Some: micros(hostMemoryWaiting), Full: micros(hostMemoryStalled)},
	}
	s.Tasks.Blocked = uint64(host.values[hostBlocked])
	found = sv.readInFlight(p, &s) || found
	found = sv.readRoom(p, &s) || found
	if sv.hasWaits = sv.hasWaits || found; !sv.hasWaits {
		return
	}
	items := r.addCustom()
	*items, r.Waits = hoststat.Append(*items, &s), true
}

// readInFlight adds the number of requests in flight, and the number of completed requests, to the
// sample s. A request is in flight from its beginning to its end. readInFlight reports whether the
// scrape has the number of requests in flight of at least one disk.
func (sv *server) readInFlight(p *scrape, s *hoststat.Sample) (found bool) {
	for _, name := range sortedNames(sv.disks) {
		t := sv.disks[name]
		c := p.cellsOf(t)
		if !t.isUsable(c) {
			continue
		}
		device := sv.roster.byName[name]
		if device == nil {
			continue
		}
		d := diskOf(c, device)
		was, now := t.work, diskWork{ios: d.IOs, inFlight: c.values[diskInFlight] > 0}
		switch done := d.IOs - min(was.ios, d.IOs); {
		case was.ios == 0:
		case done > 0:
			s.Completed += done
		case was.inFlight && now.inFlight:
			now.stuckReadings = was.stuckReadings + 1
		}
		t.next = now
		if found = found || c.has(fieldSet(diskInFlight)); now.inFlight {
			s.InFlight = append(s.InFlight, hoststat.InFlight{Major: d.Major, Minor: d.Minor, Requests: uint64(c.values[diskInFlight]), Still: now.stuckReadings})
		}
	}
	return found
}

// readRoom adds to the sample s the free space of file systems and the temperatures of drives. It
// returns false if there is neither a file system nor a temperature.
func (sv *server) readRoom(p *scrape, s *hoststat.Sample) bool {
	for _, name := range sortedNames(sv.systems) {
		t := sv.systems[name]
		c := p.cellsOf(t)
		device := sv.deviceOf(name)
		if !t.isUsable(c) || device == nil || c.values[fsReadOnly] > 0 {
			continue
		}
		v := &c.values
		s.FileSystems = append(s.FileSystems, hoststat.FileSystem{
			Major: device.Major, Minor: device.Minor, Bytes: uint64(v[fsBytes]), FreeBytes: uint64(v[fsAvailable]),
			Files: uint64(v[fsFiles]), FreeFiles: uint64(v[fsFreeFiles]), Mount: "/dev/" + name,
		})
	}
	for _, name := range sortedNames(sv.sensors) {
		t := sv.sensors[name]
		c := p.cellsOf(t)
		if !t.isUsable(c) {
			continue
		}
		milli := func(field int) int64 { return int64(math.Round(c.values[field] * 1e3)) }
		for _, d := range sv.roster.list {
			if rest, ok := strings.CutPrefix(d.Name, name+"n"); ok && !strings.Contains(rest, "p") {
				s.Drives = append(s.Drives, hoststat.Drive{
					Major: d.Major, Minor: d.Minor, MilliCelsius: milli(sensorTemperature), Limit: milli(sensorLimit), Alarm: c.values[sensorAlarm] > 0,
				})
			}
		}
	}
	return len(s.FileSystems)+len(s.Drives) > 0
}

// deviceOf returns the device that holds a file system: the block device itself, or the disk of a
// partition. The roster lists the devices of the server. deviceOf returns nil if the roster has no
// such device.
func (sv *server) deviceOf(name string) *sysstat.Device {
	if d := sv.roster.byName[name]; d != nil {
		return d
	}
	if mapped, ok := strings.CutPrefix(name, mapperPrefix); ok {
		for disk, t := range sv.disks {
			if t.mapper == mapped {
				return sv.roster.byName[disk]
			}
		}
		return nil
	}
	return sv.roster.byName[devname.Whole(name)]
}

func sortedNames(of map[string]*subject) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

package exporter

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest/osd"
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// The module `prometheus` of ceph-mgr exports the counters of all OSDs of a cluster:
//
//	ceph_bluestore_read_lat_count{ceph_daemon="osd.5"} 668
//	ceph_bluestore_commit_lat_sum{ceph_daemon="osd.5"} 45.122
//	ceph_osd_metadata{ceph_daemon="osd.5",device_class="hdd",hostname="ceph2",…} 1
//	ceph_disk_occupation{ceph_daemon="osd.5",device="/dev/dm-3",devices="nvme0n1,sdb",…} 1
//
// limpet stores a cluster like a server with the name of the cluster. It stores an OSD like two
// disks of this server (package osd): one disk for the reads of the OSD, and one for its commits.
// The latencies of clients' operations (ceph_osd_op_latency) are not used. An operation waits for
// all OSDs that it needs, so its latency does not show which OSD is slow.
//
// The label `instance` names the active manager. limpet ignores this label. When another manager
// becomes active, the counters continue, because they are counters of the OSDs.

// usualCluster is the name of the cluster if the series do not have the label `cluster`.
const usualCluster = "ceph"

// parseServiceLabels parses the labels of a series of an OSD. It returns false if the series
// belongs to another daemon.
func (s *Series) parseServiceLabels(labels []Label) bool {
	origin := newHash()
	s.Server = []byte(usualCluster)
	for _, l := range labels {
		switch string(l.Name) {
		case "__name__", "instance":
		case "ceph_daemon":
			s.Key = l.Value
		case "cluster":
			if len(l.Value) > 0 {
				s.Server = l.Value
			}
			origin.add(l)
		case "job":
			s.Job = l.Value
			origin.add(l)
		default:
			origin.add(l)
		}
	}
	s.Origin = uint64(origin)
	_, ok := osdNumber(s.Key)
	return ok
}

// osdNumber returns the number of an OSD from its name, such as osd.5.
func osdNumber(name []byte) (number uint32, ok bool) {
	digits, ok := bytes.CutPrefix(name, []byte("osd."))
	ok = ok && parseNumber(digits, &number)
	return number, ok
}

// placement describes a service and where it runs: its number, its device class, its host, and the
// devices of the host that it uses.
type placement struct {
	number               uint32
	class, host, devices string
}

// readLabels reads where a service runs from the labels of an info series: ceph_osd_metadata or
// ceph_disk_occupation.
func (p *placement) readLabels(labels []Label) {
	var device, devices []byte
	for _, l := range labels {
		switch string(l.Name) {
		case "device_class":
			p.class = cleanLabel(p.class, l.Value)
		case "hostname":
			p.host = cleanLabel(p.host, l.Value)
		case "device":
			device = l.Value
		case "devices":
			devices = l.Value
		}
	}
	if len(device)+len(devices) > 0 {
		p.devices = cleanLabel(p.devices, []byte(devicesOf(string(device), string(devices))))
	}
}

// devicesOf returns the names of the devices that hold the data of an OSD, with commas between
// them. The label `devices` lists the disks. The label `device` may name a partition or a volume on
// one of these disks. The label `device` is used only for older releases of Ceph, which do not have
// the label `devices`.
func devicesOf(device, devices string) string {
	names := strings.FieldsFunc(devices, func(r rune) bool { return r == ',' || r == ' ' })
	if len(names) == 0 {
		names = []string{devname.Whole(strings.TrimPrefix(device, "/dev/"))}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// serviceCounters are the fields (values) that a scrape must have for a service, such as an OSD.
// The numbers of bytes are not required, because they count only operations of clients. Clients
// send their operations only to the primary OSD of an object. Some OSDs are the primary of no
// object, and have no operations of clients.
var serviceCounters = fieldSet(diskReads, diskWrites, diskReadSeconds, diskWriteSeconds)

// readService adds to the reading r the two disks that stand for an OSD.
func (sv *server) readService(t *subject, c *cells, r *Reading) {
	names, minors := osd.Devices(t.name, t.placing.number)
	v := &c.values
	for kind, name := range names {
		want := sysstat.Device{Name: name, Major: sysstat.ServiceMajor, Minor: minors[kind], Class: t.placing.class, Host: t.placing.host, On: t.placing.devices}
		if d := sv.roster.byName[name]; d != nil {
			want.Class, want.Host, want.On = cmp.Or(want.Class, d.Class), cmp.Or(want.Host, d.Host), cmp.Or(want.On, d.On)
		}
		sv.roster.put(want)
		disk := sysstat.Disk{Major: want.Major, Minor: want.Minor}
		if kind == 0 {
			disk.IOs, disk.ReadTicks = uint64(v[diskReads]), ticks(v[diskReadSeconds])
			disk.ReadSectors = uint64(math.Round(v[diskReadBytes] / sectorBytes))
		} else {
			disk.IOs, disk.WriteTicks = uint64(v[diskWrites]), ticks(v[diskWriteSeconds])
			disk.WriteSectors = uint64(math.Round(v[diskWrittenBytes] / sectorBytes))
		}
		disk.QueueTicks = disk.ReadTicks + disk.WriteTicks // a request counts as queued from its beginning to its end
		r.Sample.Disks = append(r.Sample.Disks, disk)
	}
}

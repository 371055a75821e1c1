package activity

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/ingest/osd"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// device is the identity of a block device in a record.
type device struct {
	Major, Minor uint32
	WWN          [2]uint64
	Partition    uint32
}

// deviceOf returns the device that a disk's counters belong to.
func deviceOf(d *sysstat.Disk) device { return device{d.Major, d.Minor, d.WWN, d.Partition} }

// isService reports whether the device represents a service, such as an OSD of Ceph.
func (d device) isService() bool { return d.Major == sysstat.ServiceMajor }

// Topology returns the device in the form of package topology. Its name and WWN come from the
// inventory, the list of devices in the files.
func (d device) Topology(inv *sysstat.Inventory) topology.Device {
	t := topology.Device{Name: inv.Name(d.Major, d.Minor), Major: d.Major, Minor: d.Minor, Partition: d.Partition}
	if d.isService() {
		t.Name, _ = osd.NameOf(t.Name)
		t.Minor = 0 // both devices of an OSD are one component
		return t
	}
	if d.WWN[0] != 0 {
		t.WWN = fmt.Sprintf("%016x", d.WWN[0])
		if d.WWN[1] != 0 {
			t.WWN += fmt.Sprintf("%016x", d.WWN[1])
		}
	}
	if known, ok := inv.Device(d.Major, d.Minor); ok && t.WWN == "" {
		t.WWN = known.WWN
	}
	return t
}

// deviceSightings returns the devices of a host as sightings ([topology.Seen]),
// sorted by name.
func deviceSightings(host, kernel string, devices map[device]bool, inv *sysstat.Inventory) []topology.Seen {
	var seen []topology.Seen
	for d := range devices {
		s := topology.Seen{Kind: topology.Attachment, Server: host, Device: d.Topology(inv)}
		if known, ok := inv.Device(d.Major, d.Minor); ok {
			s.Model, s.SizeBytes, s.Slot = known.Model, known.Size, known.Slot
			s.Serial, s.Firmware, s.Enclosure, s.Expander, s.Link = known.Serial, known.Firmware, known.Enclosure, known.Expander, known.Link
			s.Pool = cmp.Or(known.MD, known.Pool)
			s.Class, s.Host, s.On = known.Class, known.Host, known.On
		}
		if s.Service = d.isService(); !s.Service {
			s.Kernel = kernel
		}
		seen = append(seen, s)
	}
	slices.SortFunc(seen, bySightedName)
	return slices.Compact(seen) // the two devices of an OSD give the same element twice
}

// nicSightings returns the interfaces of a host as sightings, sorted by name.
func nicSightings(host string, names map[string]bool) []topology.Seen {
	var seen []topology.Seen
	for name := range names {
		seen = append(seen, topology.Seen{Kind: topology.Interface, Server: host, Device: topology.Device{Name: name}})
	}
	slices.SortFunc(seen, bySightedName)
	return seen
}

func bySightedName(a, b topology.Seen) int {
	return topology.Compare(a.Device.String(), b.Device.String())
}

func addressesOf(inv *sysstat.Inventory) []netip.Addr {
	var list []netip.Addr
	for _, a := range inv.Addresses() {
		list = append(list, a.Addr)
	}
	return list
}

// sameDevice reports whether two sightings show the same device. The names of
// the device may differ.
func sameDevice(a, b topology.Seen) bool {
	if a.Kind != b.Kind || a.Server != b.Server || a.Kind == topology.Interface {
		return a == b
	}
	x, y := a.Device, b.Device
	return x.Major == y.Major && x.Minor == y.Minor && x.Partition == y.Partition && (x.WWN == y.WWN || x.WWN == "" || y.WWN == "")
}

// withoutKnown returns the elements of the first list whose device does not occur in
// the second list. It does not compare other details, such as the model, since
// TakeCensus finds more details than later records show.
func withoutKnown(seen, known []topology.Seen) []topology.Seen {
	if len(seen) == 0 {
		return nil // most calls end here
	}
	type thing struct {
		kind   topology.Kind
		server string
		device topology.Device
	}
	has := make(map[thing]bool, len(known))
	for _, k := range known {
		has[thing{k.Kind, k.Server, k.Device}] = true
	}
	return slices.DeleteFunc(seen, func(s topology.Seen) bool { return has[thing{s.Kind, s.Server, s.Device}] })
}

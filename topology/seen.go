package topology

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/devname"
)

// Seen is a device, interface or host in the data.
type Seen struct {
	Kind      Kind // Attachment for block devices
	Server    string
	Device    Device // for an interface only its Name; not used for a host
	Model     string // "": unknown
	SizeBytes uint64 // 0: unknown
	Slot      string
	Part

	// Service reports whether it is a service that reports about itself, such as an OSD of Ceph.
	// OSDs of one device class are peers. Host is the server on which it runs, and On are the
	// devices of this server that it uses, with commas between them.
	Service         bool
	Class, Host, On string
}

// compare orders sightings in natural order. Of two sightings with the same name, the sighting with
// more facts comes first, so that no result depends on the order in which files were read.
func (s Seen) compare(t Seen) int {
	return cmp.Or(
		cmp.Compare(s.Kind, t.Kind),
		Compare(s.Server, t.Server),
		Compare(s.Device.String(), t.Device.String()),
		-strings.Compare(s.Device.wwn(), t.Device.wwn()),
		-strings.Compare(s.Model, t.Model),
		-cmp.Compare(s.SizeBytes, t.SizeBytes),
		-strings.Compare(s.facts(), t.facts()),
		-strings.Compare(s.Host+"\x00"+s.Class+"\x00"+s.On, t.Host+"\x00"+t.Class+"\x00"+t.On),
		cmp.Compare(s.Device.Major, t.Device.Major),
		cmp.Compare(s.Device.Minor, t.Device.Minor),
		cmp.Compare(s.Device.Partition, t.Device.Partition),
	)
}

// same reports whether two adjacent sightings in this order are one device: they have equal names,
// and not two different WWNs.
func (s Seen) same(t Seen) bool {
	return s.Kind == t.Kind && s.Server == t.Server &&
		s.Device.String() == t.Device.String() && agree(s.Device.wwn(), t.Device.wwn())
}

// sorted returns each device once, in natural order.
func sorted(seen []Seen) []Seen {
	seen = slices.Clone(seen)
	slices.SortFunc(seen, Seen.compare)
	return slices.CompactFunc(seen, Seen.same)
}

// Prefixes of the names of virtual interfaces, which have no cable.
var notWires = []string{"veth", "docker", "br-", "virbr", "vnet", "tap", "tun", "cali", "flannel", "cni", "dummy"}

// ReasonLeftOut returns the reason why a sighting cannot be a peer, without regard to other
// sightings; "": it can.
func (s Seen) ReasonLeftOut() string {
	switch {
	case s.Service:
	case s.Kind == Attachment:
		class, partition := s.Device.class()
		switch {
		case partition:
			return "partitions"
		case !devname.IsDrive(class):
			return class + " devices"
		}
	case s.Kind == Interface:
		name := strings.TrimRight(s.Device.Name, "0123456789")
		if name == "lo" || slices.ContainsFunc(notWires, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return "virtual interfaces"
		}
	}
	return ""
}

// facts returns the facts of a sighting as one text, for compare.
func (s Seen) facts() string {
	c := Component{Slot: s.Slot, Part: s.Part}
	var facts []string
	for _, key := range PartKeys() {
		facts = append(facts, c.Fact(key))
	}
	return strings.Join(facts, "\x00")
}

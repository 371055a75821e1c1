package topology

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Peers chooses which drives are peers if there is no topology file.
type Peers uint8

// The choices.
const (
	PeersServer Peers = iota // drives of one class on one server
	PeersAll                 // drives of one class on all servers
	PeersName                // drives with one name on all servers, because they have the same role
	PeersAuto                // PeersServer, or PeersName if no server has enough drives of one class
)

var peersNames = []string{"server", "all", "name", "auto"}

func (p Peers) String() string { return peersNames[p] }

// ParsePeers parses the form of [Peers.String].
func ParsePeers(text string) (Peers, error) {
	if i := slices.Index(peersNames, text); i >= 0 {
		return Peers(i), nil
	}
	return PeersServer, fmt.Errorf("the value %q for peers without a topology file is unknown; write auto, server, all or name", text)
}

// Discover makes a system from the data, if there is no topology file.
//
//   - Devices with one WWN on two or more servers are the attachments of a LUN. LUNs of the same
//     servers belong to one array. All attachments are peers, because their priorities are not
//     known.
//   - Other drives are peers of drives of the same class (sd, nvme), on one server or on all, or of
//     drives with the same name.
//   - Interfaces are peers of the interfaces with the same name on all servers.
//   - Hosts are peers of hosts.
//   - If some machines have drives, the machines without drives are clients and no part of the
//     system.
//
// Discover leaves out these devices, so that no load counts twice, and warns how many of each:
//
//   - partitions, and devices that are no drives
//   - all but one name of a drive with several names (the paths of a multipath device, a renamed
//     drive)
//   - device-mapper devices of servers that have drives, except those with a WWN: they are
//     multipath
//
// Services that report about themselves are added last ([System.WithServices]).
func Discover(seen []Seen, peers Peers) (*System, []Warning) {
	system, warnings := discoverDevices(slices.DeleteFunc(slices.Clone(seen), func(s Seen) bool { return s.Service }), peers)
	system, more := system.WithServices(seen)
	return system, slices.Concat(warnings, more, system.Check())
}

func discoverDevices(seen []Seen, peers Peers) (*System, []Warning) {
	if peers == PeersAuto {
		if system, warnings := discoverDevices(seen, PeersServer); hasPeers(system) {
			return system, warnings
		}
		peers = PeersName
	}
	d := discovery{peers: peers, left: make(map[string]int), taken: make(map[string]bool)}
	d.Name = "discovered"
	kept := d.single(d.withoutStacked(d.eligible(withoutClients(sorted(seen)))))
	d.addLUNs(kept)
	d.addOthers(kept)
	system, _ := d.finish()
	return system, d.warnings()
}

// hasPeers reports whether some drives have enough peers for a comparison.
func hasPeers(s *System) bool {
	return slices.ContainsFunc(s.Groups, func(g PeerGroup) bool {
		return len(g.Members) >= MinPeers && s.Components[g.Members[0]].Kind == Attachment
	})
}

type discovery struct {
	assembly
	peers Peers
	left  map[string]int  // number of devices that were left out, by reason
	taken map[string]bool // names of components and LUNs
	lun   map[string]string
}

// keep returns the sightings without a reason to be left out, and counts the others.
func (d *discovery) keep(seen []Seen, reason func(Seen) string) []Seen {
	return slices.DeleteFunc(seen, func(s Seen) bool {
		why := reason(s)
		if why != "" {
			d.left[why]++
		}
		return why != ""
	})
}

// withoutClients removes the interfaces and hosts of machines without a drive, unless no machine
// has drives.
func withoutClients(seen []Seen) []Seen {
	hasDrives := make(map[string]bool)
	for _, s := range seen {
		if s.Kind == Attachment && s.ReasonLeftOut() == "" {
			hasDrives[s.Server] = true
		}
	}
	if len(hasDrives) == 0 {
		return seen
	}
	return slices.DeleteFunc(seen, func(s Seen) bool { return s.Kind != Attachment && !hasDrives[s.Server] })
}

func (d *discovery) eligible(seen []Seen) []Seen { return d.keep(seen, Seen.ReasonLeftOut) }

// withoutStacked removes the device-mapper devices of servers that have drives.
func (d *discovery) withoutStacked(seen []Seen) []Seen {
	hasDrives := make(map[string]bool)
	for _, s := range seen {
		if class, _ := s.Device.class(); s.Kind == Attachment && class != "dm" {
			hasDrives[s.Server] = true
		}
	}
	return d.keep(seen, func(s Seen) string {
		class, _ := s.Device.class()
		if s.Kind == Attachment && class == "dm" && s.Device.wwn() == "" && hasDrives[s.Server] {
			return "dm devices on top of drives"
		}
		return ""
	})
}

// single keeps one device for each WWN on a server: the device of the device mapper, if there is
// one.
func (d *discovery) single(seen []Seen) []Seen {
	type drive struct{ server, wwn string }
	chosen := make(map[drive]Device)
	for _, s := range seen {
		key := drive{s.Server, s.Device.wwn()}
		was, ok := chosen[key]
		class, _ := s.Device.class()
		if wasClass, _ := was.class(); !ok || class == "dm" && wasClass != "dm" {
			chosen[key] = s.Device
		}
	}
	return d.keep(seen, func(s Seen) string {
		if wwn := s.Device.wwn(); s.Kind == Attachment && wwn != "" && chosen[drive{s.Server, wwn}] != s.Device {
			return "other names of drives that are already listed"
		}
		return ""
	})
}

// addLUNs adds the attachments of devices that two or more servers share.
func (d *discovery) addLUNs(seen []Seen) {
	sharers := make(map[string][]Seen)
	for _, s := range seen {
		if s.Kind == Attachment && s.Device.wwn() != "" {
			sharers[s.Device.wwn()] = append(sharers[s.Device.wwn()], s)
		}
	}
	maps.DeleteFunc(sharers, func(_ string, s []Seen) bool { return len(s) < 2 })
	d.lun = make(map[string]string, len(sharers))
	for _, wwn := range slices.Sorted(maps.Keys(sharers)) {
		d.lun[wwn] = d.unused(alias(sharers[wwn]), wwn)
	}
	wwns := slices.SortedFunc(maps.Keys(sharers), func(a, b string) int { return Compare(d.lun[a], d.lun[b]) })
	for _, wwn := range wwns {
		for _, s := range sharers[wwn] {
			c := s.component(d.lun[wwn] + "." + s.Server)
			c.LUN, c.Array = d.lun[wwn], SharedBy(serversOf(sharers[wwn]))
			class, _ := s.Device.class()
			d.add(c, peerKey{tier: tierLUN, class: class})
		}
	}
}

// SharedBy returns a name for the array of a LUN, made of the servers that share the LUN, because
// nothing else is known of the array.
func SharedBy(servers []string) string {
	return sharedPrefix + noPattern.Replace(Fold(servers))
}

const sharedPrefix = "shared-"

// IsMadeUp reports whether the name of an array comes from SharedBy: it names servers, and
// operators do not know it.
func (s *System) IsMadeUp(array string) bool {
	return s.File == "" && strings.HasPrefix(array, sharedPrefix)
}

func serversOf(sharers []Seen) []string {
	var servers []string
	for _, s := range sharers {
		servers = append(servers, s.Server)
	}
	return servers
}

// noPattern replaces the characters that would make a name a pattern for several names.
var noPattern = strings.NewReplacer("[", "(", "]", ")", ", ", "-")

// alias returns the name that all servers have for a LUN; "": the kernel of each server chose a
// name.
func alias(sharers []Seen) string {
	name := sharers[0].Device.Name
	for _, s := range sharers {
		if s.Device.Name != name || kernelNamed(name) {
			return ""
		}
	}
	return name
}

// unused returns the first of two names that is not empty and not taken.
func (d *discovery) unused(name, otherwise string) string {
	if name == "" || d.taken[name] {
		name = otherwise
	}
	d.taken[name] = true
	return name
}

// addOthers adds the drives of one server, interfaces and hosts.
func (d *discovery) addOthers(seen []Seen) {
	for _, s := range seen {
		l := peerKey{tier: tierHost}
		name := s.Server
		switch {
		case s.Kind == Attachment && d.lun[s.Device.wwn()] != "":
			continue
		case s.Kind == Attachment:
			l.tier = tierDrive
			l.class, _ = s.Device.class()
			switch d.peers {
			case PeersServer:
				l.server = s.Server
			case PeersName:
				l.class = s.Device.String()
			}
			name = d.unused(s.Server+"/"+s.Device.String(), s.Server+"/wwn-0x"+s.Device.wwn())
		case s.Kind == Interface:
			l = peerKey{tier: tierInterface, class: s.Device.Name}
			name = s.Server + "/" + s.Device.Name
		}
		d.add(s.component(name), l)
	}
}

func (s Seen) component(name string) Component {
	c := Component{Name: name, Kind: s.Kind, Server: s.Server, Model: s.Model, SizeBytes: s.SizeBytes, Slot: s.Slot, Part: s.Part}
	if s.Kind == Host {
		return c
	}
	d := s.Device
	c.setDevice(Device{Name: d.Name, Major: d.Major, Minor: d.Minor, WWN: d.wwn()})
	return c
}

func (d *discovery) warnings() []Warning {
	if len(d.left) == 0 {
		return nil
	}
	return []Warning{{Text: "these devices are left out: " + tally(d.left) + "; to judge these devices too, name the devices in a topology file"}}
}

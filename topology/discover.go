package topology

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Peers says how far peers reach where no topology file does.
type Peers uint8

// The reaches.
const (
	PeersServer Peers = iota // the like drives of one server
	PeersAll                 // the like drives of all servers
	PeersName                // the drives of one name on all servers, which have the same part to play
	PeersAuto                // the like drives of one server, or those of one name where no server has enough of them
)

var peersNames = []string{"server", "all", "name", "auto"}

func (p Peers) String() string { return peersNames[p] }

// ParsePeers reads what [Peers.String] writes.
func ParsePeers(text string) (Peers, error) {
	if i := slices.Index(peersNames, text); i >= 0 {
		return Peers(i), nil
	}
	return PeersServer, fmt.Errorf("the value %q for peers is unknown; write auto, server, all or name", text)
}

// Discover makes a system of what the data has, where there is no topology
// file. Devices of one WWN on two servers or more are the attachments of a
// LUN, LUNs that the same servers have are an array's, and all attachments are
// peers, as nobody knows their priorities. Other
// drives are peers of their like, sd of sd and nvme of nvme, in one server or
// in all, or of those of their name; an interface of those of its name on all servers; hosts of hosts.
// Where some machines have drives, those without any are clients and no part
// of the system.
//
// Partitions and what is no drive are left out, and so that no load counts
// twice, of a drive under several names (the paths of a multipath device, a
// drive that was renamed) all but one, and device-mapper devices where their
// server has drives, save those with a WWN: they are multipath. A warning says
// how many of each.
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

// hasPeers says whether some drives have enough peers to be compared with.
func hasPeers(s *System) bool {
	return slices.ContainsFunc(s.Groups, func(g PeerGroup) bool {
		return len(g.Members) >= MinPeers && s.Components[g.Members[0]].Kind == Attachment
	})
}

type discovery struct {
	assembly
	peers Peers
	left  map[string]int  // what was left out: how many
	taken map[string]bool // names of components and LUNs
	lun   map[string]string
}

// keep returns what has no reason to be left out, and counts the others.
func (d *discovery) keep(seen []Seen, reason func(Seen) string) []Seen {
	return slices.DeleteFunc(seen, func(s Seen) bool {
		why := reason(s)
		if why != "" {
			d.left[why]++
		}
		return why != ""
	})
}

// withoutClients drops the interfaces and hosts of machines without a drive,
// unless none has any.
func withoutClients(seen []Seen) []Seen {
	hasDrives := make(map[string]bool)
	for _, s := range seen {
		if s.Kind == Attachment && s.LeftOut() == "" {
			hasDrives[s.Server] = true
		}
	}
	if len(hasDrives) == 0 {
		return seen
	}
	return slices.DeleteFunc(seen, func(s Seen) bool { return s.Kind != Attachment && !hasDrives[s.Server] })
}

func (d *discovery) eligible(seen []Seen) []Seen { return d.keep(seen, Seen.LeftOut) }

// withoutStacked leaves out device-mapper devices of servers that have drives.
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

// single keeps one device of each WWN on a server, that of the device mapper
// if there is one.
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

// addLUNs adds the attachments of devices that two servers or more share.
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
			d.add(c, likeness{tier: tierLUN, class: class})
		}
	}
}

// SharedBy names the array of a LUN by the servers that have it, as nothing else is
// known of it.
func SharedBy(servers []string) string {
	return sharedPrefix + noPattern.Replace(Fold(servers))
}

const sharedPrefix = "shared-"

// IsMadeUp reports whether the name of an array is one of SharedBy: it names servers, and nothing that
// an operator knows by this name.
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

// noPattern keeps a name from being read as many.
var noPattern = strings.NewReplacer("[", "(", "]", ")", ", ", "-")

// alias is the name that all servers agree on for a LUN, empty where the
// kernel of each chose one.
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
		l := likeness{tier: tierHost}
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
			l = likeness{tier: tierInterface, class: s.Device.Name}
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

// This file joins the sightings of the same device or volume in several sources:
// sightings of one server by name, number and SCSI address; slots of enclosures and
// controllers by WWN, serial number and SAS address; volumes by their name, with the
// devices under which servers have them.
//
// Where two sources contradict each other the first one counts, and a note names both.

package site

// A Site is a storage system as its tools see it, each thing once.
type Site struct {
	Hosts   []string       // in natural order
	Devices []MergedDevice // by host, in natural order of names
	Volumes []MergedVolume // by system and name
	Notes   []Note
	Hidden  int // drives behind RAID controllers, which no server sees by a name

	byName map[string]int // device by server and name
}

// A MergedDevice is a device of one server.
type MergedDevice struct {
	Device
	PathOf string // the multipath device that it is a path of; empty for none
}

// A MergedVolume is a volume with the devices that servers know it by.
type MergedVolume struct {
	Volume
	Devices map[string]int // by server, among the site's devices
}

// Join makes a site of an inventory.
func Join(inv Inventory) *Site {
	s := &Site{Notes: inv.Notes}
	short := shortNames(&inv)
	devices, placed := s.joinDevices(inv.Devices, short)
	s.Devices = devices
	s.markPaths()
	s.place(placed)
	s.indexNames()
	s.joinVolumes(inv.Volumes, short)
	s.listHosts()
	return s
}

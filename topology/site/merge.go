// This file joins the sightings of the same device or volume in several sources:
//
//   - sightings on one server by name, number and SCSI address
//   - slots of enclosures and controllers by WWN, serial number and SAS address
//   - volumes by their name, with their devices on servers
//
// If two sources contradict each other, the first source counts, and a note names both.

package site

// A Site is a storage system as its tools show it, with one entry for each device and volume.
type Site struct {
	Hosts   []string       // in natural order
	Devices []MergedDevice // by host, in natural order of names
	Volumes []MergedVolume // by system and name
	Notes   []Note
	Hidden  int // number of drives behind RAID controllers, which have no name on a server

	byName map[string]int // device by server and name
}

// A MergedDevice is a device of one server.
type MergedDevice struct {
	Device
	PathOf string // multipath device of which it is a path; "": none
}

// A MergedVolume is a volume with its devices on servers.
type MergedVolume struct {
	Volume
	Devices map[string]int // index among the site's devices, by server
}

// Join makes a site from an inventory.
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

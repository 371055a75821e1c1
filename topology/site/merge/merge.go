package merge

import "github.com/limpet-storage/limpet/topology/site"

// A Site is a storage system as its tools see it, each thing once.
type Site struct {
	Hosts   []string // in natural order
	Devices []Device // by host, in natural order of names
	Volumes []Volume // by system and name
	Notes   []site.Note
	Hidden  int // drives behind RAID controllers, which no server sees by a name

	byName map[string]int // device by server and name
}

// A Device is a device of one server.
type Device struct {
	site.Device
	PathOf string // the multipath device that it is a path of; empty for none
}

// A Volume is a volume with the devices that servers know it by.
type Volume struct {
	site.Volume
	Devices map[string]int // by server, among the site's devices
}

// Join makes a site of an inventory.
func Join(inv site.Inventory) *Site {
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

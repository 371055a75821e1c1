package ceph

import "github.com/limpet-storage/limpet/topology/site"

const system = "ceph"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	documents, _ := t.JSON()
	for _, d := range documents {
		for _, read := range []func(*site.Text, *site.Document, *site.Inventory) bool{
			readTree, readMetadata, readReport, readCrush, readDevices, readVolumes, readInventory,
		} {
			if read(t, &d, &inv) {
				d.Claim()
				break
			}
		}
	}
	readTreeText(t, &inv)
	readVolumeText(t, &inv)
	readDeviceText(t, &inv)
	readOrchText(t, &inv)
	return inv
}

// osd is the sighting of an OSD on a host.
func osd(at site.At, id, host string) site.Volume {
	v := site.Volume{At: at, System: system, Name: "osd." + id, ID: id, Host: host}
	if host != "" {
		v.Servers = []string{host}
	}
	return v
}

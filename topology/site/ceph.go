// This file reads which OSD is on which host and drive: ceph osd tree, osd
// df tree, osd metadata, device ls, report, ceph-volume lvm and raw list, and
// ceph-volume inventory, as JSON and as text.

package site

const cephSystem = "ceph"

// readCeph reads what it understands of a text and claims it.
func readCeph(t *Text) Inventory {
	var inv Inventory
	documents, _ := t.JSON()
	for _, d := range documents {
		for _, read := range []func(*Text, *Document, *Inventory) bool{
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
func osd(at At, id, host string) Volume {
	v := Volume{At: at, System: cephSystem, Name: "osd." + id, ID: id, Host: host}
	if host != "" {
		v.Servers = []string{host}
	}
	return v
}

package ses

import "github.com/limpet-storage/limpet/topology/site"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readJSON(t, &inv)
	readJoin(t, &inv)
	readHex(t, &inv)
	return inv
}

// slot is the sighting of a drive in a slot, known by the SAS address of the
// port that the enclosure sees. That is not its WWN: package merge compares
// the two.
func slot(at site.At, host, enclosure, number, port string) site.Device {
	return site.Device{At: at, Host: host, Kind: site.Drive, Enclosure: enclosure, Slot: number, Port: port}
}

// none reports whether an address says that nothing is plugged in.
func none(address string) bool {
	for i := range len(address) {
		if address[i] != '0' && address[i] != 'x' {
			return false
		}
	}
	return true
}

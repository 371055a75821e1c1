// This file reads which drive sits in which slot of a SES enclosure: sg_ses
// --join and -p aes, its hex dumps, and the JSON that TrueNAS makes of them.

package site

// readSES reads what it understands of a text and claims it.
func readSES(t *Text) Inventory {
	var inv Inventory
	readSESJSON(t, &inv)
	readJoin(t, &inv)
	readHex(t, &inv)
	return inv
}

// slot is the sighting of a drive in a slot, known by the SAS address of the
// port that the enclosure sees. That is not its WWN: package merge compares
// the two.
func slot(at At, host, enclosure, number, port string) Device {
	return Device{At: at, Host: host, Kind: Drive, Enclosure: enclosure, Slot: number, Port: port}
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

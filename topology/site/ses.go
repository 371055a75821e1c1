// This file reads which drive sits in which slot of a SES enclosure, from the output of sg_ses
// --join, sg_ses -p aes and sg_ses -HHHH, and from the JSON that TrueNAS makes of it.

package site

// readSES reads the slots in a text and claims their lines.
func readSES(t *Text) Inventory {
	var inv Inventory
	readSESJSON(t, &inv)
	readJoin(t, &inv)
	readHex(t, &inv)
	return inv
}

// slot returns a drive in a slot. The enclosure knows the drive by the SAS address of its
// port, which differs from the WWN; merge_slots.go compares both.
func slot(at At, host, enclosure, number, port string) Device {
	return Device{At: at, Host: host, Kind: Drive, Enclosure: enclosure, Slot: number, Port: port}
}

// isZeroAddress reports whether an address is zero: the slot is empty.
func isZeroAddress(address string) bool {
	for i := range len(address) {
		if address[i] != '0' && address[i] != 'x' {
			return false
		}
	}
	return true
}

// This file reads which SCSI and NVMe devices a server has, by lsscsi with
// any of its options and by /proc/scsi/scsi.

package site

// readLsscsi reads what it understands of a text and claims it.
func readLsscsi(t *Text) Inventory {
	var inv Inventory
	readList(t, &inv)
	readProc(t, &inv)
	return inv
}

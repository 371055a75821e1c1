// This file reads the network shared disks of IBM Spectrum Scale: mmlsnsd in all of its
// layouts, mmlsdisk, mmdf, stanzas of mmcrnsd, and the legends of mmperfmon.
//
// Names are wider than their columns at real sites, so that lines are read by words and
// not by columns.

package site

const gpfsSystem = "gpfs"

// readGPFS reads what it understands of a text and claims it.
func readGPFS(t *Text) Inventory {
	var inv Inventory
	readColons(t, &inv)
	readTables(t, &inv)
	readStanzas(t, &inv)
	readLegends(t, &inv)
	return inv
}

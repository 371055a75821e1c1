// This file reads which paths stand behind the multipath devices of a
// server: multipath -ll of every version, with and without debug output around
// it, its table of paths, and multipathd's JSON.

package site

// readMultipath reads what it understands of a text and claims it.
func readMultipath(t *Text) Inventory {
	var inv Inventory
	readJSONMultipath(t, &inv)
	readMaps(t, &inv)
	readPathTable(t, &inv)
	return inv
}

package gpfs

import "github.com/limpet-storage/limpet/topology/site"

const system = "gpfs"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readColons(t, &inv)
	readTables(t, &inv)
	readStanzas(t, &inv)
	readLegends(t, &inv)
	return inv
}

package multipath

import "github.com/limpet-storage/limpet/topology/site"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readJSON(t, &inv)
	readMaps(t, &inv)
	readPathTable(t, &inv)
	return inv
}

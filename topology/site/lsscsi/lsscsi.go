package lsscsi

import "github.com/limpet-storage/limpet/topology/site"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readList(t, &inv)
	readProc(t, &inv)
	return inv
}

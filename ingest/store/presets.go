// This file holds descriptions of the series of exporters that people have. They
// are data: what a site would write, and can copy and change.

package store

import (
	"embed"

	"github.com/limpet-storage/limpet/ingest/tables"
)

//go:embed presets/*.yaml
var files embed.FS

// Shipped are the descriptions, by name.
var Shipped = tables.Set{FS: files}

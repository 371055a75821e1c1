package store

import (
	"embed"

	"github.com/limpet-storage/limpet/ingest/tables"
)

//go:embed presets/*.yaml
var files embed.FS

// Shipped has the embedded descriptions for the series of common exporters. A site can
// copy and change a description.
var Shipped = tables.Set{FS: files}

package presets

import (
	"embed"

	"github.com/limpet-storage/limpet/ingest/collect/tables/presets"
)

//go:embed *.yaml
var files embed.FS

// Shipped are the descriptions, by name.
var Shipped = presets.Set{FS: files}

// This file embeds descriptions of the series of common exporters. A site can
// copy and change them.

package store

import (
	"embed"

	"github.com/limpet-storage/limpet/ingest/tables"
)

//go:embed presets/*.yaml
var files embed.FS

// Shipped are the embedded descriptions, by name.
var Shipped = tables.Set{FS: files}

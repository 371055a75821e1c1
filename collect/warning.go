package collect

import "github.com/limpet-storage/limpet/topology"

// A Warning is something that the rows are weaker for: samples left out or
// taken as missing. Its text says what would cure it.
type Warning = topology.Warning

// Package collect is where rows come from: activity files of many servers, or
// long tables. A source opens files, finds or is told the components of the
// system, and yields rows on one clock; nothing downstream knows which source
// it was.
//
// Bad input costs one clear warning and what it touched, never the rest.
package collect

import "github.com/limpet-storage/limpet/topology"

// A Warning is something that the rows are weaker for: samples left out or
// taken as missing. Its text says what would cure it.
type Warning = topology.Warning

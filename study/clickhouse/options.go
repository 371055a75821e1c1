package clickhouse

import (
	"os"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/study/source"
)

// Options say which tables hold what, and how they are read.
type Options struct {
	// Table of records, with or without its database: fleet.records.
	Table string
	// Inventory and Events are tables too; empty: there is none.
	Inventory, Events string
	// InventoryFiles and EventFiles are files, as study/source reads them.
	InventoryFiles, EventFiles []string
	// Description says what columns mean; nil: those that `limpet simulate
	// fleet` writes. It leaves out files:, since no name hangs on a path here.
	// Beside a table of inventory or events, files of the other have times as
	// Unix seconds, RFC 3339 or days.
	Description *source.Description
	// RangeRows is about how many records a query takes, at most: memory of
	// the server, about 150 bytes each.
	RangeRows int64 `name:"range-rows" least:"1"`
	// Queries is how many run side by side, on each shard. Old servers do
	// most of a query on one core.
	Queries int `name:"queries" least:"1"`
	// Gather has the server of the DSN fetch from the shards of a Distributed
	// table what it needs, for one that is not sharded by group.
	Gather bool
	// Password is that of the user where the DSN has none.
	Password string
	// TempDir is where lists of drives are written for a moment.
	TempDir string
	// Progress is told how far the servers are; nil: no one asks.
	Progress *Progress
}

// DefaultOptions take some gigabytes of a server's memory, and four of its
// cores.
func DefaultOptions() Options {
	return Options{RangeRows: 8 << 20, Queries: 4, TempDir: os.TempDir()}
}

// Validate reports everything that cannot be done.
func (o Options) Validate() error {
	errs := bounds.Errors{bounds.Check(o)}
	errs.Need(o.Table != "", "no table of records is named: name a table")
	return errs.Join()
}

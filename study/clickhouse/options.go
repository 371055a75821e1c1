package clickhouse

import (
	"os"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/study/source"
)

// Options are the tables of a study, and how they are read.
type Options struct {
	// Table of records, with or without its database: fleet.records.
	Table string
	// Inventory and Events are tables, too; empty: none.
	Inventory, Events string
	// InventoryFiles and EventFiles are files, as study/source reads them.
	InventoryFiles, EventFiles []string
	// Description has the meaning of the columns; nil: the columns that `limpet
	// simulate fleet` writes. It must not have the key files:, because no name
	// comes from a path here. If Inventory or Events is a table, the times in
	// InventoryFiles and EventFiles must be Unix seconds, RFC 3339 or days.
	Description *source.Description
	// RangeRows is roughly the largest number of records in one query. Each record
	// needs about 150 bytes of the server's memory.
	RangeRows int64 `name:"range-rows" least:"1"`
	// Queries is the number of parallel queries on each shard. Old servers run
	// most of a query on one core.
	Queries int `name:"queries" least:"1"`
	// Gather is for a Distributed table that is not sharded by group: the server of
	// the DSN then fetches the records from the shards.
	Gather bool
	// Password is the password of the user if the DSN has none.
	Password string
	// TempDir is the directory for temporary lists of drives.
	TempDir string
	// Progress receives the progress of the servers; may be nil.
	Progress *Progress
}

// DefaultOptions returns options that need some gigabytes of a server's memory and four of its
// cores.
func DefaultOptions() Options {
	return Options{RangeRows: 8 << 20, Queries: 4, TempDir: os.TempDir()}
}

// Validate reports all invalid options.
func (o Options) Validate() error {
	errs := bounds.Errors{bounds.Check(o)}
	errs.Need(o.Table != "", "no table of records is named: name a table")
	return errs.Join()
}

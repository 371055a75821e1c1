package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// SpoolOptions describe how long files are kept, and how often they are synced.
type SpoolOptions struct {
	KeepDays int           `name:"keep_days" least:"1" most:"100000"` // number of days that are kept before the last day that has files; only days with files count
	Sync     time.Duration `name:"sync" above:"0s" most:"24h"`        // time between syncs; after a loss of power, the samples of this time may be missing
}

// DefaultSpoolOptions returns options that keep the files of a week, and sync every 15 s, which is
// the usual step.
func DefaultSpoolOptions() SpoolOptions {
	return SpoolOptions{KeepDays: 7, Sync: 15 * time.Second}
}

// Validate returns an error if an option is invalid.
func (o *SpoolOptions) Validate() error { return bounds.Check(*o) }

package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// SpoolOptions set how files are kept.
type SpoolOptions struct {
	KeepDays int           `name:"keep_days" least:"1" most:"100000"` // number of days with files that are kept before the last day
	Sync     time.Duration `name:"sync" above:"0s" most:"24h"`        // time between syncs; after a loss of power, the samples of this time may be missing
}

// DefaultSpoolOptions returns options that keep the files of a week, and sync
// once a step.
func DefaultSpoolOptions() SpoolOptions {
	return SpoolOptions{KeepDays: 7, Sync: 15 * time.Second}
}

// Validate returns an error if an option is invalid.
func (o *SpoolOptions) Validate() error { return bounds.Check(*o) }

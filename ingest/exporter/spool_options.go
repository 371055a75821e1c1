package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// SpoolOptions set how files are kept.
type SpoolOptions struct {
	KeepDays int           `name:"keep_days" least:"1" most:"100000"` // days with files that are kept before the last one
	Sync     time.Duration `name:"sync" above:"0s" most:"24h"`        // time of samples that a loss of power may cost
}

// DefaultSpoolOptions keep a week, and sync every step.
func DefaultSpoolOptions() SpoolOptions {
	return SpoolOptions{KeepDays: 7, Sync: 15 * time.Second}
}

// Validate reports what is wrong with the options.
func (o *SpoolOptions) Validate() error { return bounds.Check(*o) }

package exporter

import (
	"fmt"
	"time"
)

// SpoolOptions are how files are kept.
type SpoolOptions struct {
	KeepDays int           // files are removed when their day is so many days ago
	Sync     time.Duration // of samples that a loss of power may cost
}

// DefaultSpoolOptions keep a week, and sync every step.
func DefaultSpoolOptions() SpoolOptions {
	return SpoolOptions{KeepDays: 7, Sync: 15 * time.Second}
}

// maxKeepDays is more than anyone asks for.
const maxKeepDays = 100_000

// Validate says what is wrong with the options.
func (o *SpoolOptions) Validate() error {
	if o.KeepDays < 1 || o.KeepDays > maxKeepDays {
		return fmt.Errorf("keeping %d days of files: give 1 to %d", o.KeepDays, maxKeepDays)
	}
	if o.Sync <= 0 || o.Sync > 24*time.Hour {
		return fmt.Errorf("syncing every %v: give more than 0 and at most 24h, such as 15s", o.Sync)
	}
	return nil
}

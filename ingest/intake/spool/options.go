package spool

import (
	"fmt"
	"time"
)

// Options are how files are kept.
type Options struct {
	KeepDays int           // files are removed when their day is so many days ago
	Sync     time.Duration // of samples that a loss of power may cost
}

// DefaultOptions keep a week, and sync every step.
func DefaultOptions() Options {
	return Options{KeepDays: 7, Sync: 15 * time.Second}
}

// MaxKeepDays is more than anyone asks for.
const MaxKeepDays = 100_000

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	if o.KeepDays < 1 || o.KeepDays > MaxKeepDays {
		return fmt.Errorf("keeping %d days of files: give 1 to %d", o.KeepDays, MaxKeepDays)
	}
	if o.Sync <= 0 || o.Sync > 24*time.Hour {
		return fmt.Errorf("syncing every %v: give more than 0 and at most 24h, such as 15s", o.Sync)
	}
	return nil
}

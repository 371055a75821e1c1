package history

import (
	"fmt"
)

// Options are the settings of a store.
type Options struct {
	Steps    Retention `json:"steps"`    // every step
	Quarters Retention `json:"quarters"` // quarter hours
	Windows  Retention `json:"windows"`  // scores and thresholds
	// BufferBytes is how much waits in memory until it is written at the end of a quarter
	// hour. At four times as much it is written at once. At five times as much it is
	// dropped, if the disk is full.
	BufferBytes int64 `json:"buffer_bytes"`
}

// DefaultOptions keep every step for a week and the rest for a year, in at most 20 GB.
func DefaultOptions() Options {
	const gb = 1_000_000_000
	return Options{
		Steps: Retention{Days: 7, Bytes: 6 * gb}, Quarters: Retention{Days: 366, Bytes: 7 * gb}, Windows: Retention{Days: 366, Bytes: 7 * gb},
		BufferBytes: 40_000_000, // an hour of Intrepid's steps
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	for _, t := range []struct {
		name string
		Retention
	}{{"steps", o.Steps}, {"quarters", o.Quarters}, {"windows", o.Windows}} {
		if !(t.Days > 0) || t.Bytes < 1 {
			return fmt.Errorf("%s are kept for %g days in %d bytes: both have to be above 0", t.name, t.Days, t.Bytes)
		}
	}
	if o.BufferBytes < 1 {
		return fmt.Errorf("%d bytes for rows that wait: it has to be above 0", o.BufferBytes)
	}
	return nil
}

package history

import "fmt"

// Retention says how long a tier is kept. What comes first counts.
type Retention struct {
	Days  float64 `json:"days"`  // by the times of rows, not by the clock
	Bytes int64   `json:"bytes"` // the oldest files go first
}

// Options are the settings of a store.
type Options struct {
	Steps    Retention `json:"steps"`    // every step
	Quarters Retention `json:"quarters"` // quarter hours
	Windows  Retention `json:"windows"`  // scores and thresholds
	// BufferBytes bounds the rows that wait in memory until they are written.
	BufferBytes int64 `json:"buffer_bytes"`
}

// DefaultOptions keep every step for a week and the rest for a year, in 20 GB at
// the most.
func DefaultOptions() Options {
	const gb = 1_000_000_000
	return Options{
		Steps: Retention{7, 6 * gb}, Quarters: Retention{366, 7 * gb}, Windows: Retention{366, 7 * gb},
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

package history

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of a store.
type Options struct {
	Steps    Retention `json:"steps"`    // retention of every step
	Quarters Retention `json:"quarters"` // retention of quarter hours
	Windows  Retention `json:"windows"`  // retention of scores and thresholds
	// BufferBytes is the normal size of the rows in memory, in bytes:
	//   - When the rows reach this size, the store writes them to disk at the end of the quarter
	//     hour.
	//   - When the rows reach four times this size, the store writes them immediately.
	//   - If writing fails, for example because the disk is full, the rows stay in memory. When
	//     they exceed five times this size, the store drops them.
	BufferBytes int64 `json:"buffer_bytes" least:"1"`
}

// DefaultOptions returns options that keep every step for a week, and quarter hours and
// windows for a year, in at most 20 GB.
func DefaultOptions() Options {
	const gb = 1_000_000_000
	return Options{
		Steps: Retention{Days: 7, Bytes: 6 * gb}, Quarters: Retention{Days: 366, Bytes: 7 * gb}, Windows: Retention{Days: 366, Bytes: 7 * gb},
		BufferBytes: 40_000_000, // one hour of steps of Intrepid, a large storage system
	}
}

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(o)}
	for _, tier := range []struct {
		name string
		Retention
	}{{"steps", o.Steps}, {"quarters", o.Quarters}, {"windows", o.Windows}} {
		if err := bounds.Check(tier.Retention); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", tier.name, err))
		}
	}
	return errs.Join()
}

package fleet

import (
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options say how large a fleet is and how long it is watched. What its drives
// are like is T16's and no option.
type Options struct {
	DiskGroups, SSDGroups int // RAID groups
	Days                  int
	Start                 time.Time // a midnight, UTC
	MinDataDrives         int       // of a group
	MaxDataDrives         int
	Seed                  uint64
	Format                Format
}

// A Format of the files.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
	Both    Format = "both"
)

// Narrowest and Widest are the group widths that T16 §3.1 has; fewer than three have no useful median.
const (
	Narrowest = 3
	Widest    = 26
)

// DefaultOptions are a hundredth of T16's disks, a tenth of its SSDs and all
// of its days (T16 §3.2), which takes seconds.
func DefaultOptions() Options {
	return Options{
		DiskGroups:    380,
		SSDGroups:     57,
		Days:          87,
		Start:         time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		MinDataDrives: Narrowest,
		MaxDataDrives: Widest,
		Seed:          1,
		Format:        Parquet,
	}
}

// MostGroups and MostDays can be asked for: names count groups in five digits, and times
// of drives count hours in 32 bits.
const (
	MostGroups = 99_999
	MostDays   = 10_000
)

// Validate reports everything that cannot be simulated.
func (o Options) Validate() error {
	var errs bounds.Errors
	errs.Need(min(o.DiskGroups, o.SSDGroups) >= 0 && max(o.DiskGroups, o.SSDGroups) <= MostGroups,
		"%d groups of disks and %d groups of SSDs are not possible: choose 0 to %d groups of each", o.DiskGroups, o.SSDGroups, MostGroups)
	errs.Need(o.DiskGroups != 0 || o.SSDGroups != 0, "the fleet has no groups: choose at least one group of disks or of SSDs")
	errs.Need(o.Days >= 1 && o.Days <= MostDays, "%d days are not possible: choose 1 to %d days", o.Days, MostDays)
	errs.Need(o.Start.Equal(o.Start.UTC().Truncate(hoursPerDay*time.Hour)),
		"the fleet starts at %v, but each file has the data of one day: start at midnight UTC", o.Start)
	errs.Need(o.MinDataDrives >= Narrowest && o.MaxDataDrives <= Widest && o.MinDataDrives <= o.MaxDataDrives,
		"groups of %d to %d data drives are not possible: choose a range within %d to %d", o.MinDataDrives, o.MaxDataDrives, Narrowest, Widest)
	errs.Need(o.Format == Parquet || o.Format == CSV || o.Format == Both,
		"format %q is unknown: choose %s, %s or %s", o.Format, Parquet, CSV, Both)
	return errs.Join()
}

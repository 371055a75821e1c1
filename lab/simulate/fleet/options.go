package fleet

import (
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the size of a fleet and the simulated days. The behaviour of the drives follows T16
// and is no option.
type Options struct {
	DiskGroups, SSDGroups int // RAID groups
	Days                  int
	Start                 time.Time // a midnight, UTC
	MinDataDrives         int       // least number of data drives of a group
	MaxDataDrives         int
	Seed                  uint64
	Format                Format
}

// A Format is a format of the files.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
	Both    Format = "both"
)

// Narrowest and Widest are the least and the largest group width of T16 §3.1. Fewer than three
// drives have no useful median.
const (
	Narrowest = 3
	Widest    = 26
)

// DefaultOptions returns a hundredth of T16's disks, a tenth of its SSDs and all of its days (T16
// §3.2), which takes seconds.
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

// MostGroups and MostDays are the largest values of the options: names have five digits for groups,
// and 32 bits count the hours of drives.
const (
	MostGroups = 99_999
	MostDays   = 10_000
)

// Validate returns an error that names every invalid option.
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

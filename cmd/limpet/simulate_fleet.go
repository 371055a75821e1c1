package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/lab/simulate/fleet"
)

type simulateFleetFlags struct {
	dir, start string
	options    fleet.Options
}

func newSimulateFleet() *cobra.Command {
	f := simulateFleetFlags{options: fleet.DefaultOptions()}
	cmd := simulation("fleet", "simulate hourly records of drives in RAID groups",
		`Simulate disks and SSDs in RAID groups. Some drives are slow for some hours, as
often as in the fleet of the paper T16. The files are hourly records, an inventory
of the drives and a log of their events, as Parquet or CSV, and a file that names
the drives that were made slow.`,
		`  limpet simulate fleet --dir fleet                          simulate 4,000 disks for 87 days
  limpet simulate fleet --disk-groups 38029 --ssd-groups 572 --dir t16   simulate the whole fleet of the paper T16 (gigabytes)`, f.run)
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", "limpet-fleet", "`directory` to write to")
	flags.Var(bounded.Int(&f.options.DiskGroups, 0, fleet.MostGroups, "groups"), "disk-groups", "number of RAID groups of disks")
	flags.Var(bounded.Int(&f.options.SSDGroups, 0, fleet.MostGroups, "groups"), "ssd-groups", "number of RAID groups of SSDs")
	flags.Var(bounded.Int(&f.options.MinDataDrives, fleet.Narrowest, fleet.Widest, "drives"), "min-drives", "smallest number of data drives in a group")
	flags.Var(bounded.Int(&f.options.MaxDataDrives, fleet.Narrowest, fleet.Widest, "drives"), "max-drives", "largest number of data drives in a group")
	flags.Var(bounded.Int(&f.options.Days, 1, fleet.MostDays, "days"), "days", "number of days to simulate")
	flags.StringVar(&f.start, "start", f.options.Start.Format(time.DateOnly), "first `day`, such as 2026-01-31")
	flags.StringVar((*string)(&f.options.Format), "format", string(f.options.Format), "`FORMAT`: "+strings.Join(texts([]fleet.Format{fleet.Parquet, fleet.CSV, fleet.Both}), ", "))
	flags.Var(bounded.Seed(&f.options.Seed), "seed", "`seed` of the random numbers of the simulation")
	return cmd
}

func (f *simulateFleetFlags) run(cmd *cobra.Command) error {
	var err error
	if f.options.Start, err = time.Parse(time.DateOnly, f.start); err != nil {
		return usageError{fmt.Errorf("--start %q is not a day: write a day such as 2026-01-31", f.start)}
	}
	if err := f.options.Validate(); err != nil {
		return usageError{err}
	}
	show, end := percent(cmd)
	summary, err := fleet.Write(cmd.Context(), f.dir, f.options, show)
	end()
	if err != nil {
		return orInterrupted(cmd, err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "directory %s: hourly records of drives in RAID groups, for %d days\n", f.dir, f.options.Days)
	for _, part := range []struct {
		name string
		of   *fleet.Part
	}{{"disks", summary.Disk}, {"SSDs", summary.SSD}} {
		if part.of != nil {
			c := &part.of.Counts
			fmt.Fprintf(out, "  %s in %s: %d hold data and %d hold parity. limpet study counts only drives with data. Of their %d drive hours, %d are slow: in a slow hour, the drive is at least twice as slow as the median of its group\n",
				part.name, english.Count(int(c.Groups), "RAID group"), c.DataDrives, c.Drives-c.DataDrives, c.DriveHours, c.Slow2)
		}
	}
	fmt.Fprintf(out, "List of the drives that were made slow: %s\n", filepath.Join(f.dir, fleet.TruthFile))
	fmt.Fprintf(out, "limpet study %s\n", f.dir)
	return nil
}

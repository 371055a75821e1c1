package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
)

func newRaid() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "raid",
		Short: "make and use a RAID-6 array whose clients do not wait for slow drives",
		Long: `Use a RAID-6 array of files or block devices. If one or two of its drives are slow,
the array computes their data from the other drives, so that readers do not wait.
Make an array, read and write it, repair it, and serve it as a network block device.
A policy decides which drives are read. limpet raid replay measures how much shorter
the waits are with each policy, for real or simulated drives.

Name the members in order: the data members, then P, then Q. If a member does not
exist, write "missing" instead of its name. The commands read, write, scrub and serve
then also need --degraded.`,
		Example: `  limpet raid create --size 1G d0 d1 d2 d3 p q    make an array of 4 GB in six files
  limpet raid serve --listen unix:/run/a.sock d0 d1 d2 d3 p q
  limpet raid replay --virtual --delay rare       show how long clients wait with each policy if disks are slow
  limpet raid replay --dir /mnt/scratch           show how long clients wait, on the real drives of this machine`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("limpet raid has no command %q: use create, status, write, read, rebuild, scrub, mask, unmask, serve or replay", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRaidCreate(), newRaidStatus(), newRaidWrite(), newRaidRead(), newRaidRebuild(), newRaidScrub(), newRaidMask(), newRaidUnmask(), newRaidServe(), newRaidReplay())
	return cmd
}

// Bounds of sizes on the command line. Sums of sizes within these bounds do not overflow 64 bits.
const (
	shortestMember = 64 << 10 // bytes
	longestMember  = 1 << 50
	longestArray   = 1 << 56
)

// byteUnits are the letters of the units of bytes, from 1024 to 1024⁴.
const byteUnits = "KMGT"

// inUnits returns a number of bytes as text with a unit, such as "1.5 GiB".
func inUnits(n int64) string {
	v, unit := float64(n), "B"
	for i := 0; i < len(byteUnits) && v >= 1024; i++ {
		v, unit = v/1024, byteUnits[i:i+1]+"iB"
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " " + unit
}

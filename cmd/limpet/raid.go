package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

func newRaid() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "raid",
		Short: "RAID-6 whose readers do not wait for the slowest drive",
		Long: `RAID-6 over files or block devices that hides up to two slow drives from its
readers (T16 §5): make an array, read and write it, mend it, serve it as a network
block device, and see what policies save on slow drives, real or simulated.

Members are named in their places: data in order, then P, then Q. One that is not
there is called missing; then say --degraded.`,
		Example: `  limpet raid create --size 1G d0 d1 d2 d3 p q    six files that hold 4 GB
  limpet raid serve --listen unix:/run/a.sock d0 d1 d2 d3 p q
  limpet raid replay --virtual --delay rare       what each policy would save on T16's disks
  limpet raid replay --dir /mnt/scratch           the same on the drives of this machine`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no command %q of raid: use create, status, write, read, rebuild, scrub, serve or replay", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRaidCreate(), newRaidStatus(), newRaidWrite(), newRaidRead(), newRaidRebuild(), newRaidScrub(), newRaidServe(), newRaidReplay())
	return cmd
}

// byteSize is a flag that is a number of bytes.
type byteSize int64

const byteUnits = "KMGT" // powers of 1024

func (s *byteSize) Type() string { return "BYTES" }

// String is the number in the largest unit that it is a whole number of.
func (s *byteSize) String() string {
	n, unit := int64(*s), ""
	for i := 0; i < len(byteUnits) && n != 0 && n%1024 == 0; i++ {
		n, unit = n/1024, byteUnits[i:i+1]
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads 20G and the like.
func (s *byteSize) Set(text string) error {
	digits, scale := text, int64(1)
	if n := len(text); n > 0 {
		if unit := strings.IndexByte(byteUnits, text[n-1]); unit >= 0 {
			digits, scale = text[:n-1], 1<<(10*(unit+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/scale {
		return errors.New("no number of bytes: write one such as 64M, 20G or 1T")
	}
	*s = byteSize(n * scale)
	return nil
}

// inUnits prints a number of bytes for people.
func inUnits(n int64) string {
	v, unit := float64(n), "B"
	for i := 0; i < len(byteUnits) && v >= 1024; i++ {
		v, unit = v/1024, byteUnits[i:i+1]+"iB"
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " " + unit
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/upkeep"
)

type raidScrubFlags struct {
	raidFlags
	at      atFlag
	options raid.ScrubOptions
}

func newRaidScrub() *cobra.Command {
	var f raidScrubFlags
	cmd := &cobra.Command{
		Use:   "scrub MEMBER...",
		Short: "check all members of an array against each other",
		Long: `Read all members. Compare the chunks with their checksums, and the data with parity.
In an array without checksums, the two parities show which chunk is wrong, but only
if one chunk is wrong and no member is missing. Without --repair, nothing is
written. If faults remain, the command ends with an error.`,
		Example: `  limpet raid scrub /dev/sd[b-k]
  limpet raid scrub --repair d0 d1 d2 d3 p q
  limpet raid scrub --repair --at /run/a.control    scrub and repair while the array is served`,
		Args: f.at.membersOr(raidMembers),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if f.at.path != "" {
				s, err := upkeep.NewClient(f.at.path).Scrub(cmd.Context(), f.options.Repair)
				return f.at.follow(cmd.Context(), cmd, s, err)
			}
			f.readOnly = !f.options.Repair
			return f.use(cmd, paths, func(a *raid.Array) error { return f.scrub(cmd, a) })
		},
	}
	f.bind(cmd)
	f.at.bind(cmd)
	cmd.Flags().BoolVar(&f.options.Repair, "repair", false, "repair each chunk that can be computed from the other members")
	cmd.Flags().Var(bounded.Int64(&f.options.From, 0, longestArray/raid.ChunkSize, "stripes"), "from", "number of the first `stripe` to check")
	return cmd
}

func (f *raidScrubFlags) scrub(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	f.options.Progress = show
	s, err := a.Scrub(cmd.Context(), f.options)
	end()
	out := cmd.OutOrStdout()
	for _, fault := range s.Faults {
		fmt.Fprintln(out, fault)
	}
	if more := s.Faulty - int64(len(s.Faults)); more > 0 {
		fmt.Fprintf(out, "… and %s\n", english.Count(int(more), "more fault"))
	}
	fmt.Fprintf(out, "%d stripes checked, %s found, %d repaired\n", s.Checked, english.Count(int(s.Faulty), "fault"), s.Repaired)
	switch left := s.Faulty - s.Repaired; {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: to continue, add --from %d", s.Next)
	case err != nil:
		return err
	case left > 0 && !f.options.Repair:
		return fmt.Errorf("%s found: add --repair to repair what can be repaired", english.Count(int(left), "fault"))
	case left > 0:
		return fmt.Errorf("%s cannot be repaired", english.Count(int(left), "fault"))
	}
	return nil
}

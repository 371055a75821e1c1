package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid"
)

type raidRebuildFlags struct {
	raidFlags
	places []string
}

func newRaidRebuild() *cobra.Command {
	f := raidRebuildFlags{raidFlags: raidFlags{degraded: true}}
	cmd := &cobra.Command{
		Use:   "rebuild MEMBER...",
		Short: "put new members in the place of lost or limping ones and fill them",
		Long: `Put one or two new members in the place of others, lost or limping, and compute
what they hold from the rest. Interrupted, it goes on where it stopped when it is
called again without --new.`,
		Example: `  limpet raid rebuild --new 2 d0 d1 new d3 p q     new takes the place of data member 2
  limpet raid rebuild --new P d0 d1 d2 d3 new q
  limpet raid rebuild d0 d1 new d3 p q             goes on`,
		Args: raidMembers,
		RunE: f.run,
	}
	cmd.Flags().StringSliceVar(&f.places, "new", nil, "`places` of new members: numbers, P, Q; a file that is not there is made")
	return cmd
}

func (f *raidRebuildFlags) run(cmd *cobra.Command, paths []string) error {
	places, err := f.parse(len(paths))
	if err != nil {
		return usageError{err}
	}
	known := append([]string{}, paths...)
	for _, place := range places {
		known[place] = missing
	}
	a, err := f.open(known, nil)
	if err != nil {
		return err
	}
	for _, place := range places {
		err = errors.Join(err, replace(a, place, paths[place]))
	}
	if err == nil {
		err = f.rebuild(cmd, a)
	}
	return errors.Join(err, a.Close())
}

// parse finds the places among so many members.
func (f *raidRebuildFlags) parse(members int) ([]int, error) {
	named := map[string]int{"P": members - 2, "Q": members - 1}
	var places []int
	for _, text := range f.places {
		place, ok := named[text]
		if !ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n >= members {
				return nil, fmt.Errorf("place %q: give a number from 0 to %d, P or Q", text, members-1)
			}
			place = n
		}
		places = append(places, place)
	}
	return places, nil
}

// replace gives the array a new member; a file that is not there is made.
func replace(a *raid.Array, place int, path string) error {
	m, err := raid.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		m, err = raid.CreateFile(path, a.Geometry().MemberSize())
	}
	if err != nil {
		return &raid.MemberError{Place: place, Name: path, Err: err, Hint: memberHint(err)}
	}
	if err := a.Replace(place, m); err != nil {
		m.Close()
		return err
	}
	return nil
}

func (f *raidRebuildFlags) rebuild(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	err := a.Rebuild(cmd.Context(), show)
	end()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: call it again without --new to go on")
	}
	if err != nil {
		return err
	}
	return printStatus(cmd, a.Status())
}

type raidScrubFlags struct {
	raidFlags
	options raid.ScrubOptions
}

func newRaidScrub() *cobra.Command {
	var f raidScrubFlags
	cmd := &cobra.Command{
		Use:   "scrub MEMBER...",
		Short: "hold all members of an array against each other",
		Long: `Read all members and hold data against parity. With all members there, two
parities say which chunk is wrong, if one is. It ends with an error where something
wrong is left.`,
		Example: `  limpet raid scrub /dev/sd[b-k]
  limpet raid scrub --repair d0 d1 d2 d3 p q`,
		Args: raidMembers,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.use(cmd, paths, func(a *raid.Array) error { return f.scrub(cmd, a) })
		},
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.options.Repair, "repair", false, "write what can be known to be right")
	cmd.Flags().Int64Var(&f.options.From, "from", 0, "`stripe` to begin at")
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
		fmt.Fprintf(out, "… and %d more\n", more)
	}
	fmt.Fprintf(out, "%d stripes checked, %d faults, %d repaired\n", s.Checked, s.Faulty, s.Repaired)
	switch left := s.Faulty - s.Repaired; {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: go on with --from %d", s.Next)
	case err != nil:
		return err
	case left > 0 && !f.options.Repair:
		return fmt.Errorf("faults found: %d; say --repair to mend those that can be", left)
	case left > 0:
		return fmt.Errorf("faults that cannot be mended: %d", left)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/upkeep"
)

type raidRebuildFlags struct {
	raidFlags
	at     atFlag
	places []string
	create bool
	force  bool
	skip   bool
}

func newRaidRebuild() *cobra.Command {
	f := raidRebuildFlags{raidFlags: raidFlags{degraded: true}}
	cmd := &cobra.Command{
		Use:   "rebuild MEMBER...",
		Short: "replace lost or limping members, and fill the new members with data",
		Long: `Replace one or two lost or limping members with new members, and compute the data of
the new members from the other members. A new member must be large enough for the
array. It must be empty, or an outdated member that was in the same position
earlier. limpet checks this before it removes the old member. After an interruption,
run the same command without --new: the rebuild continues where it stopped.`,
		Example: `  limpet raid rebuild --new 2 d0 d1 /dev/sdk d3 p q     a drive replaces data member 2
  limpet raid rebuild --new P --create d0 d1 d2 d3 new q
  limpet raid rebuild d0 d1 d2 d3 new q                 continue after an interruption
  limpet raid rebuild --at /run/a.control --new 2 /dev/sdk    replace member 2 while the array is served`,
		Args: f.at.membersOr(raidMembers),
		RunE: f.run,
	}
	fs := cmd.Flags()
	f.at.bind(cmd)
	fs.StringSliceVar(&f.places, "new", nil, "`positions` of the new members in the array: a number, P or Q; write commas between several positions")
	fs.BoolVar(&f.create, "create", false, "create files for new members that do not exist")
	fs.BoolVar(&f.force, "force", false, "use new members that already hold data, even healthy members of this array. The data on these members will be destroyed")
	fs.BoolVar(&f.skip, "skip-unreadable", false, "if too little of a stripe can be read to compute its data, write zeros instead, print which data are lost, and continue")
	return cmd
}

func (f *raidRebuildFlags) run(cmd *cobra.Command, paths []string) error {
	if f.at.path != "" {
		return f.runAt(cmd, paths)
	}
	places, err := f.parse(len(paths))
	if err != nil {
		return usageError{err}
	}
	if err := givenTwice(paths); err != nil {
		return err
	}
	known := slices.Clone(paths)
	for _, place := range places {
		known[place] = missing
	}
	members, err := openMembers(known, f.degraded)
	if err != nil {
		return err
	}
	fresh, err := f.newcomers(members, paths, places)
	if err != nil {
		closeMembers(members)
		return err
	}
	a, err := f.assemble(cmd, members)
	if err != nil {
		drop(fresh)
		return err
	}
	return errors.Join(f.replace(cmd, a, fresh), a.Close())
}

// runAt sends a new member for a lost one to the process that serves the array, and waits for the
// rebuild.
func (f *raidRebuildFlags) runAt(cmd *cobra.Command, paths []string) error {
	c := upkeep.NewClient(f.at.path)
	s, err := c.Status(cmd.Context())
	if err != nil {
		return err
	}
	places, err := f.parse(len(s.Members))
	if err != nil || len(places) != 1 || len(paths) != 1 {
		return usageError{errors.Join(err, errors.New("with --at, name exactly one position with --new, and exactly one new member"))}
	}
	path, err := filepath.Abs(paths[0])
	if err != nil {
		return err
	}
	if _, err := c.Rebuild(cmd.Context(), places[0], path, f.force); err != nil {
		return err
	}
	// The server begins the rebuild a moment after it has accepted the member. Until then, it
	// reports an earlier job, which may be another rebuild.
	began := func(job upkeep.Job) bool { return job.Kind == upkeep.Rebuild && !job.Began.Equal(s.Job.Began) }
	now, err := c.Status(cmd.Context())
	for err == nil && now.Members[places[0]].State == string(raid.Rebuilding) && !began(now.Job) {
		time.Sleep(followEvery)
		now, err = c.Status(cmd.Context())
	}
	return f.at.follow(cmd.Context(), cmd, now, err)
}

// parse returns the positions that --new names in an array of members. It returns an error if a
// position does not exist or is named twice.
func (f *raidRebuildFlags) parse(members int) ([]int, error) {
	named := map[string]int{"P": members - 2, "Q": members - 1}
	var places []int
	for _, text := range f.places {
		place, ok := named[text]
		if !ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n >= members {
				return nil, fmt.Errorf("--new %q is not a position of the array: use a number from 0 to %d, P or Q", text, members-1)
			}
			place = n
		}
		if slices.Contains(places, place) {
			return nil, fmt.Errorf("--new names the position %q twice: name each position once", text)
		}
		places = append(places, place)
	}
	return places, nil
}

// A newcomer is a new member for a position of the array.
type newcomer struct {
	raid.Member
	place int
	path  string
	made  bool
}

// drop closes newcomers that the array did not accept, and removes the files that were created for
// them.
func drop(fresh []newcomer) {
	for _, n := range fresh {
		n.Close()
		if n.made {
			os.Remove(n.path)
		}
	}
}

// newcomers opens or creates the new members for the positions, and checks that they fit the array.
// It writes nothing to any member.
func (f *raidRebuildFlags) newcomers(known []raid.Member, paths []string, places []int) ([]newcomer, error) {
	s, err := raid.Examine(known)
	if err != nil {
		return nil, err
	}
	var size int64
	if f.create {
		size = s.Geometry.MemberSize()
	}
	var fresh []newcomer
	var wrong []error
	if err := f.room(paths, places, size); err != nil {
		return nil, err
	}
	for _, place := range places {
		m, made, err := openOrMake(paths[place], size)
		if err != nil {
			wrong = append(wrong, memberError(place, paths[place], err, "name a file that exists, or add --create"))
			continue
		}
		fresh = append(fresh, newcomer{m, place, paths[place], made})
		wrong = append(wrong, s.Fits(place, m, f.force))
	}
	if err := errors.Join(wrong...); err != nil {
		drop(fresh)
		return nil, err
	}
	return fresh, nil
}

// room returns an error if the disks have no room for the files that will be created.
func (f *raidRebuildFlags) room(paths []string, places []int, size int64) error {
	if !f.create {
		return nil
	}
	var made []string
	for _, place := range places {
		made = append(made, paths[place])
	}
	return member.CheckSpace(absent(made), size)
}

// replace puts the new members into the array and rebuilds their data.
func (f *raidRebuildFlags) replace(cmd *cobra.Command, a *raid.Array, fresh []newcomer) error {
	for i, n := range fresh {
		if err := a.Replace(n.place, n.Member, f.force); err != nil {
			drop(fresh[i:])
			return err
		}
	}
	return f.rebuild(cmd, a)
}

func (f *raidRebuildFlags) rebuild(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	o, holes := raid.RebuildOptions{Progress: show}, 0
	if f.skip {
		o.Skip = func(h raid.Hole) {
			holes++
			fmt.Fprintln(cmd.OutOrStdout(), h)
		}
	}
	err := a.Rebuild(cmd.Context(), o)
	end()
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: to continue, run the same command without --new")
	case errors.Is(err, raid.ErrUnreadable):
		return fmt.Errorf("%w: when the member can be read again, run the same command without --new. To continue without the unreadable data, add --skip-unreadable: these data are then lost", err)
	case err != nil:
		return err
	}
	if err := printStatus(cmd, a.Status()); err != nil || holes == 0 {
		return err
	}
	return fmt.Errorf("%d stripes have lost data. The lines above show the positions of these data: write these data again", holes)
}

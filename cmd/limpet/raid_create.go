package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/upkeep"
)

type raidCreateFlags struct {
	size    int64
	thin    bool
	options raid.CreateOptions
}

func newRaidCreate() *cobra.Command {
	f := raidCreateFlags{options: raid.DefaultCreateOptions()}
	cmd := &cobra.Command{
		Use:   "create MEMBER...",
		Short: "make an array of files or block devices",
		Long: `Make an array of at least four members: the data members in order, then P, then Q.
The shortest member decides how large the array is. A new array holds only zeros. If
a member already holds an array or other data, the command is refused, and nothing
is written to any member.`,
		Example: `  limpet raid create /dev/sd[b-k]
  limpet raid create --size 1G d0 d1 d2 d3 p q    creates the files that do not exist`,
		Args: raidMembers,
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.Var(bounded.Bytes(&f.size, shortestMember, longestMember), "size", "size in bytes of the files that are created for members that do not exist (default: create no files)")
	fs.BoolVar(&f.thin, "thin", false, "allow files that are larger than the free space of their file system. If the file system becomes full, members are lost")
	fs.Var(bounded.Int(&f.options.Journal, 1, raid.MaxJournal, "stripes"), "journal", "largest number of `stripes` in one batch of writes")
	fs.BoolVar(&f.options.Force, "force", false, "use members that already hold data. The data on these members will be destroyed")
	return cmd
}

func (f *raidCreateFlags) run(cmd *cobra.Command, paths []string) error {
	members, made, err := f.members(paths)
	if err != nil {
		return err
	}
	done := note(cmd, "writing zeros to the whole array …")
	g, err := raid.Create(members, f.options)
	done()
	if err != nil {
		closeMembers(members)
		remove(made)
		return err
	}
	defer closeMembers(members)
	s, err := raid.Examine(members)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d data members, P and Q: %s in %d stripes\n", g.Data, inUnits(g.Size()), g.Stripes)
	return printStatus(cmd, s)
}

// members opens the members that exist. It creates the others if a size is given, and returns their
// paths in made.
func (f *raidCreateFlags) members(paths []string) (members []raid.Member, made []string, err error) {
	if err := givenTwice(paths); err != nil {
		return nil, nil, err
	}
	if err := f.room(paths); err != nil {
		return nil, nil, err
	}
	for i, path := range paths {
		m, isNew, err := openOrMake(path, f.size)
		if err != nil {
			closeMembers(members)
			remove(made)
			return nil, nil, memberError(i, path, err, "name a file that exists, or add --size")
		}
		if isNew {
			made = append(made, path)
		}
		members = append(members, m)
	}
	return members, made, nil
}

// room returns an error if the disks have no room for the files that will be created.
func (f *raidCreateFlags) room(paths []string) error {
	if f.thin || f.size == 0 {
		return nil
	}
	if err := member.CheckSpace(absent(paths), f.size); err != nil {
		return fmt.Errorf("%w: choose a smaller --size, or add --thin", err)
	}
	return nil
}

func newRaidStatus() *cobra.Command {
	var at atFlag
	var format string
	cmd := &cobra.Command{
		Use:   "status MEMBER...",
		Short: "show the condition of an array, without any write",
		Long: `Print the metadata that each member stores, and which members are wrong, swapped,
stale, too short or damaged, and which members are masked (limpet raid mask). Nothing
is written. If the array is being served, --at also shows its present job and whether
masked members have recovered, and limpet raid serve --metrics shows its figures.`,
		Example: `  limpet raid status /dev/sd[b-k]
  limpet raid status d0 d1 missing d3 p q
  limpet raid status --at /run/a.control
  limpet raid status --at /run/a.control -o json`,
		Args: at.membersOr(raidMembers),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if format != "text" && format != "json" {
				return usageError{fmt.Errorf("format %q is unknown: use text or json", format)}
			}
			if at.path != "" {
				s, err := upkeep.NewClient(at.path).Status(cmd.Context())
				if err == nil && format == "json" {
					return printJSON(cmd, s)
				}
				return printServed(cmd, s, err)
			}
			members, err := openMembersBy(member.OpenReadOnly, paths, true)
			if err != nil {
				return err
			}
			defer closeMembers(members)
			s, err := raid.Examine(members)
			if err != nil {
				return err
			}
			if format == "json" {
				return printJSON(cmd, upkeep.StatusOf(s))
			}
			printWarnings(cmd.ErrOrStderr(), s.Warnings)
			g := s.Geometry
			fmt.Fprintf(cmd.OutOrStdout(), "%d data members, P and Q: %s in %d stripes. The array is %s\n", g.Data, inUnits(g.Size()), g.Stripes, cleanly(s.Clean))
			return printStatus(cmd, s)
		},
	}
	at.bind(cmd)
	cmd.Flags().StringVarP(&format, "format", "o", "text", "`FORMAT`: text, json")
	return cmd
}

// printJSON prints the state of an array as JSON.
func printJSON(cmd *cobra.Command, s upkeep.Status) error {
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetIndent("", "  ")
	return e.Encode(s)
}

func cleanly(clean bool) string {
	if clean {
		return "closed, and all its writes are complete"
	}
	return "not closed. When the array is opened the next time, limpet completes or drops its unfinished writes"
}

// printStatus prints a line for each member, and the array's name.
func printStatus(cmd *cobra.Command, s raid.Status) error {
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, m := range s.Members {
		fmt.Fprintf(t, "  %s\t%s\t%s", m.Role, m.State, m.Name)
		if m.State == raid.Rebuilding {
			fmt.Fprintf(t, " (%d of %d stripes)", s.Rebuilt, s.Geometry.Stripes)
		}
		if m.Mask != nil {
			fmt.Fprintf(t, " (%s)", maskText(upkeep.MaskOf(raid.MaskStatus{Mask: *m.Mask})))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "ID of the array: %v, number of the last event: %d\n", s.Array, s.Event)
	return err
}

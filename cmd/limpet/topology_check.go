package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

func newTopologyCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE [DIR...]",
		Short: "print the mistakes in a topology file, and the differences between the file and the data",
		Long: `Print the mistakes in a topology file with their lines. If you name directories with
activity files or with the output of tools, the topology file is also compared with
these data. The command then prints the devices that the topology file names but no
server has, the devices that servers have but the topology file does not name, and the
devices (by WWN) that are one LUN on some servers and another LUN on others. If there
are differences, or if no drive or LUN in the file has a device, the command ends
with an error.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("the name of the topology file is missing: write limpet topology check FILE, or limpet topology check FILE DIR to compare the file with data")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return checkTopology(cmd, args[0], args[1:]) },
	}
}

func checkTopology(cmd *cobra.Command, file string, roots []string) error {
	s, err := readTopology(cmd, file)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		if err := withoutDevices(s, file); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "topology file %s has no mistakes: it has %s%s\n", file, sizeOf(s), notCompared(s))
		return err
	}
	done := note(cmd, "reading the directories …")
	inv, sources, err := site.ReadFiles(cmd.Context(), roots, site.Options{})
	done()
	switch {
	case err != nil:
		return interrupted(err)
	case inv.Empty():
		return fmt.Errorf("none of the %d files lists devices: name a directory of activity files, or of the output of tools", len(sources))
	}
	for _, w := range s.Bare() {
		fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %s\n", w)
	}
	seen := site.Join(inv).Seen(s)
	differences := append(s.Unmatched(seen), s.NamedApart(seen)...)
	for _, w := range differences {
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", w)
	}
	if len(differences) > 0 {
		return fmt.Errorf("topology file %s differs from the data in %s", file, english.Count(len(differences), "place"))
	}
	if err := withoutDevices(s, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "topology file %s has no mistakes. It has the same components and peer groups as the data: %s%s\n", file, sizeOf(s), notCompared(s))
	return err
}

// notCompared states that the peer groups of a topology are too small for a comparison; "" if at
// least one is large enough.
func notCompared(s *topology.System) string {
	if s.Comparable() > 0 {
		return ""
	}
	return fmt.Sprintf(". But limpet cannot compare components with each other, because no peer group has %d members: put more components into one peer group", topology.MinPeers)
}

// withoutDevices returns an error if limpet cannot assign data to any component.
func withoutDevices(s *topology.System, file string) error {
	switch {
	case s.OnlyHosts():
		return fmt.Errorf("topology file %s cannot be used yet: it has servers, but no drives, LUNs or network interfaces to compare; docs/topology.md has the commands that list them on every server", file)
	case !s.AllBare():
		return nil
	}
	return fmt.Errorf("topology file %s cannot be used yet: no drive or LUN has a device, so limpet cannot assign data to any of them; add the setting \"devices\" to the entries", file)
}

// sizeOf returns the numbers of components and peer groups as text.
func sizeOf(s *topology.System) string {
	return fmt.Sprintf("%s in %s", english.Count(len(s.Components), "component"), english.Count(len(s.Groups), "peer group"))
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/topology"
)

func newTopology() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topology",
		Short: "draft (import, discover), check or show a topology file",
		Long: `A topology file lists the servers, arrays, controllers and LUNs of a storage system,
and which server is the primary of which LUN. This file tells limpet which
components are peers. limpet topology import and limpet topology discover draft it;
docs/topology.md (in packages: /usr/share/doc/limpet/docs/topology.md) describes
how.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{unknownCommand(cmd, args[0])}
			}
			return usageError{fmt.Errorf("name a subcommand: limpet topology import DIR, discover DIR, check FILE, or show FILE")}
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(newTopologyImport(), newTopologyDiscover(), newTopologyCheck(), &cobra.Command{
		Use:   "show FILE",
		Short: "show the servers, controllers, LUNs and other components of a topology file, and the peer groups",
		Args:  one("give the name of one topology file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := readTopology(cmd, args[0])
			if err != nil {
				return err
			}
			return topology.Show(cmd.OutOrStdout(), s)
		},
	})
	return cmd
}

// readTopology reads a file and prints its warnings.
func readTopology(cmd *cobra.Command, name string) (*topology.System, error) {
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a topology file")
	if err != nil {
		return nil, err
	}
	s, warnings, err := topology.Parse(name, data)
	for _, w := range warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %s\n", printable.Text(fmt.Sprint(w)))
	}
	return s, explainWrongFile(name, err, tables.OwnTopology)
}

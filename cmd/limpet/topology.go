package main

import (
	"errors"
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
		Short: "draft, check or show a topology file",
		Long: `A topology file lists the servers, arrays, controllers and LUNs of a storage system,
and which server is the primary of which LUN. From this file, limpet knows which
components are peers. docs/topology.md describes how to draft a topology file from
the output of your tools.`,
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
		Args:  oneFile,
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

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{errors.New("give the name of one topology file")}
	}
	return nil
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
	return s, misplaced(name, err, tables.OwnTopology)
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	build "github.com/limpet-storage/limpet/internal/version"
)

// version returns the version of this build.
func version() string { return build.Get().Version }

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit and the compiler of this limpet",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := build.Get()
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "limpet %s\ncommit %s\nbuilt with %s for %s\n", b.Version, b.Commit, b.Go, b.Platform)
			return err
		},
	}
}

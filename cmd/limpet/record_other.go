//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newRecord() *cobra.Command {
	return &cobra.Command{
		Use:   "record",
		Short: "record what this machine's disks, interfaces and connections do (on Linux)",
		RunE: func(*cobra.Command, []string) error {
			return errors.New("only Linux machines can be recorded: run it on one, and diagnose its files here")
		},
	}
}

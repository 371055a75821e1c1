//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newRecord() *cobra.Command {
	return &cobra.Command{
		Use:   "record",
		Short: "record the activity of this machine's disks, network interfaces and connections (only on Linux)",
		RunE: func(*cobra.Command, []string) error {
			return errors.New("limpet record works only on Linux: record on a Linux machine, and diagnose the recorded files here")
		},
	}
}

//go:build linux

package main

import (
	"errors"
	"flag"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/record/agent"
)

func newRecord() *cobra.Command {
	o := agent.DefaultOptions()
	cmd := &cobra.Command{
		Use:   "record",
		Short: "record what this machine's disks, interfaces and connections do",
		Long: `Sample this machine every second and write activity files, which sar and sadf
read as ever: disks, interfaces, processors and TCP, what each device is, and,
for limpet alone, the connections by remote host with their congestion windows.

A file is begun at 00:00:05 UTC, named HOST-20110509T000005Z.sa, and compressed
when it is closed. A crash costs the sample being written, a loss of power what
--sync allows; the next start goes on in the same file. A full disk stops the
writing until there is room. No privilege is needed but to write to --dir.

SIGTERM and ctrl-C end it, with all that was recorded on the disk; SIGHUP is
ignored, since files are turned without it. limpet-record is the same alone,
without the analysis.`,
		Example: `  limpet record --once                           see what would be recorded
  limpet record --dir /var/log/limpet
  limpet record --devices 'sd*,nvme*' --interfaces 'ib*' --keep-bytes 20G
  limpet record --listen localhost:9819          also for Prometheus`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{errors.New("record takes no arguments, only flags")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Validate(); err != nil {
				return usageError{err}
			}
			signal.Ignore(syscall.SIGHUP)
			return agent.Run(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fs := flag.NewFlagSet("record", flag.ContinueOnError)
	o.Flags(fs)
	cmd.Flags().AddGoFlagSet(fs)
	return cmd
}

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
		Short: "record the activity of this machine's disks, network interfaces and connections",
		Long: `Measure this machine every second and write activity files, which sar and sadf can
read as usual. The files hold data about disks, network interfaces, processors and TCP,
and a description of each device. They also hold data about the TCP connections to each
remote host, with congestion windows; only limpet can read these data.

A new file starts every day at 00:00:05 UTC. Its name is HOST-20110509T000005Z.sa,
and it is compressed when it is complete. A crash loses only the sample that was
being written. A power failure loses at most the samples since the last sync to disk
(--sync). After a restart, the recorder continues the same file. If the disk is
full, writing stops until there is space again. The recorder needs no privilege
except write permission for --dir.

SIGTERM and Ctrl-C end the recorder after all samples are on the disk. SIGHUP has no
effect, because the recorder starts new files without a signal. limpet-record is the
same recorder as a separate program, without the analysis.`,
		Example: `  limpet record --once                           print what would be recorded
  limpet record --dir /var/log/limpet
  limpet record --devices 'sd*,nvme*' --interfaces 'ib*' --keep-bytes 20G
  limpet record --listen localhost:9819          record, and show samples to Prometheus`,
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

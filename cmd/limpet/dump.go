package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/sysstat/sadf"
)

// dumpReports are the flags that choose what dump prints.
var dumpReports = []struct {
	flag, usage string
	report      sadf.Report
}{
	{"disk", "block devices, as sadf -d -- -d (the default)", sadf.Disks},
	{"dev", "network interfaces, as sadf -d -- -n DEV", sadf.Interfaces},
	{"edev", "errors of network interfaces, as sadf -d -- -n EDEV", sadf.InterfaceErrors},
	{"tcp", "TCP, as sadf -d -- -n TCP", sadf.TCP},
	{"etcp", "errors of TCP, as sadf -d -- -n ETCP", sadf.TCPErrors},
	{"cpu", "processors, as sadf -d -- -u ALL -P ALL", sadf.CPUs},
}

func newDump() *cobra.Command {
	chosen := make([]bool, len(dumpReports))
	var follow bool
	var as string
	cmd := &cobra.Command{
		Use:   "dump FILE...",
		Short: "print activity files as sadf -d does",
		Long: `Print activity files as "sadf -d" of the sysstat that wrote them does, to the
byte, whatever machine and version they come from. Several files must be of one
host and are joined in time order. Plain, .xz, .zst and .gz files are read.`,
		Args: paths("an activity file, such as /var/log/sysstat/sa14"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts := sadf.DefaultOptions()
			for i, on := range chosen {
				if on {
					opts.Report = dumpReports[i].report
				}
			}
			var err error
			if opts.As, err = sysstat.ParseVersion(as); err != nil {
				return usageError{err}
			}
			if follow {
				return dumpFollowing(cmd, args, opts)
			}
			return dumpFiles(cmd, args, opts)
		},
	}
	var names []string
	for i, r := range dumpReports {
		cmd.Flags().BoolVar(&chosen[i], r.flag, false, r.usage)
		names = append(names, r.flag)
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	cmd.Flags().StringVar(&as, "as", "", "print as this `VERSION` of sysstat does, such as 12.6.1 (default: the one that wrote the file)")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "wait for more where the file is being written, until interrupted")
	return cmd
}

func dumpFiles(cmd *cobra.Command, files []string, opts sadf.Options) error {
	src, err := sysstat.OpenAll(files)
	if err != nil {
		return err
	}
	defer src.Close()
	out := bufio.NewWriter(cmd.OutOrStdout())
	err = errors.Join(sadf.Dump(out, src, opts), out.Flush())
	for _, w := range src.Warnings() {
		fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %s\n", w)
	}
	return err
}

// followPoll is how often a file is looked at for more.
const followPoll = 200 * time.Millisecond

func dumpFollowing(cmd *cobra.Command, files []string, opts sadf.Options) error {
	if len(files) != 1 {
		return usageError{errors.New("one file can be followed at a time")}
	}
	src, err := sysstat.Follow(cmd.Context(), files[0], followPoll)
	if err != nil {
		return err
	}
	defer src.Close()
	opts.Prompt = true
	if err := sadf.Dump(cmd.OutOrStdout(), src, opts); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/record/sadf"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// dumpReports are the flags that choose what dump prints.
var dumpReports = []struct {
	flag, usage string
	report      sadf.Report
}{
	{"disk", "print the activity of block devices, like sadf -d -- -d (the default)", sadf.Disks},
	{"dev", "print the activity of network interfaces, like sadf -d -- -n DEV", sadf.Interfaces},
	{"edev", "print errors of network interfaces, like sadf -d -- -n EDEV", sadf.InterfaceErrors},
	{"tcp", "print the counters of TCP, like sadf -d -- -n TCP", sadf.TCP},
	{"etcp", "print the error counters of TCP, like sadf -d -- -n ETCP", sadf.TCPErrors},
	{"cpu", "print the use of processors, like sadf -d -- -u ALL -P ALL", sadf.CPUs},
}

type dumpFlags struct {
	chosen                 []bool // which of dumpReports are chosen
	connections, inventory bool
	latency, waits         bool
	comments, follow       bool
	as                     string
}

func newDump() *cobra.Command {
	f := dumpFlags{chosen: make([]bool, len(dumpReports))}
	cmd := &cobra.Command{
		Use:   "dump FILE...",
		Short: "print activity files in the format of sadf -d",
		Long: `Print activity files exactly as sadf -d prints them (the sadf of the sysstat version
that wrote the files). The files may come from a machine of any type. Several files
must be from one host; limpet joins the files in chronological order. Files may be
plain, .xz, .zst or .gz.

limpet record writes more than sysstat can show. --connections prints the TCP
connections by remote host: the number of established sockets, the means of their
congestion windows and round-trip times, and counters of segments and bytes. The
counters do not fall when a socket closes; they start at zero again when the
recorder is restarted. The last two columns are the sum of the congestion windows
over all delivered segments, and the name of the congestion control algorithm; they
are empty if the recorder did not write these values.

--latency prints how long the requests of each device and operation took since the
previous sample: the time in the device (from issue to completion) and the time in
the queue (from insertion to issue). For each of these two times, it prints the
median, the 99th and 99.9th percentiles, and the mean. --waits prints how many
tasks, sockets and requests wait, how long tasks waited for CPUs, disks and memory,
and the free space of file systems. --inventory prints the devices and addresses
that the files name, with their values at the end of the files. --comments also
prints the comments in the files: late samples, changes of the clock, and gaps.`,
		Example: `  limpet dump /var/log/sysstat/sa14.xz
  limpet dump --connections /var/log/limpet/fs1-20110509T000005Z.sa
  limpet dump --latency /var/log/limpet/fs1-20110509T000005Z.sa
  limpet dump --follow --dev /var/log/limpet/fs1-20110509T000005Z.sa`,
		Args: paths("an activity file, such as /var/log/sysstat/sa14"),
		RunE: f.run,
	}
	for i, r := range dumpReports {
		cmd.Flags().BoolVar(&f.chosen[i], r.flag, false, r.usage)
	}
	cmd.Flags().BoolVar(&f.connections, "connections", false, "print TCP connections by remote host (only files of limpet record have connections)")
	cmd.Flags().BoolVar(&f.latency, "latency", false, "print how long requests took, by device and operation (only files of limpet record have these values)")
	cmd.Flags().BoolVar(&f.waits, "waits", false, "print how many tasks, sockets and requests wait, how long tasks waited for CPUs, disks and memory, and the free space of file systems (only files of limpet record have these values)")
	cmd.Flags().BoolVar(&f.inventory, "inventory", false, "print the names, models and sizes of the devices, and the addresses of the host")
	cmd.Flags().BoolVar(&f.comments, "comments", false, "also print comments, like sadf -C")
	cmd.Flags().StringVar(&f.as, "as", "", "print in the format of this `VERSION` of sysstat, such as 12.6.1 (default: the version that wrote the file)")
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "wait for more data while the file is being written, until interrupted")
	return cmd
}

// excluded returns an error if flags cannot be used together: two kinds of lines, or a kind of
// lines and a flag that this kind does not have.
func excluded(cmd *cobra.Command) error {
	kinds := []string{"connections", "latency", "waits", "inventory"}
	for _, r := range dumpReports {
		kinds = append(kinds, r.flag)
	}
	pairs := [][2]string{
		{"connections", "comments"},
		{"connections", "as"},
		{"latency", "comments"},
		{"latency", "as"},
		{"waits", "comments"},
		{"waits", "as"},
		{"inventory", "comments"},
		{"inventory", "as"},
		{"inventory", "follow"},
	}
	for i, a := range kinds {
		for _, b := range kinds[i+1:] {
			pairs = append(pairs, [2]string{a, b})
		}
	}
	for _, p := range pairs {
		if cmd.Flags().Changed(p[0]) && cmd.Flags().Changed(p[1]) {
			return usageError{fmt.Errorf("--%s and --%s cannot be used together: run limpet dump once for each", p[0], p[1])}
		}
	}
	return nil
}

// A printer prints the records of an activity file.
type printer func(io.Writer, sadf.Source) error

func (f *dumpFlags) run(cmd *cobra.Command, files []string) error {
	if err := excluded(cmd); err != nil {
		return err
	}
	write, err := f.printer()
	if err != nil {
		return usageError{err}
	}
	if f.follow {
		return dumpFollowing(cmd, files, write)
	}
	return dumpFiles(cmd, files, write)
}

// printer returns the printer that the flags choose.
func (f *dumpFlags) printer() (printer, error) {
	switch {
	case f.connections:
		return sadf.Connections, nil
	case f.latency:
		return sadf.Latency, nil
	case f.waits:
		return sadf.Waits, nil
	case f.inventory:
		return sadf.Inventory, nil
	}
	opts := sadf.DefaultOptions()
	for i, on := range f.chosen {
		if on {
			opts.Report = dumpReports[i].report
		}
	}
	var err error
	opts.As, err = sysstat.ParseVersion(f.as)
	opts.Comments, opts.Prompt = f.comments, f.follow
	return func(w io.Writer, src sadf.Source) error { return sadf.Dump(w, src, opts) }, err
}

func dumpFiles(cmd *cobra.Command, files []string, write printer) error {
	src, err := sysstat.OpenAll(files)
	if err != nil {
		return err
	}
	defer src.Close()
	out := bufio.NewWriter(cmd.OutOrStdout())
	err = errors.Join(write(out, src), out.Flush())
	for _, w := range src.Warnings() {
		fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %s\n", printable.Text(fmt.Sprint(w)))
	}
	return err
}

// followPoll is the time between two checks for new data in a file.
const followPoll = 200 * time.Millisecond

func dumpFollowing(cmd *cobra.Command, files []string, write printer) error {
	if len(files) != 1 {
		return usageError{errors.New("--follow works with one file only: name one file")}
	}
	src, err := sysstat.Follow(cmd.Context(), files[0], followPoll)
	if err != nil {
		return err
	}
	defer src.Close()
	if err := write(cmd.OutOrStdout(), src); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

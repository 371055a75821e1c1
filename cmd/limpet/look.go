package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/ingest/prints"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/report/ranking"
)

type lookFlags struct {
	format          string
	all, ascii      bool
	exitCode, quiet bool
}

// lookFormats are the values of --format of look.
var lookFormats = []string{"text", "json"}

func newLook() *cobra.Command {
	var f lookFlags
	cmd := &cobra.Command{
		Use:   "look FILE... | -",
		Short: "list the components in the output of a tool, the component that differs most first",
		Long: `Read the output of tools, compare each component with its peers, and list the
components. The component that differs most comes first. For each component the list
shows how many times slower the component is than its peers, which other values in
the output could explain the difference, and what the output cannot show. One output
is not enough for a verdict; limpet diagnose and limpet serve give verdicts. You can
give several outputs, in one file or in several files in chronological order. If a
component differs in most of the outputs, it is more certain that the component is
slow.

limpet look reads the output of ceph osd perf and ceph osd df (text, JSON), iostat
-x (text, JSON), sar -d, zpool iostat -vl, nvme smart-log of several drives (text,
JSON), lctl get_param obdfilter.*.brw_stats, gluster volume profile (text, XML), the
metrics page of node_exporter (/metrics), /proc/diskstats, and any table with names,
whose header names a column as a latency (latency_ms) or a rate (iops). The format
is recognised from the content. Maps (ceph osd tree, lctl dl -t, mmlsdisk -M,
multipath -ll) show which server a component belongs to. If a file has several maps,
each after a line with the time, the report shows which components moved between two
maps. The file name - stands for standard input.`,
		Example: `  ceph osd perf | limpet look -
  limpet look perf.txt tree.txt              also show the server of each OSD, from ceph osd tree
  iostat -xy 10 1 | limpet look -
  limpet look -o json monday.txt tuesday.txt`,
		Args: paths("a file with the output of a tool, or - for standard input"),
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: text, json")
	fs.BoolVar(&f.all, "all", false, "list all components, including components that do not differ from their peers")
	fs.BoolVar(&f.ascii, "ascii", false, "draw bars with ASCII characters only")
	fs.BoolVar(&f.exitCode, "exit-code", false, "exit with code 4 if a component differs clearly from its peers, 5 if no component could be compared, or if half or more of a group is slow. Without this flag, the exit code is 0 in these two cases (see limpet help exit-codes)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing if no component differs clearly from its peers, no group has a slow half, and no component moved to another server")
	return cmd
}

func (f *lookFlags) run(cmd *cobra.Command, files []string) error {
	if !slices.Contains(lookFormats, f.format) {
		return usageError{fmt.Errorf("format %q is unknown: use text or json", f.format)}
	}
	if i := slices.Index(files, prints.Stdin); i >= 0 && slices.Contains(files[i+1:], prints.Stdin) {
		return usageError{errors.New("the file name - (standard input) is given twice, but standard input can be read only once: remove one -")}
	}
	read, err := prints.Read(cmd.Context(), files, cmd.InOrStdin())
	if err != nil {
		return interrupted(err)
	}
	r := ranking.Result{Ranking: look.Rank(read.Looks, look.DefaultOptions()), Moves: read.Moves, Warnings: read.Warnings, Maps: read.Maps}
	hosts, components := r.Ranking.Apart()
	odd, undecided := hosts+components > 0, r.Ranking.Undecided()
	if !f.quiet || odd || undecided || len(r.Moves) > 0 {
		if err := f.print(cmd, &r); err != nil {
			return err
		}
	}
	if f.format == "text" && !f.quiet {
		printWarnings(cmd.ErrOrStderr(), r.Warnings)
	}
	switch {
	case !f.exitCode:
		return nil
	case odd:
		return outcomeError{outcome: outcome.Suspects}
	case undecided, r.Ranking.Compared() == 0 && len(r.Moves) == 0:
		return outcomeError{outcome: outcome.Unjudged}
	}
	return nil
}

func (f *lookFlags) print(cmd *cobra.Command, r *ranking.Result) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.format == "json" {
		return errors.Join(ranking.JSON(out, r), out.Flush())
	}
	o := ranking.Options{All: f.all, Style: pictures(cmd.OutOrStdout())}
	o.Style.Unicode = o.Style.Unicode && !f.ascii
	return errors.Join(ranking.Text(printable.NewWriter(out), r, o), out.Flush())
}

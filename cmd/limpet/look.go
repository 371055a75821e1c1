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
	"github.com/limpet-storage/limpet/report/picture"
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
		Short: "rank the components in what tools print once: the odd ones first",
		Long: `Read what tools print once, compare each component with its peers, and list the
odd ones first: by how many times it is slower, what in the same print could
explain it, and what so few numbers cannot show. A look is no verdict; limpet
diagnose and limpet serve give one. Several prints, in one file or in several
in the order of time, are several looks: who stands apart again and again is
surer.

Read are ceph osd perf and osd df (text, JSON), iostat -x (text, JSON), sar -d,
zpool iostat -vl, nvme smart-log of several drives (text, JSON), lctl get_param
obdfilter.*.brw_stats, gluster volume profile (text, XML), the page of
node_exporter, /proc/diskstats, and tables with a name and a number on each line. A file is known by what it holds. Maps
(ceph osd tree, lctl dl -t, mmlsdisk -M, multipath -ll) tell which server a
component belongs to; maps that were printed again and again, each after a line
with the time, show what moved. A file - is standard input.`,
		Example: `  ceph osd perf | limpet look -
  limpet look perf.txt tree.txt              the same, with ceph osd tree
  iostat -xy 10 1 | limpet look -
  limpet look -o json monday.txt tuesday.txt`,
		Args: paths("a file with what a tool printed, or - for standard input"),
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: text, json")
	fs.BoolVar(&f.all, "all", false, "list every component, also those that are like their peers")
	fs.BoolVar(&f.ascii, "ascii", false, "draw bars with ASCII characters")
	fs.BoolVar(&f.exitCode, "exit-code", false, "exit with 4 where something stands apart, 5 where nothing could be compared; without it these exit with 0 (limpet help exit-codes)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing where nothing stands apart or moved")
	return cmd
}

func (f *lookFlags) run(cmd *cobra.Command, files []string) error {
	if !slices.Contains(lookFormats, f.format) {
		return usageError{fmt.Errorf("format %q: not known; write text or json", f.format)}
	}
	if i := slices.Index(files, prints.Stdin); i >= 0 && slices.Contains(files[i+1:], prints.Stdin) {
		return usageError{errors.New("- is named twice: standard input can be read once")}
	}
	read, err := prints.Read(cmd.Context(), files, cmd.InOrStdin())
	if err != nil {
		return interrupted(err)
	}
	r := ranking.Result{Ranking: look.Rank(read.Looks, look.DefaultOptions()), Moves: read.Moves, Warnings: read.Warnings, Maps: read.Maps}
	hosts, components := r.Ranking.Apart()
	odd := hosts+components > 0
	if !f.quiet || odd || len(r.Moves) > 0 {
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
	case r.Ranking.Compared() == 0 && len(r.Moves) == 0:
		return outcomeError{outcome: outcome.Unjudged}
	}
	return nil
}

func (f *lookFlags) print(cmd *cobra.Command, r *ranking.Result) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.format == "json" {
		return errors.Join(ranking.JSON(out, r), out.Flush())
	}
	o := ranking.Options{All: f.all, Style: picture.Style{Unicode: !f.ascii}}
	return errors.Join(ranking.Text(printable.NewWriter(out), r, o), out.Flush())
}

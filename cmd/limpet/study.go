package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
)

type studyFlags struct {
	describe, zone, format, page string
	study                        study.Options
	survey                       survey.Options
	source                       source.Options
	rows                         studyRowsFlags
	clickhouse                   studyClickHouseFlags
}

const (
	// leastSlowdown is above 1, because half of all drives have a slowdown above 1.
	leastSlowdown = 1.0001
	// mostSlowdown is the slowdown of a request that takes a day if other drives need 1 ms.
	mostSlowdown = 1e8
	// mostWorkers is more than the number of processors of any machine.
	mostWorkers = 1024
)

func newStudy() *cobra.Command {
	f := studyFlags{study: study.DefaultOptions(), survey: survey.DefaultOptions(), source: source.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "study PATH... | --store URL | --clickhouse DSN --table T",
		Short: "measure how often and how long the drives of a fleet are slow, and why",
		Long: `Study a fleet of drives: how often and how long drives are slow, how many drives are
slow at the same time, why, and what can be done. Each drive is compared with the
median of its RAID group, hour by hour. The report shows your figures with
confidence intervals, next to the figures of the paper The Tail at Store (2016).

Each PATH is a table of drive records, Parquet or CSV (plain, .gz, .zst, .xz), hourly or
more often, in any order. PATH may also be a directory of these tables; files with
the names inventory and events are then read as the inventory and the log of events.
Without --describe, the columns must have the names that limpet simulate fleet
writes. With --tables, each PATH is a table as for limpet diagnose. With --activity or
--topology, each PATH is an activity file of sysstat or limpet record.

With --clickhouse, the hourly records are in a table of ClickHouse, and ClickHouse
makes the first pass over them. If the table is a Distributed table that is sharded
by group, all of its servers share this work. The results are the same as for the
same records in files.

A group is counted in an hour if at least 3 of its data drives are active. The
report states how many records were not counted, and why.`,
		Example: `  limpet study fleet                                      read records, inventory and events from one directory
  limpet study --describe site.yaml --html study.html /data/2026/*.parquet
  limpet study --threshold 1.5 --threshold 2 --threshold 4 --format json fleet > may.json
  limpet study diff april.json may.json                   compare two months
  limpet study --tables examples/perseus.yaml cluster_A   compare the drives of each host with each other
  limpet study --topology site.yaml --kind disk /var/log/limpet   study the files of limpet record
  limpet study --store http://prometheus:9090 --since 30d --kind disk
  limpet study --clickhouse clickhouse://reader@db1:9000/fleet --table records --inventory drives.csv`,
		Args: f.places,
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVar(&f.describe, "describe", "", "YAML `FILE` that describes the columns, units and clocks of the records (default: the columns of limpet simulate fleet)")
	fs.StringArrayVar(&f.source.Inventory, "inventory", nil, "`FILE` with the inventory of the drives: kind, model, role, …; the flag may be repeated")
	fs.StringArrayVar(&f.source.Events, "events", nil, "`FILE` with the events of drives: unplugged, not responding, …; the flag may be repeated")
	fs.Var(bounded.Floats(&f.study.Thresholds, leastSlowdown, mostSlowdown, "times the median of the group"), "threshold", "a drive is slow if its latency is at least `n` times the median of its group; the flag may be repeated")
	fs.Lookup("threshold").DefValue = "1.5 and 2"
	fs.StringVar(&f.zone, "zone", "UTC", "time `ZONE` of the hours and months in the report")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(render.Formats(), ", "))
	fs.StringVar(&f.page, "html", "", "also write an HTML page with all tables and plots to `FILE`")
	fs.Var(bounded.Int(&f.source.Workers, 1, mostWorkers, "workers"), "workers", "number of files that are read at the same time; with ClickHouse, number of queries that run at the same time on each server (default for queries: 4). The result does not depend on this number")
	fs.Var(bounded.Seed(&f.survey.Seed), "seed", "`seed` of the random resampling that gives the confidence intervals")
	fs.Var(bounded.Bytes(&f.source.MemoryBytes, leastMemory, mostMemory), "max-memory", "largest number of `bytes` of memory for records; more records are sorted on disk, in --temp")
	fs.StringVar(&f.source.TempDir, "temp", f.source.TempDir, "`directory` for temporary files, used to sort records that are not in chronological order")
	f.rows.bind(fs)
	f.clickhouse.bind(fs)
	cmd.AddCommand(newStudyDiff())
	return cmd
}

func (f *studyFlags) run(cmd *cobra.Command, paths []string) error {
	if f.rows.series == presetHelp {
		return printSeries(cmd.OutOrStdout(), paths)
	}
	if err := f.check(cmd); err != nil {
		return err
	}
	s, err := f.reader()(cmd, paths)
	if err != nil {
		return orInterrupted(cmd, err)
	}
	result, err := f.find(cmd, s)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
	err = errors.Join(render.Write(out, f.format, result), out.Flush())
	printWarnings(cmd.ErrOrStderr(), result.Warnings)
	page := output{"html", f.page, func(w io.Writer) error { return render.HTML(w, result) }}
	return errors.Join(err, writeOutputs(cmd.Context(), page), s.incomplete())
}

// incomplete returns an error if files of the study could not be read. The figures are printed
// anyway, and the exit code informs scripts.
func (s *studied) incomplete() error {
	if len(s.missing) == 0 {
		return nil
	}
	return fmt.Errorf("the study is incomplete: %d files could not be read; the first of these files is %s", len(s.missing), s.missing[0])
}

// places checks the arguments: files are needed unless a store or ClickHouse is read.
func (f *studyFlags) places(cmd *cobra.Command, args []string) error {
	if f.rows.series == presetHelp {
		return nil
	}
	if err := f.rows.storeFlags.check(args, f.rows.tables); err != nil {
		return usageError{err}
	}
	if f.rows.store != "" {
		return nil
	}
	if !f.clickhouse.wanted() {
		return paths("tables of drive records, a directory of these tables, or --clickhouse DSN and --table T")(cmd, args)
	}
	if len(args) > 0 {
		return usageError{fmt.Errorf("records can be read from ClickHouse or from files, not from both: remove --clickhouse, or remove %s", args[0])}
	}
	return nil
}

// reader returns the function that reads the data that the flags choose.
func (f *studyFlags) reader() func(*cobra.Command, []string) (*studied, error) {
	switch {
	case f.clickhouse.wanted():
		return f.readClickHouse
	case f.rows.wanted():
		return f.readRows
	}
	return f.readRecords
}

// find computes the findings of the study.
func (f *studyFlags) find(cmd *cobra.Command, s *studied) (*render.Result, error) {
	done := note(cmd, "computing the results of the study …")
	defer done()
	findings, err := survey.Find(s.reduction, s.fleet, s.events, f.survey)
	if err != nil {
		return nil, err
	}
	if s.requests != nil && len(findings.Parts) > 0 { // rows have one kind and one direction, so there is one part
		s.requests.Report(findings.Parts[0], s.fleet, s.kind, f.study, study.NewSums(f.survey.Seed, f.survey.Replicates))
	}
	findings.Warnings = slices.Concat(findings.Warnings, s.warnings)
	return &render.Result{Input: s.input, Findings: findings, Pictures: pictures(cmd.OutOrStdout())}, nil
}

// check checks the flags before any data are read.
func (f *studyFlags) check(cmd *cobra.Command) error {
	if !slices.Contains(render.Formats(), f.format) {
		return usageError{fmt.Errorf("format %q is unknown: use one of %s", f.format, strings.Join(render.Formats(), ", "))}
	}
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		return usageError{fmt.Errorf("time zone %q is unknown on this machine: use a name such as Europe/Berlin", f.zone)}
	}
	f.study.Zone = zone
	slices.Sort(f.study.Thresholds)
	if err := errors.Join(f.study.Validate(), f.survey.Validate(), f.source.Validate()); err != nil {
		return usageError{err}
	}
	if err := f.clickhouse.check(cmd); err != nil {
		return usageError{err}
	}
	if err := f.rows.check(cmd); err != nil {
		return usageError{err}
	}
	return foresee(cmd, output{flag: "html", path: f.page})
}

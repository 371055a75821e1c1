package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
	"github.com/limpet-storage/limpet/topology"
)

// studyRowsFlags choose the data and the options of a study of rows. The rows come from the same
// sources as in a diagnosis.
type studyRowsFlags struct {
	storeFlags
	times            tableTimes
	since, until     string // period; only for a store
	activity         bool
	topology, tables string
	group, kind      string
	options          source.StepsOptions
}

func (f *studyRowsFlags) bind(fs *pflag.FlagSet) {
	f.options = source.DefaultStepsOptions()
	f.storeFlags.bind(fs)
	f.times.bind(fs)
	fs.StringVar(&f.since, "since", "", "with --store: read only data since `TIME`: a date such as 2026-05-09, or how long ago: 2h, 3d")
	fs.StringVar(&f.until, "until", "", "with --store: read only data until `TIME`, written as for --since (default: now)")
	fs.BoolVar(&f.activity, "activity", false, "PATH has activity files; limpet finds the peers from the data")
	fs.StringVarP(&f.topology, "topology", "t", "", "PATH has activity files of the storage system that the topology `FILE` describes")
	fs.StringVar(&f.tables, "tables", "", "`FILE` in YAML that describes the columns of the tables in PATH, as for limpet diagnose")
	fs.StringVar(&f.group, "group-by", "", "for activity files and tables: `KEY` that the drives of one group have in common: place, server, array, peers (the same peer group) or alike (the same place and model, and installed together)")
	fs.StringVar(&f.kind, "kind", "", "for activity files and tables: `KIND` of the drives: disk, ssd")
	fs.StringVar(&f.options.Latency, "latency", f.options.Latency, "for activity files and tables: name of the `METRIC` that holds the latency")
	fs.StringVar(&f.options.IOs, "ios", f.options.IOs, "for activity files and tables: name of the `METRIC` that holds the requests a second")
	fs.StringVar(&f.options.Size, "size", f.options.Size, "for activity files and tables: name of the `METRIC` that holds the size of a request")
}

// wanted reports whether rows are studied, and not records.
func (f *studyRowsFlags) wanted() bool {
	return f.activity || f.topology != "" || f.tables != "" || f.store != ""
}

// areTables reports whether tables are studied: from files, or from a store with described series.
func (f *studyRowsFlags) areTables() bool { return f.tables != "" || f.series != "" }

// check returns an error if flags cannot be used together.
func (f *studyRowsFlags) check(cmd *cobra.Command) error {
	if f.tables != "" && (f.activity || f.topology != "") {
		return fmt.Errorf("--tables cannot be used with --activity or --topology, because the description file of the tables names the peer groups: remove one of these flags")
	}
	if f.store == "" && (f.since != "" || f.until != "") {
		return fmt.Errorf("--since and --until need --store, because files are always read completely: remove --since and --until")
	}
	refused, reason := []string{"group-by", "kind", "latency", "ios", "size"}, "needs --activity, --topology or --tables; for drive records, use --describe instead"
	if f.wanted() {
		refused, reason = []string{"describe", "inventory", "events", "workers", "temp"}, "is only for drive records; describe the drives in the topology or in the description file of the tables instead"
	}
	for _, name := range refused {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s %s", name, reason)
		}
	}
	if err := f.times.needTables(f.tables != ""); err != nil {
		return err
	}
	return f.settle(cmd)
}

// settle converts the flags to options.
func (f *studyRowsFlags) settle(cmd *cobra.Command) error {
	if f.group != "" {
		f.options.Group = source.Grouping(f.group)
	} else if f.areTables() {
		f.options.Group = source.ByPeers
	}
	switch f.kind {
	case "":
	case study.Disk.String():
		f.options.Kind = study.Disk
	case study.SSD.String():
		f.options.Kind = study.SSD
	default:
		return fmt.Errorf("--kind %q is unknown: use disk or ssd", f.kind)
	}
	if f.areTables() {
		for flag, metric := range map[string]*string{"latency": &f.options.Latency, "ios": &f.options.IOs, "size": &f.options.Size} {
			if !cmd.Flags().Changed(flag) {
				*metric = ""
			}
		}
		return nil // the latency may be found in the tables
	}
	return f.options.Validate()
}

// readRows reads and reduces rows from the sources of a diagnosis.
func (f *studyFlags) readRows(cmd *cobra.Command, paths []string) (*studied, error) {
	src, err := f.rows.open(cmd, paths, f.source.MemoryBytes)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	o := f.rows.options
	if o.Latency == "" {
		if o.Latency, err = soleLatency(src.Schema()); err != nil {
			return nil, err
		}
	}
	stream, progress := withProgress(cmd, src)
	defer progress.done()
	requests := survey.New(f.study)
	o.Requests = requests.Take
	hours, err := source.Fold(stream, src.System(), o)
	if err != nil {
		return nil, err
	}
	s := &studied{fleet: hours.Fleet(), input: render.Input{Paths: paths}, requests: requests, kind: o.Kind}
	if s.reduction, err = study.Reduce(hours, s.fleet, f.study); err != nil {
		return nil, err
	}
	s.fold(hours.Folding())
	for _, w := range src.Warnings() {
		s.warnings = append(s.warnings, w.String())
	}
	return s, nil
}

// open opens the source as limpet diagnose does.
func (f *studyRowsFlags) open(cmd *cobra.Command, paths []string, memory int64) (ingest.Source, error) {
	if f.store == "" {
		return f.openFiles(cmd, paths, memory)
	}
	part, err := (&excerptFlags{since: f.since, until: f.until}).read()
	if err != nil {
		return nil, usageError{err}
	}
	got, err := f.fetch(cmd, part)
	if err != nil {
		return nil, err
	}
	f.tables = got.tables
	s, err := f.openFiles(cmd, []string{got.dir}, memory)
	if err != nil {
		return nil, errors.Join(err, got.remove())
	}
	return part.Rows(got.source(s))
}

// openFiles opens files.
func (f *studyRowsFlags) openFiles(cmd *cobra.Command, paths []string, memory int64) (ingest.Source, error) {
	from := sourceFlags{times: f.times, topology: f.topology, tables: f.tables, peers: topology.PeersServer.String(), memory: memory}
	if f.tables != "" {
		return from.openTables(cmd, paths)
	}
	metrics := slices.DeleteFunc([]string{f.options.Latency, f.options.IOs, f.options.Size}, func(name string) bool { return name == "" })
	return from.openActivity(cmd, paths, activity.Options{Metrics: metrics}, &ingest.Selection{})
}

// soleLatency returns the only metric of tables whose unit is a time.
func soleLatency(s table.Schema) (string, error) {
	var names []string
	for _, m := range s.Metrics {
		if isTime(m) {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return "", usageError{errors.New("the tables have no metric that could be the latency: name the metric with --latency")}
	}
	if len(names) > 1 {
		return "", usageError{fmt.Errorf("the tables have %d metrics that could be the latency (%s): name one of these metrics with --latency", len(names), strings.Join(names, ", "))}
	}
	return names[0], nil
}

func isTime(m metric.Metric) bool { return slices.Contains([]string{"ns", "us", "ms", "s"}, m.Unit) }

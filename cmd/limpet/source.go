package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/topology"
)

// sourceFlags choose the data and the method of diagnosis. diagnose and train share them.
type sourceFlags struct {
	excerptFlags
	storeFlags
	times                   tableTimes
	topology, tables, peers string
	method, measure         string
	metrics                 []string
	step                    int64
	domain                  int
	smooth, winSize, shift  int
	k                       int
	memory                  int64
	servers                 bool // --servers: only check servers; a flag of diagnose only
}

const (
	longestStep   = 24 * 3600 // seconds: a day
	longestSmooth = 10_000    // steps: memory holds all of them for every component
	longestWindow = 255       // steps: package detect counts them in a byte
	mostK         = 16        // limit of package detect
	mostPeers     = 1_000_000 // components that tables may have
	leastMemory   = 16 << 20  // bytes: the readers of a few files need so much in any case
	mostMemory    = 1 << 50   // bytes: more than any machine has
)

func (f *sourceFlags) bind(cmd *cobra.Command) {
	d := persistence.DefaultOptions()
	f.smooth, f.winSize, f.shift, f.k, f.domain = d.Smooth, d.WinSize, d.WinShift, d.K, d.Domain
	f.excerptFlags.bind(cmd)
	fs := cmd.Flags()
	f.storeFlags.bind(fs)
	f.times.bind(fs)
	fs.StringVarP(&f.topology, "topology", "t", "", "topology `FILE` of the storage system (default: no file, limpet finds the peers from the data)")
	fs.StringVar(&f.peers, "peers", topology.PeersAuto.String(), "if there is no topology: the `DEVICES` that are compared with each other: server (the similar devices of one server), all (the similar devices of all servers), name (the devices with the same name on all servers), or auto (like server if a server has three similar devices, otherwise like name)")
	fs.StringVar(&f.tables, "tables", "", "each PATH is a CSV or Parquet table or a directory of tables, and the YAML `FILE` describes their columns. Instead of FILE, the name of a preset can be given for the output of a tool. --tables help lists the presets, and --tables draft TABLE drafts a description file (default: each PATH is an activity file or a directory of activity files)")
	f.memory = tables.DefaultMemoryBytes
	fs.Var(bounded.Bytes(&f.memory, leastMemory, mostMemory), "max-memory", "largest number of `bytes` of memory for the samples of tables; more samples are sorted on disk, in the directory TMPDIR")
	fs.StringVar(&f.method, "method", d.Method, "`NAME` of the method: default (both checks), servers (only the check of servers), or the unchanged method of a paper: l13 (lists of slow components) or f10 (servers and causes)")
	fs.StringVar(&f.measure, "measure", d.Measure, "`NAME` of the measure of how much two components differ: "+strings.Join(persistence.Measures(), ", "))
	fs.StringSliceVarP(&f.metrics, "metric", "m", nil, "`metrics` that are compared; \"all\" stands for all eight metrics of a device (default for activity files: await; for tables: all metrics except the load; with --method f10: the seven metrics of this method)")
	fs.Var(bounded.Int64(&f.step, 0, longestStep, "seconds"), "step", "length of a time step in `seconds`; 0 means the interval of the data, but at least 15 s (at least 1 s with --method f10 or --servers)")
	fs.Var(bounded.Int(&f.smooth, 1, longestSmooth, "steps"), "smooth", "number of time `steps` over which values are averaged before they are compared (moving average)")
	fs.Var(bounded.Int(&f.winSize, 2, longestWindow, "steps"), "win-size", "length of a window in time `steps`")
	fs.Var(bounded.Int(&f.shift, 1, longestWindow, "steps"), "win-shift", "time `steps` from the start of one window to the start of the next")
	fs.VarP(bounded.Int(&f.k, 1, mostK, "anomalies"), "k", "k", "number k of `anomalies` (windows in which a component differs from its peers): a component is suspect if k of its last 2k-1 windows are anomalies")
	fs.Var(bounded.Int(&f.domain, 0, mostPeers, "peers"), "domain", "compare each component with about `n` peers, and change these peers over time; 0 means all peers")
}

// open opens the source, and sets the options that depend on it.
func (f *sourceFlags) open(cmd *cobra.Command, paths []string) (ingest.Source, engine.Options, error) {
	if f.store == "" {
		return f.openFiles(cmd, paths)
	}
	part, err := f.read()
	if err != nil {
		return nil, engine.Options{}, usageError{err}
	}
	got, err := f.fetch(cmd, part)
	if err != nil {
		return nil, engine.Options{}, interrupted(err)
	}
	f.tables = got.tables
	s, o, err := f.openFiles(cmd, []string{got.dir})
	if err != nil {
		return nil, o, errors.Join(err, got.remove())
	}
	return got.source(s), o, nil
}

// openFiles opens files, and sets the options that depend on them.
func (f *sourceFlags) openFiles(cmd *cobra.Command, paths []string) (ingest.Source, engine.Options, error) {
	o, err := f.options(cmd)
	if err != nil {
		return nil, o, usageError{err}
	}
	if err := f.times.needTables(f.tables != ""); err != nil {
		return nil, o, err
	}
	s, err := f.openSource(cmd, paths, activity.ForDiagnosis(&o))
	if err != nil {
		return nil, o, interrupted(err)
	}
	schema := s.Schema()
	if cmd.Flags().Changed("step") {
		o.Detect.StepSeconds = f.step
	}
	o.FitTo(schema)
	if f.tables != "" && len(f.metrics) == 0 {
		o.Metrics = deciding(schema)
	}
	return s, o, nil
}

// openSource opens the files, and reads the period and the servers that the user chose.
func (f *sourceFlags) openSource(cmd *cobra.Command, paths []string, o activity.Options) (ingest.Source, error) {
	part, err := f.read()
	if err != nil {
		return nil, usageError{err}
	}
	open, host := f.openTables, (func(string) (string, error))(nil)
	if f.tables == "" {
		host = activity.HostOf
		open = func(cmd *cobra.Command, paths []string) (ingest.Source, error) {
			return f.openActivity(cmd, paths, o, part)
		}
	}
	if f.store == "" || f.tables == "" { // tables of a store contain only the period
		if paths, err = part.Files(paths, host); err != nil {
			return nil, err
		}
	}
	s, err := open(cmd, paths)
	if err != nil {
		return nil, err
	}
	return part.Rows(s)
}

// chooseMethod sets the method if --servers is given.
func (f *sourceFlags) chooseMethod(cmd *cobra.Command) error {
	if f.servers && cmd.Flags().Changed("method") && f.method != "servers" {
		return fmt.Errorf("--servers means --method servers and cannot be used with --method %s: remove one of the two flags", f.method)
	}
	if f.servers {
		f.method = "servers"
	}
	return nil
}

// options returns the options of the method. Flags of the command line override them.
func (f *sourceFlags) options(cmd *cobra.Command) (engine.Options, error) {
	o, err := engine.Preset(f.method)
	if err != nil {
		return o, err
	}
	if f.tables != "" && !o.HasQuestion(engine.Components) {
		return o, fmt.Errorf("--tables cannot be used with --method %s, because this method needs activity files with network interfaces: remove one of the two flags", f.method)
	}
	override(cmd, "measure", &o.Detect.Measure, f.measure)
	override(cmd, "domain", &o.Detect.Domain, f.domain)
	override(cmd, "smooth", &o.Detect.Smooth, f.smooth)
	override(cmd, "win-size", &o.Detect.WinSize, f.winSize)
	override(cmd, "win-shift", &o.Detect.WinShift, f.shift)
	override(cmd, "k", &o.Detect.K, f.k)
	if len(f.metrics) > 0 {
		o.Metrics = f.metrics
	}
	if slices.Equal(f.metrics, []string{"all"}) && f.tables == "" {
		o.Metrics = metricNames(metric.Device())
	}
	if f.step == 0 && o.HasQuestion(engine.Checklist) {
		f.step = o.Detect.StepSeconds // the method sets the step, not the data
	}
	return o, o.Validate()
}

func metricNames(metrics []metric.Metric) []string {
	var list []string
	for _, m := range metrics {
		list = append(list, m.Name)
	}
	return list
}

func override[T any](cmd *cobra.Command, flag string, option *T, value T) {
	if cmd.Flags().Changed(flag) {
		*option = value
	}
}

// deciding returns the metrics of tables by which a component is judged: all except the load, which
// users cause.
func deciding(s table.Schema) []string {
	var names []string
	for i, m := range s.Metrics {
		if i != s.Load {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		names = append(names, s.Metrics[0].Name)
	}
	return names
}

func (f *sourceFlags) openTables(cmd *cobra.Command, paths []string) (ingest.Source, error) {
	if f.topology != "" {
		return nil, usageError{fmt.Errorf("--tables and --topology cannot be used together, because the description file of the tables names the peer groups: remove --topology")}
	}
	if format := tool.LookupHistogram(f.tables); format != nil {
		return ingest.OpenHistograms(cmd.Context(), format, paths, ingest.HistogramOptions{StepSeconds: f.step})
	}
	data, err := readDescription(f.tables)
	if err != nil {
		return nil, err
	}
	d, err := tables.ParseDescription(f.tables, data)
	if err != nil {
		return nil, explainWrongFile(f.tables, err, tables.OwnTables)
	}
	o := tables.Options{StepSeconds: f.step, MemoryBytes: f.memory}
	if err := f.times.settle(d, &o); err != nil {
		return nil, err
	}
	return tables.Open(cmd.Context(), d, paths, o)
}

func (f *sourceFlags) openActivity(cmd *cobra.Command, paths []string, o activity.Options, part *ingest.Selection) (ingest.Source, error) {
	for _, name := range o.Metrics {
		if _, err := metric.Lookup(name); err != nil {
			return nil, usageError{err}
		}
	}
	peers, err := topology.ParsePeers(f.peers)
	if err != nil {
		return nil, usageError{err}
	}
	o.StepSeconds, o.Peers = f.step, peers
	if f.topology != "" {
		if o.System, err = readTopology(cmd, f.topology); err != nil {
			return nil, err
		}
		if o.System, err = part.System(o.System); err != nil {
			return nil, err
		}
	}
	done := note(cmd, "reading the headers of the files …")
	defer done()
	s, err := activity.Open(cmd.Context(), paths, o)
	if err != nil {
		return nil, recognised(err)
	}
	return s, nil
}

// whyNothing returns the warnings of a source if the error is that there are no data. They may have the
// reason: a file may have rows of the chosen period that limpet cannot read. whyNothing leaves out
// the warnings that the error has itself. It returns nil for other errors.
func whyNothing(err error, src ingest.Source) (warnings []string) {
	if _, nothing := errors.AsType[*ingest.NothingError](err); !nothing {
		return nil
	}
	for _, w := range src.Warnings() {
		if text := w.String(); !strings.Contains(err.Error(), text) {
			warnings = append(warnings, text)
		}
	}
	return warnings
}

// maxWarnings is the largest number of warnings that are printed: they must fit on a screen.
const maxWarnings = 20

// printWarnings prints each warning once, and at most maxWarnings.
func printWarnings(w io.Writer, warnings []string) {
	var told []string
	seen := make(map[string]bool, len(warnings))
	for _, text := range warnings {
		if !seen[text] {
			told = append(told, text)
		}
		seen[text] = true
	}
	for _, text := range told[:min(len(told), maxWarnings)] {
		fmt.Fprintf(w, "limpet: warning: %s\n", printable.Text(text))
	}
	if more := len(told) - maxWarnings; more > 0 {
		fmt.Fprintf(w, "limpet: … and %d more warnings (--format json lists all warnings)\n", more)
	}
}

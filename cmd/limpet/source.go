package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/collect/activity"
	"github.com/limpet-storage/limpet/collect/tables"
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// sourceFlags say what to read and how to judge it; diagnose and train share
// them.
type sourceFlags struct {
	topology, tables, peers string
	method, measure         string
	metrics                 []string
	step                    int64
	domain                  int
	smooth, winSize, shift  int
	k                       int
	servers                 bool // by symptoms; diagnose alone has the flag
}

func (f *sourceFlags) bind(cmd *cobra.Command) {
	d := detect.DefaultOptions()
	fs := cmd.Flags()
	fs.StringVarP(&f.topology, "topology", "t", "", "topology `FILE` of the system; without one, peers are found from the data")
	fs.StringVar(&f.peers, "peers", topology.PeersServer.String(), "without a topology, `WHO` is compared: the like devices of a server, of all, or those of one name")
	fs.StringVar(&f.tables, "tables", "", "read CSV or Parquet tables as described by the YAML `FILE`")
	fs.StringVar(&f.method, "method", d.Method, "`NAME` of the settings: default, or a paper to the letter: l13 (lists), f10 (servers and causes)")
	fs.StringVar(&f.measure, "measure", d.Measure, "`NAME` of the distance: "+strings.Join(detect.Measures(), ", "))
	fs.StringSliceVarP(&f.metrics, "metric", "m", nil, "`metrics` that decide (activity files: await, or all eight of a device: all; with f10 its seven; tables: all but the load)")
	fs.Int64Var(&f.step, "step", 0, "`seconds` of a step (15, or the interval of the data where that is longer; 1 with f10 and --servers)")
	fs.IntVar(&f.smooth, "smooth", d.Smooth, "`steps` of the moving average")
	fs.IntVar(&f.winSize, "win-size", d.WinSize, "`steps` of a window")
	fs.IntVar(&f.shift, "win-shift", d.WinShift, "`steps` from one window to the next")
	fs.IntVarP(&f.k, "k", "k", d.K, "`anomalies` in 2k-1 windows that make a suspect")
	fs.IntVar(&f.domain, "domain", d.Domain, "compare within rotating domains of about `n` peers (0: with all)")
}

// open opens the source, and settles the options that follow from it.
func (f *sourceFlags) open(cmd *cobra.Command, paths []string) (collect.Source, diagnose.Options, error) {
	o, err := f.options(cmd)
	if err != nil {
		return nil, o, usageError{err}
	}
	var s collect.Source
	if f.tables != "" {
		s, err = f.openTables(cmd, paths)
	} else {
		s, err = f.openActivity(cmd, paths, o.Metrics)
	}
	if err != nil {
		return nil, o, interrupted(err)
	}
	schema := s.Schema()
	o.Detect.StepSeconds = schema.StepSeconds
	o.Symptoms.Fit(schema.StepSeconds)
	if f.tables != "" && len(f.metrics) == 0 {
		o.Metrics = deciding(schema)
	}
	return s, o, nil
}

// options are those of the preset, with what was set on the command line.
func (f *sourceFlags) options(cmd *cobra.Command) (diagnose.Options, error) {
	o, err := diagnose.Preset(f.method)
	if err != nil {
		return o, err
	}
	if f.servers {
		return f.serversOptions()
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
		o.Metrics = names(metric.Device())
	}
	if f.step < 0 {
		return o, fmt.Errorf("a step of %d s: at least 1 is needed", f.step)
	}
	if f.step == 0 && f.method == "f10" {
		f.step = o.Detect.StepSeconds // part of the method, not a matter of the data
	}
	return o, o.Validate()
}

// serversOptions are those of whole servers. Where no topology says otherwise
// their drives are compared by name: a system drive is no peer of a data drive.
func (f *sourceFlags) serversOptions() (diagnose.Options, error) {
	o := diagnose.ServersOptions()
	f.peers = topology.PeersName.String()
	return o, o.Validate()
}

func names(metrics []metric.Metric) []string {
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

// deciding are the metrics of tables that a component is judged by: all but
// the load, which is its users' doing.
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

func (f *sourceFlags) openTables(cmd *cobra.Command, paths []string) (collect.Source, error) {
	if f.topology != "" {
		return nil, usageError{fmt.Errorf("--tables and --topology exclude each other: the description of tables says who are peers")}
	}
	data, err := os.ReadFile(f.tables)
	if err != nil {
		return nil, err
	}
	d, err := tables.ParseDescription(f.tables, data)
	if err != nil {
		return nil, err
	}
	return tables.Open(cmd.Context(), d, paths, f.step)
}

func (f *sourceFlags) openActivity(cmd *cobra.Command, paths, metrics []string) (collect.Source, error) {
	for _, name := range metrics {
		if _, err := metric.Lookup(name); err != nil {
			return nil, usageError{err}
		}
	}
	peers, err := topology.ParsePeers(f.peers)
	if err != nil {
		return nil, usageError{err}
	}
	o := activity.Options{StepSeconds: f.step, Metrics: slices.Concat(metrics, incident.Metrics(metrics)), Peers: peers}
	if f.servers {
		o.Finest = diagnose.ServersOptions().Detect.StepSeconds
	}
	if f.topology != "" {
		if o.System, err = readTopology(cmd, f.topology); err != nil {
			return nil, err
		}
	}
	done := note(cmd, "finding out what the files hold …")
	defer done()
	return activity.Open(cmd.Context(), paths, o)
}

// maxWarnings is how many warnings a screen bears.
const maxWarnings = 20

// printWarnings prints each warning once.
func printWarnings(w io.Writer, warnings []string) {
	var told []string
	for _, text := range warnings {
		if !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	for _, text := range told[:min(len(told), maxWarnings)] {
		fmt.Fprintf(w, "limpet: warning: %s\n", text)
	}
	if more := len(told) - maxWarnings; more > 0 {
		fmt.Fprintf(w, "limpet: … and %d more warnings (--format json has all)\n", more)
	}
}

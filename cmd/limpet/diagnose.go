package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/topology"
)

type diagnoseFlags struct {
	sourceFlags
	model, feedback, format, page string
	order                         string
	top                           int
	lists, why                    bool
}

func newDiagnose() *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose PATH...",
		Short: "compare components with their peers and tell what limps",
		Long: `Compare every component with its peers and tell what limps, one incident for one
problem: what would have to be repaired, what is wrong with it, since when, and
what says so. PATH are activity files of sysstat, or directories of them, of any
number of servers and days (plain, .xz, .zst, .gz); or tables, with --tables.

Every 30 steps (7.5 minutes) the last 60 are judged. What is suspect goes into an
accumulator, which goes up while a component is suspect and down while it is
not; how slow times how long makes an incident. --list shows the accumulators,
hour by hour, most persistent first.

With --servers the servers of a parallel file system are compared every second,
by their drives, interfaces and connections together; what stands at the end are
the servers at fault and the resource: a disk or network hog, a busy disk,
packet loss. Nothing has to be trained. Give the files of the clients too: loss
on the way to a server shows only there. --method f10 does the same as the
paper did, metric by metric, and needs a model of fault-free runs.`,
		Example: `  limpet diagnose /var/log/sysstat/sa*
  limpet diagnose --topology intrepid.yaml --html report.html /data/2011-05-09
  limpet diagnose --topology intrepid.yaml --list --metric await,rd_sec /data
  limpet diagnose --tables examples/perseus.yaml cluster_A
  limpet diagnose --servers --topology pfs.yaml /data/pfs
  limpet diagnose --method f10 --topology pfs.yaml --model pfs.json /data/pfs
  limpet diagnose --model day.json --feedback repairs.txt --format json DIR`,
		Args: paths("activity files or a directory of them"),
		RunE: f.run,
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.model, "model", "", "thresholds from `FILE`, as limpet train wrote it")
	fs.StringVar(&f.feedback, "feedback", "", "`FILE` of lines: TIME resolve|mute|unmute COMPONENT")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(report.Formats(), ", "))
	fs.StringVar(&f.page, "html", "", "also write a page with the evidence to `FILE`")
	fs.BoolVar(&f.servers, "servers", false, "name servers at fault and the resource, instead of components")
	fs.StringVar(&f.order, "order", string(incident.Combined), "`ORDER` of incidents: "+orders())
	fs.BoolVar(&f.why, "why", false, "show the evidence of every incident, and what would have decided otherwise")
	fs.BoolVar(&f.lists, "list", false, "also list components hour by hour: accumulator, peer group, component")
	fs.IntVar(&f.top, "top", diagnose.DefaultOptions().Top, "`lines` of a list")
	return cmd
}

func (f *diagnoseFlags) run(cmd *cobra.Command, paths []string) error {
	model, err := f.check(cmd)
	if err != nil {
		return err
	}
	src, o, err := f.open(cmd, paths)
	if err != nil {
		return err
	}
	defer src.Close()
	o.Top = f.top
	feedback, warnings, err := readFeedback(f.feedback, src.System())
	if err != nil {
		return err
	}
	subject := report.Subject{System: src.System(), Schema: src.Schema(), Options: o, Trained: model != nil, Columns: columns(cmd.OutOrStdout()), Lists: f.lists, Why: f.why}
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
	w, err := report.New(f.format, out, subject)
	if err != nil {
		return usageError{err}
	}
	d := diagnosis{src: src, subject: subject, model: model, feedback: feedback, page: f.page, order: incident.Order(f.order)}
	summary, err := d.run(cmd, w)
	if err != nil {
		return errors.Join(err, out.Flush()) // what was found so far is worth having
	}
	summary.Warnings = append(warnings, summary.Warnings...)
	err = errors.Join(w.Finish(summary), out.Flush())
	printWarnings(cmd.ErrOrStderr(), summary.Warnings)
	return err
}

// check finds mistakes before any data are read.
func (f *diagnoseFlags) check(cmd *cobra.Command) (*detect.Model, error) {
	if !slices.Contains(report.Formats(), f.format) {
		return nil, usageError{fmt.Errorf("format %q is unknown: use %s", f.format, strings.Join(report.Formats(), ", "))}
	}
	if err := f.excluded(cmd); err != nil {
		return nil, usageError{err}
	}
	if !slices.Contains(incident.Orders(), incident.Order(f.order)) {
		return nil, usageError{fmt.Errorf("order %q is unknown: use %s", f.order, orders())}
	}
	if f.top < 1 {
		return nil, usageError{fmt.Errorf("lists of %d lines: at least 1 is needed", f.top)}
	}
	if o, err := detect.Preset(f.method); err == nil && o.NeedsModel() && f.model == "" {
		return nil, usageError{fmt.Errorf("method %s needs --model FILE: learn it from runs without faults with limpet train --method %s", f.method, f.method)}
	}
	if err := writable(f.page); err != nil {
		return nil, err
	}
	return readModel(f.model)
}

// excluded refuses the flags of lists where servers are judged.
func (f *diagnoseFlags) excluded(cmd *cobra.Command) error {
	if !f.servers {
		return nil
	}
	for _, name := range []string{"method", "measure", "metric", "model", "domain", "smooth", "win-size", "win-shift", "k", "top", "list", "order", "why", "feedback"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--servers and --%s exclude each other: servers are judged by symptoms, with settings of their own, and not listed", name)
		}
	}
	for _, name := range []string{"tables", "peers"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--servers and --%s exclude each other: all servers of the activity files are compared, or those that a topology calls peers", name)
		}
	}
	return nil
}

// orders names those of incidents.
func orders() string {
	var names []string
	for _, o := range incident.Orders() {
		names = append(names, string(o))
	}
	return strings.Join(names, ", ")
}

// writable says whether a file can be written where it is to go.
func writable(name string) error {
	if name == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no directory %s", name, filepath.Dir(name))
	}
	return nil
}

// diagnosis is one run over a source.
type diagnosis struct {
	src      collect.Source
	subject  report.Subject
	model    *detect.Model
	feedback []rank.Feedback
	page     string
	order    incident.Order
	marks    []report.Mark // for the page
}

// run diagnoses the source into w, and writes the page where one is wanted.
func (d *diagnosis) run(cmd *cobra.Command, w diagnose.Listener) (report.Summary, error) {
	var summary report.Summary
	stream, progress := withProgress(cmd, d.src)
	var evidence *report.Evidence
	if d.page != "" {
		evidence = report.NewEvidence(d.subject)
		evidence.Mark(d.marks...)
		w = report.Several(w, evidence)
		stream = evidence.Watch(stream)
	}
	engine, err := diagnose.New(d.subject.Options, d.subject.System, d.subject.Schema, d.model, d.feedback, w)
	if err != nil {
		return summary, err
	}
	err = engine.Run(stream)
	progress.done()
	if err != nil {
		return summary, err
	}
	summary = report.Summary{
		Incidents: engine.Incidents(d.order), Top: engine.Top(), Indictments: engine.Indictments(), Examined: engine.Examined(),
		Heard: engine.Heard(), Limits: engine.Limits(), Idle: engine.Idle(), Silent: engine.Silent(), Warnings: append(d.warnings(), skewed(engine.Skews())...),
	}
	summary.From, summary.To = engine.Span()
	if evidence == nil {
		return summary, nil
	}
	summary.Accumulators = engine.Accumulators()
	return summary, writeFile(d.page, func(w io.Writer) error { return evidence.Write(w, summary) })
}

// warnings collects what source, topology and model have to say.
func (d *diagnosis) warnings() []string {
	var all []string
	for _, w := range d.src.Warnings() {
		all = append(all, w.String())
	}
	if d.model != nil {
		for _, w := range d.model.Untrained(d.subject.System, d.subject.Options.Metrics) {
			all = append(all, w.String())
		}
	}
	return all
}

// skewed warns of clocks that are apart.
func skewed(list []diagnose.Skew) []string {
	var all []string
	for _, s := range list {
		if s.Server == "" {
			return []string{"the clocks of half of the servers are seconds apart from the others', and nobody knows which are right: synchronise them"}
		}
		direction := "ahead of"
		if s.Seconds < 0 {
			direction = "behind"
		}
		all = append(all, fmt.Sprintf("the clock of %s is about %d s %s the others': synchronise it; what is said of seconds may be off by as much", s.Server, max(s.Seconds, -s.Seconds), direction))
	}
	return all
}

func readModel(name string) (*detect.Model, error) {
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &detect.Model{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s is no model of limpet train: %w", name, err)
	}
	return m, nil
}

// readFeedback reads an operator's words. Lines that are wrong are warnings:
// a drive that was taken out last month must not stop tonight's diagnosis.
func readFeedback(name string, s *topology.System) ([]rank.Feedback, []string, error) {
	if name == "" {
		return nil, nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	words, err := rank.ParseFeedback(name, data, s)
	if err == nil {
		return words, nil, nil
	}
	return words, strings.Split(err.Error(), "\n"), nil
}

// writeFile writes a file whole or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".limpet-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	out := bufio.NewWriter(f)
	if err := errors.Join(write(out), out.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

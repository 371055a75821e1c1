package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/report"
)

type trainFlags struct {
	sourceFlags
	model, page string
}

func newTrain() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train PATH... --model FILE",
		Short: "learn thresholds from a day without faults",
		Long: `Learn thresholds from data without faults, for use with limpet diagnose --model.
Training is optional: without a model, limpet compares the components of each peer
group with each other.

An HTML page beside the model shows all components of each peer group, so that you
can see whether the data are suitable for training. In the plots, no line should
differ clearly from its group for a long time, and secondary paths should be at
zero. If the data contain a fault, limpet becomes less sensitive only for the faulty
component.

With --method f10 a model is required. Train it on several runs of workloads that
saturate the servers. limpet starts a new run after a gap of more than a minute in
the data, so leave such a gap between two runs. Runs must not overlap in time.
Simulated runs all start at the same time: give each limpet simulate another
--start.`,
		Example: `  limpet train --topology intrepid.yaml --method l13 --model day.json /data/2011-04-14
  limpet train --topology pfs.yaml --method f10 --model pfs.json /data/stress`,
		Args: f.orStore(paths("the activity files of a day without faults, or --store URL")),
		RunE: f.run,
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.model, "model", "", "`FILE` to write the thresholds to (required)")
	cmd.Flags().StringVar(&f.page, "html", "", "`FILE` to write the HTML page to (default: the name of the model with .html)")
	return cmd
}

func (f *trainFlags) run(cmd *cobra.Command, paths []string) error {
	if f.series == presetHelp {
		return printSeries(cmd.OutOrStdout(), paths)
	}
	if f.model == "" {
		return usageError{fmt.Errorf("name the file to write the model to: --model FILE")}
	}
	if f.page == "" {
		f.page = strings.TrimSuffix(f.model, filepath.Ext(f.model)) + ".html"
	}
	if err := foresee(cmd, output{flag: "model", path: f.model}, output{flag: "html", path: f.page}); err != nil {
		return err
	}
	src, o, err := f.open(cmd, paths)
	if err != nil {
		return err
	}
	defer src.Close()
	trainer, err := persistence.NewTrainer(o.Detect, src.System(), src.Schema(), o.Metrics)
	if err != nil {
		return err
	}
	subject := report.Subject{System: src.System(), Schema: src.Schema(), Options: o, Version: version(), Inputs: paths}
	evidence := report.NewEvidence(subject)
	stream, progress := withProgress(cmd, src)
	stream = evidence.Watch(stream)
	err = trainer.Run(stream)
	progress.done()
	if err != nil {
		printWarnings(cmd.ErrOrStderr(), whyNothing(err, src))
		return err
	}
	return f.write(cmd, src, trainer.Model(), evidence)
}

func (f *trainFlags) write(cmd *cobra.Command, src ingest.Source, m *persistence.Model, evidence *report.Evidence) error {
	var warnings []string
	for _, w := range src.Warnings() {
		warnings = append(warnings, w.String())
	}
	printWarnings(cmd.ErrOrStderr(), warnings)
	if len(m.Groups) == 0 {
		return fmt.Errorf("limpet learned no thresholds, because no window had enough data. A window needs data of at least 3 peers in more than half of its time steps: give more data")
	}
	for _, g := range m.Groups {
		fmt.Fprintf(cmd.OutOrStdout(), "peer group %s, metric %s: %d components in %d windows; typical score (difference from peers) %.3g, median of the learned thresholds %.3g\n",
			g.Group, g.Metric, len(g.Thresholds), g.Windows, g.Typical, g.Median)
	}
	err := writeOutputs(cmd.Context(),
		output{"model", f.model, m.Write},
		output{"html", f.page, func(w io.Writer) error { return evidence.WriteTraining(w, m, warnings) }})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "The model is in %s. Open %s to see whether the data are suitable for training.\n", f.model, f.page)
	return err
}

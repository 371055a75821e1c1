package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/simulate"
)

type evaluateTruthFlags struct {
	sourceFlags
	evaluationFlags
	truth, labels, cluster, model string
	persist                       []int
}

func newEvaluateTruth() *cobra.Command {
	var f evaluateTruthFlags
	cmd := &cobra.Command{
		Use:   "truth PATH... --truth FILE | --labels FILE, or truth DIR",
		Short: "any data with known faults",
		Long: `Diagnose data as limpet diagnose does, and hold the result against what is known:
a truth file, as limpet simulate and limpet demo write it, or the labels of
PERSEUS. Prints the faults found, precision, recall and MCC of verdicts on
components, the time to a verdict, and false alarms per 1,000 days of a healthy
component.

A component has a verdict once its accumulator reaches one of the numbers given
with --persist: 1 is anything ever listed, 8 what outlasts an hour, 100 what
lasts for half a day, and where the operator of L13 looks into it.

A DIR that has a truth.csv holds recorded runs, as limpet-testbed leaves them:
each is diagnosed by both questions, and F10's rates are printed with intervals,
onsets, and control runs that accuse somebody.`,
		Example: `  limpet demo && limpet evaluate truth --truth limpet-demo/truth.yaml \
      --topology limpet-demo/topology.yaml limpet-demo/activity
  limpet evaluate truth --labels labels.csv --tables examples/perseus.yaml cluster_A
  limpet evaluate truth limpet-testbed`,
		Args: paths("the data: activity files, tables, or a directory of them"),
		RunE: f.run,
	}
	f.sourceFlags.bind(cmd)
	f.evaluationFlags.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.truth, "truth", "", "truth `FILE` of a simulation")
	fs.StringVar(&f.labels, "labels", "", "`FILE` of PERSEUS labels, whose drives are slow throughout")
	fs.StringVar(&f.cluster, "cluster", "", "`NAME` that the labels have for these data (found in PATH)")
	fs.StringVar(&f.model, "model", "", "thresholds from `FILE`, as limpet train wrote it")
	f.persist = evaluate.DefaultTruthOptions().Persist
	fs.Var(bounded.Ints(&f.persist, 1, mostWindows, "windows"), "persist", "`accumulators` that make a verdict")
	return cmd
}

func (f *evaluateTruthFlags) run(cmd *cobra.Command, paths []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	if f.truth == "" && f.labels == "" && isRecorded(paths) {
		return f.runRecorded(cmd, paths[0])
	}
	truth, err := f.readTruth(paths)
	if err != nil {
		return err
	}
	model, err := readModel(f.model)
	if err != nil {
		return err
	}
	src, o, err := f.open(cmd, paths)
	if err != nil {
		return err
	}
	defer src.Close()
	options := evaluate.TruthOptions{Diagnose: o, Model: model, Persist: f.persist, Simulated: f.truth != ""}
	if err := options.Validate(); err != nil {
		return usageError{err}
	}
	stream, progress := withProgress(cmd, src)
	result, err := evaluate.Truth(cmd.Context(), options, src.System(), stream, truth)
	progress.done()
	if err != nil {
		return err
	}
	var warnings []string
	for _, w := range src.Warnings() {
		warnings = append(warnings, w.String())
	}
	err = f.write(cmd, result.Report())
	printWarnings(cmd.ErrOrStderr(), warnings)
	return err
}

func (f *evaluateTruthFlags) readTruth(paths []string) (*simulate.Truth, error) {
	if (f.truth == "") == (f.labels == "") {
		return nil, usageError{fmt.Errorf("name the known faults of the data: --truth FILE or --labels FILE, or give a directory of recorded runs with their truth.csv")}
	}
	data, err := bounded.ReadFile(f.truth+f.labels, bounded.MaxResult, "the truth")
	if err != nil {
		return nil, err
	}
	if f.truth != "" {
		return simulate.ParseTruth(f.truth, data)
	}
	cluster := f.cluster
	if cluster == "" {
		if cluster, err = clusterOf(paths, evaluate.LabelledClusters(data)); err != nil {
			return nil, usageError{err}
		}
	}
	return evaluate.ParseLabels(f.labels, data, cluster)
}

// clusterOf finds the one of the labelled clusters that the paths name.
func clusterOf(paths, clusters []string) (string, error) {
	var found []string
	for _, path := range paths {
		for _, part := range strings.Split(filepath.ToSlash(filepath.Clean(path)), "/") {
			if slices.Contains(clusters, part) && !slices.Contains(found, part) {
				found = append(found, part)
			}
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("the labels are of %s: name the one of these data with --cluster", strings.Join(clusters, ", "))
	}
	return found[0], nil
}

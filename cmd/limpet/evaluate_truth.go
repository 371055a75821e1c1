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
	from, rule                    string
	persist                       []int
}

func newEvaluateTruth() *cobra.Command {
	var f evaluateTruthFlags
	cmd := &cobra.Command{
		Use:   "truth PATH... --truth FILE | --labels FILE, or truth DIR",
		Short: "evaluate the diagnosis of your own data, if you know the faults in the data",
		Long: `Diagnose data as limpet diagnose does, and compare the result with the known faults.
The known faults are in a truth file, which limpet simulate and limpet demo write,
or in the label file of the PERSEUS data set. The report shows the faults found;
precision, recall and MCC (Matthews correlation coefficient) of the verdicts on
components; the time until a verdict; and the false alarms per 1,000 days of a healthy
component.

A component has a verdict when its accumulator reaches a number that --persist
gives. The accumulator is the number of windows in which the component was suspect,
minus the number of windows in which it was not. A window usually starts every 7.5
minutes. So every component that was ever listed reaches 1, a component that is
always suspect reaches 8 after an hour, and 100 after half a day. At 100, the
operator in the paper L13 checks a component.

A DIR with a file truth.csv holds recorded runs of limpet-testbed. Each run is
diagnosed with both checks of limpet diagnose. The report shows the rates of the
paper F10 with confidence intervals, the start times of faults, and the runs without
a fault in which a server was blamed.`,
		Example: `  limpet demo && limpet evaluate truth --truth limpet-demo/truth.yaml \
      --topology limpet-demo/topology.yaml limpet-demo/activity
  limpet evaluate truth --labels labels.csv --tables examples/perseus.yaml cluster_A
  limpet evaluate truth limpet-testbed`,
		Args: paths("the data: activity files, tables, or a directory of these files"),
		RunE: f.run,
	}
	f.sourceFlags.bind(cmd)
	f.evaluationFlags.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.truth, "truth", "", "`FILE` with the known faults (truth.yaml, which limpet simulate writes)")
	fs.StringVar(&f.labels, "labels", "", "`FILE` with the labels of the PERSEUS data set; the drives in this file count as slow for the whole period")
	fs.StringVar(&f.cluster, "cluster", "", "`NAME` of the cluster in the label file (default: the cluster whose name is part of PATH)")
	fs.StringVar(&f.model, "model", "", "`FILE` with a model, which limpet train wrote (default: no model)")
	fs.StringVar(&f.from, "from", fromHosts, "for recorded runs of Ceph: `SOURCE` of the data to diagnose: hosts (activity files of the hosts), ceph (reports of Ceph) or both")
	fs.StringVar(&f.rule, "rule", "", "for recorded runs of Ceph: simple `RULE` that decides which OSDs are slow, instead of limpet's method: three-deviations or median (default: no rule)")
	f.persist = evaluate.DefaultTruthOptions().Persist
	fs.Var(bounded.Ints(&f.persist, 1, mostWindows, "windows"), "persist", "`numbers` that the accumulator of a component must reach before the component has a verdict; the report evaluates each number")
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
		return nil, usageError{fmt.Errorf("name the file with the known faults: --truth FILE or --labels FILE, or give a directory of recorded runs that has a truth.csv")}
	}
	data, err := bounded.ReadFile(f.truth+f.labels, bounded.MaxResult, "a truth file")
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

// clusterOf returns the name of the labelled cluster that is part of the paths. It returns an error
// unless there is exactly one.
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
		return "", fmt.Errorf("the label file has these clusters: %s. Name the cluster to which your data belong with --cluster", strings.Join(clusters, ", "))
	}
	return found[0], nil
}

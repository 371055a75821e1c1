package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

func newEvaluate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "evaluate",
		Short: "compare diagnoses with known faults",
		Long: `Diagnose storage systems whose faults are known, and count how often the diagnosis
is right. The experiments and events of the papers are simulated, and the figures of
the papers are printed next to limpet's figures. Your own data can be evaluated too,
if you have a truth file or labels that name the faulty components.`,
		Example: `  limpet evaluate testbench --quick             simulate some runs of the test bench of the paper F10 (takes a minute)
  limpet evaluate --sweep --quick               see how much the result depends on the settings of the method f10
  limpet evaluate intrepid --html page.html     simulate the events of the paper L13 on the supercomputer Intrepid
  limpet evaluate incidents --quick             check whether each fault has an incident
  limpet evaluate truth --truth d/truth.yaml --topology d/topology.yaml d/activity`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no evaluation called %q: use testbench, intrepid, incidents, sensitivity, past or truth", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	sweepToo(cmd, newEvaluateTestbench())
	cmd.AddCommand(newEvaluateTestbench(), newEvaluateIntrepid(), newEvaluateIncidents(), newEvaluateSensitivity(), newEvaluatePast(), newEvaluateTruth())
	return cmd
}

// mostRuns is the largest number of runs of an experiment: so many runs take years.
const mostRuns = 1_000_000

// evaluationFlags choose the format and the files of a report.
type evaluationFlags struct {
	format, csv, page string
}

var evaluationFormats = []string{"text", "csv"}

func (f *evaluationFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(evaluationFormats, ", "))
	fs.StringVar(&f.csv, "csv", "", "also write all figures as CSV to `FILE`")
	fs.StringVar(&f.page, "html", "", "also write an HTML page with plots to `FILE`")
}

// check checks the flags before the evaluation starts, which can take an hour.
func (f *evaluationFlags) check(cmd *cobra.Command) error {
	if !slices.Contains(evaluationFormats, f.format) {
		return usageError{fmt.Errorf("format %q is unknown: use one of %s", f.format, strings.Join(evaluationFormats, ", "))}
	}
	return foresee(cmd, output{flag: "csv", path: f.csv}, output{flag: "html", path: f.page})
}

func (f *evaluationFlags) write(cmd *cobra.Command, r *evaluate.Report) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	write := r.Text
	if f.format == "csv" {
		write = r.CSV
	}
	err := errors.Join(write(out), out.Flush())
	return errors.Join(err, writeOutputs(cmd.Context(), output{"csv", f.csv, r.CSV}, output{"html", f.page, r.HTML}))
}

// evaluated runs an evaluation and writes its result next to the figures of the papers.
func evaluated[O any, R interface {
	Report(*evaluate.Published) *evaluate.Report
}](cmd *cobra.Command, f *evaluationFlags, run func(context.Context, O, evaluate.Progress) (R, error), o O, doing string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	published, err := evaluate.ReadPublished()
	if err != nil {
		return err
	}
	tell, done := showSteps(cmd, doing)
	result, err := run(cmd.Context(), o, tell)
	done()
	if err != nil {
		return err
	}
	return f.write(cmd, result.Report(published))
}

// noArguments returns an error if there are arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		if cmd.HasAvailableSubCommands() {
			return usageError{unknownCommand(cmd, args[0])}
		}
		return usageError{fmt.Errorf("%s takes no arguments, only flags", cmd.Name())}
	}
	return nil
}

type evaluateTestbenchFlags struct {
	evaluationFlags
	clusters, workloads, faults, methods, sweep []string
	quick, unkind                               bool
	evaluate.TestbenchOptions
}

func newEvaluateTestbench() *cobra.Command {
	f := evaluateTestbenchFlags{TestbenchOptions: evaluate.DefaultTestbench()}
	cmd := &cobra.Command{
		Use:   "testbench",
		Short: "simulate the experiments of the paper F10: which server is blamed, and for which fault",
		Long: `Simulate the experiments of the paper F10: PVFS and Lustre clusters, five workloads,
six faults and runs without a fault, ten runs each. Train the algorithm of the paper
on other runs without a fault. Diagnose each run with the algorithm of the paper,
and with the method of limpet, which needs no training. Print the rates of Tables 2
to 5 of the paper, next to the rates of limpet. The evaluation takes about half an
hour on two cores; with --quick it takes a minute.

With --unkind, the clusters run GlusterFS, and each run has conditions that make the
diagnosis harder. The seed chooses them at random: uneven placement of shards, popular
files, reads that a hash assigns to servers, BBR congestion control, idle sockets,
writeback in bursts, and weaker or stronger faults. The disks, links and sockets are
simulated after recordings of a real GlusterFS cluster.

With --sweep, the runs are diagnosed only with the algorithm of F10. One setting of
the algorithm is changed at a time, as in F10 §11.2. This takes twice as long as
without --sweep.`,
		Example: `  limpet evaluate testbench --quick
  limpet evaluate testbench --cluster lustre-6/12 --fault disk-busy --runs 20
  limpet evaluate testbench --method f10,default --csv figures.csv --html page.html
  limpet evaluate testbench --unkind --runs 3
  limpet evaluate testbench --sweep=smooth,k --quick --html page.html`,
		Args: needEquals(noArguments),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed(sweepFlag) {
				return f.runSweep(cmd)
			}
			return f.run(cmd)
		},
	}
	f.bind(cmd)
	bindSweep(cmd, &f.sweep)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.clusters, "cluster", texts(f.Clusters), "`clusters` to simulate, written as FILESYSTEM-CLIENTS/SERVERS")
	fs.StringSliceVar(&f.workloads, "workload", texts(f.Workloads), "`workloads` to run")
	fs.StringSliceVar(&f.faults, "fault", append([]string{evaluate.None}, texts(testbench.Faults())...), "`faults` to inject; \"none\" stands for runs without a fault")
	fs.StringSliceVar(&f.methods, "method", f.methodNames(), "`NAMES` of the methods to compare: \"f10\" is the method of the paper F10, and \"default\" is the method of limpet, which needs no training")
	fs.Var(bounded.Int(&f.Runs, 1, mostRuns, "runs"), "runs", "number of `runs` of each combination of cluster, workload and fault; each run has its fault on a different server")
	fs.Var(bounded.Int(&f.TrainingRuns, 1, mostRuns, "runs"), "training-runs", "number of `runs` of each workload for the training of the algorithm of F10")
	fs.Var(bounded.Int(&f.Faulty, 1, testbench.MaxMachines, "servers"), "faulty", "number of `servers` that have the fault at the same time")
	fs.Var(bounded.Float(&f.Strength, leastStrength, testbench.MaxStrength, "times the strength in F10"), "strength", "strength of the faults, as a `factor` of the strength in the paper F10")
	fs.Var(bounded.Seed(&f.Seed), "seed", "`seed` of the random numbers of the simulation")
	fs.BoolVar(&f.unkind, "unkind", false, "simulate GlusterFS under difficult conditions that the seed chooses at random, and diagnose only with the method of limpet")
	fs.BoolVar(&f.quick, "quick", false, "simulate one cluster only, and one run of each combination")
	return cmd
}

func (f *evaluateTestbenchFlags) methodNames() []string {
	var names []string
	for _, m := range f.Methods {
		names = append(names, m.Name)
	}
	return names
}

func (f *evaluateTestbenchFlags) run(cmd *cobra.Command) error {
	if err := f.options(cmd); err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Testbench, f.TestbenchOptions, "simulating and diagnosing runs")
}

// options converts the names on the command line to options. Flags of the user override the choices
// of --quick.
func (f *evaluateTestbenchFlags) options(cmd *cobra.Command) error {
	o := &f.TestbenchOptions
	if f.unkind {
		o.MakeUnkind()
		if !cmd.Flags().Changed("cluster") {
			f.clusters = texts(o.Clusters)
		}
		if !cmd.Flags().Changed("method") {
			f.methods = f.methodNames()
		}
	}
	if f.quick {
		runs := o.Runs
		o.Quick()
		override(cmd, "runs", &o.Runs, runs)
	}
	if !f.quick || cmd.Flags().Changed("cluster") {
		o.Clusters = nil
		for _, name := range f.clusters {
			c, err := testbench.ParseCluster(name)
			if err != nil {
				return err
			}
			o.Clusters = append(o.Clusters, c)
		}
	}
	o.Workloads, o.Faults, o.Methods = nil, nil, nil
	for _, name := range f.workloads {
		o.Workloads = append(o.Workloads, testbench.Workload(name))
	}
	for _, name := range f.faults {
		if name == evaluate.None {
			name = string(testbench.None)
		}
		o.Faults = append(o.Faults, testbench.Fault(name))
	}
	for _, name := range f.methods {
		m, err := evaluate.IndictingMethod(name)
		if err != nil {
			return err
		}
		o.Methods = append(o.Methods, m)
	}
	return o.Validate()
}

func texts[T any](values []T) []string {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

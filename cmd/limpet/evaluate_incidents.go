package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

type evaluateIncidentsFlags struct {
	evaluationFlags
	events, metrics []string
	arrays          int
	quick           bool
	evaluate.IncidentsOptions
}

// mostFaults is the largest number of faults at the same time: with so many faults, no healthy
// peers are left.
const mostFaults = 1000

func newEvaluateIncidents() *cobra.Command {
	f := evaluateIncidentsFlags{IncidentsOptions: evaluate.DefaultIncidents()}
	cmd := &cobra.Command{
		Use:   "incidents",
		Short: "check whether each fault has one incident, at the right component",
		Long: `Simulate a storage system like the storage of the supercomputer Intrepid. Diagnose
it as limpet diagnose does, without training, and compare the incidents with the
simulated faults:
  events      the 23 events of the paper L13, each from a day before its start to
              two days after its start. The report shows which devices are found
              with the right kind of fault, and after how many hours, next to the
              figures of the paper
  concurrent  two or three faults at the same time, chosen at random, on four
              arrays. The report shows in how many runs limpet names exactly the
              faulty components
  quiet       days without a fault. The report shows how many incidents are false

The three experiments take about an hour on two cores; with --quick they take half a
minute.`,
		Example: `  limpet evaluate incidents --quick
  limpet evaluate incidents --experiment events --metric all --html page.html
  limpet evaluate incidents --experiment concurrent --runs 50 --faults 3 --seed 1000`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.Experiments, "experiment", f.Experiments, "`NAMES` of the experiments to run: "+strings.Join(evaluate.Experiments(), ", "))
	fs.StringSliceVar(&f.events, "events", nil, "simulate only events that have one of these `texts` in their date, components or kind (default: all events)")
	fs.StringSliceVar(&f.metrics, "metric", f.Diagnose.Metrics, "`METRICS` that are compared; \"all\" stands for all metrics of a device")
	fs.Var(bounded.Int(&f.Runs, 1, mostRuns, "runs"), "runs", "number of `runs` with several faults at the same time; each run has its own seed")
	fs.Var(bounded.Ints(&f.Faults, 1, mostFaults, "faults"), "faults", "`numbers` of faults at the same time, such as 2,3: the first run then has 2 faults, the second run 3, the third run 2")
	f.arrays = f.ConcurrentSystem.Arrays
	fs.Var(bounded.Int(&f.arrays, 1, arrays.MaxArrays, "arrays"), "arrays", "number of `arrays` in the runs with several faults at the same time")
	fs.Var(bounded.Int(&f.Days, 1, arrays.MaxDays, "days"), "days", "number of `days` without a fault to simulate")
	fs.Var(bounded.Seed(&f.System.Seed), "seed", "`seed` of the first simulation")
	fs.BoolVar(&f.quick, "quick", false, "simulate smaller storage systems: three events, six runs with several faults, and one day without a fault")
	return cmd
}

func (f *evaluateIncidentsFlags) run(cmd *cobra.Command) error {
	if err := f.options(cmd); err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Incidents, f.IncidentsOptions, "simulating and diagnosing runs")
}

// options converts the flags to options. Flags of the user override the choices of --quick.
func (f *evaluateIncidentsFlags) options(cmd *cobra.Command) error {
	events, luns, runs, days := f.Events, f.System.LUNs, f.Runs, f.Days
	if f.quick {
		f.Quick()
		override(cmd, "events", &f.Events, events)
		override(cmd, "events", &f.System.LUNs, luns) // the LUNs that the events may hit
		override(cmd, "runs", &f.Runs, runs)
		override(cmd, "days", &f.Days, days)
	}
	if cmd.Flags().Changed("arrays") {
		f.OnArrays(f.arrays)
	}
	if len(f.events) > 0 {
		if err := f.Choose(f.events); err != nil {
			return err
		}
	}
	f.Judge(f.metrics)
	return f.Validate()
}

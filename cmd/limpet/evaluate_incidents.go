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

// mostFaults at once leave nobody to compare with.
const mostFaults = 1000

func newEvaluateIncidents() *cobra.Command {
	f := evaluateIncidentsFlags{IncidentsOptions: evaluate.DefaultIncidents()}
	cmd := &cobra.Command{
		Use:   "incidents",
		Short: "whether each fault becomes one incident, at the right component",
		Long: `Simulate storage like that of Intrepid, diagnose it to incidents as limpet
diagnose does, with nothing trained, and hold them against the truth:
  events      the 23 events of L13, each from a day before its onset to two days
              after: every device found, of its kind, and the hours until then
              beside the paper's
  concurrent  faults drawn at random, two or three at once, on four arrays: in
              how many runs all components are named, and no others
  quiet       days without a fault: how many incidents are false
All of it takes about an hour on two cores; --quick half a minute.`,
		Example: `  limpet evaluate incidents --quick
  limpet evaluate incidents --experiment events --metric all --html page.html
  limpet evaluate incidents --experiment concurrent --runs 50 --faults 3 --seed 1000`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.Experiments, "experiment", f.Experiments, "`NAMES` of experiments: "+strings.Join(evaluate.Experiments(), ", "))
	fs.StringSliceVar(&f.events, "events", nil, "only events that have one of these `texts` in their date, components or kind")
	fs.StringSliceVar(&f.metrics, "metric", f.Diagnose.Metrics, "`METRICS` to judge by; all: those of a device")
	fs.Var(bounded.Int(&f.Runs, 1, mostRuns, "runs"), "runs", "`runs` with faults at once, each of another seed")
	fs.Var(bounded.Ints(&f.Faults, 1, mostFaults, "faults"), "faults", "`numbers` of faults at once, in turn")
	f.arrays = f.Drawn.Arrays
	fs.Var(bounded.Int(&f.arrays, 1, arrays.MaxArrays, "arrays"), "arrays", "`arrays` of the system with faults at once")
	fs.Var(bounded.Int(&f.Days, 1, arrays.MaxDays, "days"), "days", "`days` without a fault")
	fs.Var(bounded.Seed(&f.System.Seed), "seed", "first `seed` of the simulation")
	fs.BoolVar(&f.quick, "quick", false, "three events, six runs with faults at once, and a quiet day, of smaller systems")
	return cmd
}

func (f *evaluateIncidentsFlags) run(cmd *cobra.Command) error {
	if err := f.options(cmd); err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Incidents, f.IncidentsOptions, "simulating and diagnosing runs")
}

// options reads the flags. What they say goes before what --quick would choose.
func (f *evaluateIncidentsFlags) options(cmd *cobra.Command) error {
	events, luns, runs, days := f.Events, f.System.LUNs, f.Runs, f.Days
	if f.quick {
		f.Quick()
		override(cmd, "events", &f.Events, events)
		override(cmd, "events", &f.System.LUNs, luns) // which they may be of
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

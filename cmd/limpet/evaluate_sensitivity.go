package main

import (
	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
)

type evaluateSensitivityFlags struct {
	evaluationFlags
	quick bool
	evaluate.SensitivityOptions
}

func newEvaluateSensitivity() *cobra.Command {
	f := evaluateSensitivityFlags{SensitivityOptions: evaluate.DefaultSensitivity()}
	cmd := &cobra.Command{
		Use:   "sensitivity",
		Short: "what doubling and halving a bound changes",
		Long: `Simulate systems like Intrepid and F10's test bench, diagnose them with each bound
of docs/method.md halved and doubled, one at a time, and print what that changes:
faults found, wrong incidents, and the median time until a fault is an incident.
Of a ratio (times) the logarithm is halved, of a share the odds. All bounds take
about an hour on two cores.`,
		Example: `  limpet evaluate sensitivity --bound criteria.clear_times,slow.cache_times
  limpet evaluate sensitivity --csv figures.csv --html page.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.Bounds, "bound", f.Bounds, "`NAMES` of bounds, as docs/method.md has them; by default all")
	fs.Lookup("bound").DefValue = ""
	fs.Var(bounded.Int(&f.Incidents.Runs, 1, mostRuns, "runs"), "runs", "`runs` with faults at once, each of another seed")
	fs.Var(bounded.Seed(&f.Incidents.System.Seed), "seed", "first `seed` of the simulation")
	fs.BoolVar(&f.quick, "quick", false, "one run with faults at once, and two of the test bench")
	return cmd
}

func (f *evaluateSensitivityFlags) run(cmd *cobra.Command) error {
	f.Testbench.Seed = f.Incidents.System.Seed
	if f.quick {
		runs := f.Incidents.Runs
		f.Quick()
		override(cmd, "runs", &f.Incidents.Runs, runs)
	}
	if err := f.Validate(); err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Sensitivity, f.SensitivityOptions, "simulating and diagnosing runs")
}

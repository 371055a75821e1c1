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
		Short: "show what changes when a threshold is halved or doubled",
		Long: `Simulate storage systems like the storage of the supercomputer Intrepid, and like
the test bench of the paper F10. Halve and double each threshold of docs/method.md,
one threshold at a time, and diagnose the simulated systems again. Print what
changes: the faults found, the false incidents, and the median time from the fault
to the incident. Ratios and shares cannot be halved directly. A ratio is changed on
the logarithmic scale: 4 becomes 2 or 16. A share is changed by its odds: a share of
0.5 (odds 1 to 1) becomes 0.33 (1 to 2) or 0.67 (2 to 1). All thresholds together
take about an hour on two cores. Packages install docs/method.md in
/usr/share/doc/limpet.`,
		Example: `  limpet evaluate sensitivity --bound criteria.clear_times,slow.cache_times
  limpet evaluate sensitivity --csv figures.csv --html page.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.Bounds, "bound", f.Bounds, "`NAMES` of thresholds, as docs/method.md lists them (default: all)")
	fs.Lookup("bound").DefValue = "[]" // pflag prints no default then
	fs.Var(bounded.Int(&f.Incidents.Runs, 1, mostRuns, "runs"), "runs", "number of `runs` with several faults at the same time; each run has its own seed")
	fs.Var(bounded.Seed(&f.Incidents.System.Seed), "seed", "`seed` of the first simulation")
	fs.BoolVar(&f.quick, "quick", false, "simulate only one run with several faults, and two runs of the test bench")
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

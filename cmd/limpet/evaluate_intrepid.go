package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

type evaluateIntrepidFlags struct {
	evaluationFlags
	events []string
	quick  bool
	evaluate.IntrepidOptions
}

// mostWindows is more than an accumulator has counted in twenty years.
const mostWindows = 1_000_000

func newEvaluateIntrepid() *cobra.Command {
	f := evaluateIntrepidFlags{IntrepidOptions: evaluate.DefaultIntrepid()}
	cmd := &cobra.Command{
		Use:   "intrepid",
		Short: "L13's events: which are seen, and after how long",
		Long: `Simulate the 23 events that L13 met in the storage of Intrepid, each from a day
before its onset to two days after, diagnose them by await with the paper's
three measures, and let an operator by rule read the hourly lists. Prints which
events were seen and after how many hours (Tables 4 to 9), with the paper's
figures beside them. All of it takes about a quarter of an hour on two cores.`,
		Example: `  limpet evaluate intrepid --events ddn19a,drawer
  limpet evaluate intrepid --measures all --csv figures.csv --html page.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.events, "events", nil, "only events that have one of these `texts` in their date, components or kind")
	fs.StringSliceVar(&f.Measures, "measures", f.Measures, "`NAMES` of distances to compare, or all: "+strings.Join(persistence.Measures(), ", "))
	fs.Var(bounded.Int(&f.Operator.Persistent, 0, mostWindows, "windows"), "persistent", "`accumulator` above which the operator looks into a component")
	fs.Var(bounded.Int(&f.Operator.Together, 2, arrays.MaxArrays*arrays.MaxLUNsPerArray, "LUNs"), "together", "`LUNs` of one controller or server that are looked into together")
	fs.BoolVar(&f.Operator.ServerWork, "tell-server-work", false, "let the operator tell a server's own workload from a fault, as L13's could not")
	fs.Var(bounded.Seed(&f.System.Seed), "seed", "`seed` of the simulation")
	fs.BoolVar(&f.quick, "quick", false, "one event of a system of 256 LUNs, by cdf")
	return cmd
}

func (f *evaluateIntrepidFlags) run(cmd *cobra.Command) error {
	if err := f.options(cmd); err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Intrepid, f.IntrepidOptions, "simulating and diagnosing events")
}

func (f *evaluateIntrepidFlags) options(cmd *cobra.Command) error {
	if len(f.events) > 0 {
		if err := f.Choose(f.events); err != nil {
			return err
		}
	}
	if slices.Equal(f.Measures, []string{"all"}) {
		f.Measures = persistence.Measures()
	}
	if f.quick {
		measures := f.Measures
		f.Quick()
		override(cmd, "measures", &f.Measures, measures)
	}
	return f.Validate()
}

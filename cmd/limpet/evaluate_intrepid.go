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

// mostWindows is more windows than an accumulator counts in twenty years.
const mostWindows = 1_000_000

func newEvaluateIntrepid() *cobra.Command {
	f := evaluateIntrepidFlags{IntrepidOptions: evaluate.DefaultIntrepid()}
	cmd := &cobra.Command{
		Use:   "intrepid",
		Short: "simulate the events of the paper L13: which events are found, and after how many hours",
		Long: `Simulate the 23 events that the paper L13 describes, on the storage of the
supercomputer Intrepid. Each simulation starts a day before the event and ends two
days after its start. Diagnose the events from the await values, with each of the
three distance measures of the paper. A simulated operator reads the hourly lists
and follows fixed rules. The report shows which events were found and after how many
hours (Tables 4 to 9), next to the figures of the paper. The evaluation takes about
a quarter of an hour on two cores.`,
		Example: `  limpet evaluate intrepid --events ddn19a,drawer
  limpet evaluate intrepid --measures all --csv figures.csv --html page.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.events, "events", nil, "simulate only events that have one of these `texts` in their date, components or kind (default: all events)")
	fs.StringSliceVar(&f.Measures, "measures", f.Measures, "`NAMES` of the distance measures to compare, or \"all\": "+strings.Join(persistence.Measures(), ", "))
	fs.Var(bounded.Int(&f.Operator.Persistent, 0, mostWindows, "windows"), "persistent", "the simulated operator checks a component that was suspect in more than this `number` of windows")
	fs.Var(bounded.Int(&f.Operator.Together, 2, arrays.MaxArrays*arrays.MaxLUNsPerArray, "LUNs"), "together", "the simulated operator checks a controller or server if at least this number of its `LUNs` is suspect")
	fs.BoolVar(&f.Operator.ServerWork, "tell-server-work", false, "the simulated operator can distinguish the workload of a server from a fault; the operator in the paper L13 could not")
	fs.Var(bounded.Seed(&f.System.Seed), "seed", "`seed` of the random numbers of the simulation")
	fs.BoolVar(&f.quick, "quick", false, "simulate one event on a storage system of 256 LUNs, with the measure cdf only")
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

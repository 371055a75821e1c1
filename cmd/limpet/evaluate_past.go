package main

import (
	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
)

type evaluatePastFlags struct {
	sourceFlags
	evaluationFlags
	evaluate.PastOptions
}

func newEvaluatePast() *cobra.Command {
	f := evaluatePastFlags{PastOptions: evaluate.DefaultPast()}
	cmd := &cobra.Command{
		Use:   "past PATH...",
		Short: "diagnose each component of your own data without its peers",
		Long: `Diagnose each component of your data alone, and then together with only one other
component. These are too few for a comparison with peers, so limpet can compare a
component only with its own past. Each component is diagnosed twice: with its
recorded latencies, and with latencies that are multiplied by a factor from a random
day on. The report shows how many of the components with multiplied latencies are
found, and after how many days of data. It also shows how many components have an
incident although their latencies were not changed (false incidents).

The data must cover several days. All data are kept in memory: 10 million values
take 40 MB.`,
		Example: `  limpet evaluate past --tables examples/perseus.yaml cluster_A
  limpet evaluate past --slower 1.2,2 --seed 7 /var/log/sysstat`,
		Args: paths("the data: activity files, tables, or a directory of these files"),
		RunE: f.run,
	}
	f.sourceFlags.bind(cmd)
	f.evaluationFlags.bind(cmd)
	fs := cmd.Flags()
	fs.Var(bounded.Floats(&f.Slower, 1, 1000, "times"), "slower", "`factors` by which the latencies of a component are multiplied")
	fs.Var(bounded.Int(&f.Days, 1, mostRuns, "days"), "past-days", "minimum number of `days` with data before a component becomes slower")
	fs.Var(bounded.Seed(&f.Seed), "seed", "`seed` of the random days and pairs")
	return cmd
}

func (f *evaluatePastFlags) run(cmd *cobra.Command, paths []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	src, o, err := f.open(cmd, paths)
	if err != nil {
		return err
	}
	defer src.Close()
	f.Diagnose = o
	if err := f.Validate(); err != nil {
		return usageError{err}
	}
	stream, progress := withProgress(cmd, src)
	result, err := evaluate.Past(cmd.Context(), f.PastOptions, src.System(), stream, nil)
	progress.done()
	if err != nil {
		return err
	}
	return f.write(cmd, result.Report())
}

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/lab/simulate"
)

func newSimulate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "simulate a storage system with known faults, and write its recordings",
		Long: `Simulate a storage system and write the files that its servers would have recorded:
activity files, which sar can read, and a topology file; or tables of drives. The file
truth.yaml in the same directory lists the simulated faults.`,
		Example: `  limpet simulate testbench --workload ddw --fault disk-busy --dir run
  limpet simulate intrepid --days 2 --events events.yaml --dir intrepid
  limpet simulate fleet --disk-groups 1000 --dir fleet`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no simulation called %q: use testbench, intrepid or fleet", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSimulateTestbench(), newSimulateIntrepid(), newSimulateFleet())
	return cmd
}

// simulation returns a subcommand that takes only flags.
func simulation(name, short, long, example string, run func(*cobra.Command) error) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Long: long, Example: example,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd) },
	}
}

// orInterrupted returns err. If the user has interrupted the command, it returns a plain error
// instead.
func orInterrupted(cmd *cobra.Command, err error) error {
	if cmd.Context().Err() != nil {
		return errors.New("interrupted: nothing was written")
	}
	return err
}

// tell prints the name of the directory, the simulated faults, and the commands that diagnose the
// files.
func tell(out io.Writer, dir string, truth *simulate.Truth, diagnose string) {
	topology, files, list := filepath.Join(dir, simulate.TopologyFile), filepath.Join(dir, simulate.ActivityDir), filepath.Join(dir, simulate.TruthFile)
	fmt.Fprintf(out, "directory %s: files of the simulated system %s from %s to %s\n", dir, truth.System, stamp(truth.From), stamp(truth.To))
	for _, f := range truth.Faults {
		fmt.Fprintf(out, "  %s: %s\n", f.Kind, f.Text)
	}
	if len(truth.Faults) == 0 {
		fmt.Fprintf(out, "  no fault was simulated\n")
	}
	if n := len(truth.Harmless); n > 0 {
		fmt.Fprintf(out, "  %d conditions that look like faults but are not faults (listed in %s)\n", n, list)
	}
	fmt.Fprintf(out, "%s --topology %s %s\n", diagnose, topology, files)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

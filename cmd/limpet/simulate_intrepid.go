package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

type simulateIntrepidFlags struct {
	dir, events, incident, start string
	printEvents                  bool
	options                      arrays.IntrepidOptions
}

func newSimulateIntrepid() *cobra.Command {
	f := simulateIntrepidFlags{options: arrays.DefaultIntrepidOptions()}
	cmd := simulation("intrepid", "simulate a large shared storage system under load, for days",
		`Simulate the storage of the supercomputer Intrepid, or a similar storage system of
any size: arrays with two controllers, LUNs that are attached to several servers in
order of priority, and jobs that start and end. Each server writes one activity file
a day. Without an events file, no fault is simulated. limpet contains the events of
Intrepid that the paper L13 describes; --incident chooses an event.`,
		`  limpet simulate intrepid --dir day                               simulate a day without a fault
  limpet simulate intrepid --incident 2011-07-14 --dir event       simulate from a day before the event to two days after
  limpet simulate intrepid --arrays 2 --servers 16 --luns 144 --days 3 --events mine.yaml
  limpet simulate intrepid --print-events > events.yaml            write an example of an events file`, f.run)
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", "limpet-intrepid", "`directory` to write to")
	flags.Var(bounded.Int(&f.options.Days, 1, arrays.MaxDays, "days"), "days", "number of days to simulate")
	flags.Var(bounded.Int(&f.options.Arrays, 1, arrays.MaxArrays, "arrays"), "arrays", "number of arrays")
	flags.Var(bounded.Int(&f.options.Servers, 2, arrays.MaxArrays*arrays.MaxServersPerArray, "servers"), "servers", "number of servers of all arrays together")
	flags.Var(bounded.Int(&f.options.LUNs, arrays.MinLUNsPerArray, arrays.MaxArrays*arrays.MaxLUNsPerArray, "LUNs"), "luns", "number of LUNs of all arrays together")
	flags.Var(bounded.Duration(&f.options.Interval, time.Second, time.Hour), "interval", "time between two records")
	flags.StringVar(&f.start, "start", f.options.Start.Format(time.RFC3339), "`time` of the first record, such as 2011-05-09T00:00:05Z")
	flags.StringVar(&f.events, "events", "", "events `FILE`, which lists the faults to simulate (default: no faults)")
	flags.StringVar(&f.incident, "incident", "", "simulate the event of this `date` that the paper L13 describes; do not use with --days, --start or --events")
	flags.BoolVar(&f.printEvents, "print-events", false, "print an events file with the events of the paper L13, and simulate nothing")
	flags.BoolVar(&f.options.Compressed, "compress", f.options.Compressed, "compress the activity files")
	flags.Var(bounded.Seed(&f.options.Seed), "seed", "`seed` of the random numbers of the simulation")
	return cmd
}

func (f *simulateIntrepidFlags) run(cmd *cobra.Command) error {
	if f.printEvents {
		_, err := cmd.OutOrStdout().Write(arrays.Events())
		return err
	}
	s, err := f.scenario(cmd)
	if err != nil {
		return err
	}
	show, end := percent(cmd)
	truth, err := s.Write(cmd.Context(), f.dir, func(done, total int) { show(int64(done), int64(total)) })
	end()
	if err != nil {
		return orInterrupted(cmd, err)
	}
	tell(cmd.OutOrStdout(), f.dir, truth, "limpet diagnose")
	return nil
}

func (f *simulateIntrepidFlags) scenario(cmd *cobra.Command) (*arrays.Scenario, error) {
	if f.incident != "" {
		return f.reported(cmd)
	}
	var err error
	if f.options.Start, err = time.Parse(time.RFC3339, f.start); err != nil {
		return nil, usageError{fmt.Errorf("--start %q is not a time: write a time such as 2011-05-09T00:00:05Z", f.start)}
	}
	if err := f.options.Validate(); err != nil {
		return nil, usageError{err}
	}
	s, err := arrays.Intrepid(f.options)
	if err != nil || f.events == "" {
		return s, err
	}
	text, err := bounded.ReadFile(f.events, bounded.MaxYAML, "an events file")
	if err != nil {
		return nil, err
	}
	events, err := s.ParseEvents(f.events, text)
	s.Events = append(s.Events, events...)
	return s, err
}

// reported returns the scenario of an event that L13 reports.
func (f *simulateIntrepidFlags) reported(cmd *cobra.Command) (*arrays.Scenario, error) {
	for _, name := range []string{"days", "start", "events"} {
		if cmd.Flags().Changed(name) {
			return nil, usageError{fmt.Errorf("--incident and --%s cannot be used together: remove one of the two flags", name)}
		}
	}
	all := arrays.IntrepidEvents()
	i := slices.IndexFunc(all, func(e arrays.Incident) bool { return strings.HasPrefix(e.Name(), f.incident) })
	if i < 0 {
		var names []string
		for _, e := range all {
			names = append(names, "  "+e.Name())
		}
		return nil, usageError{fmt.Errorf("the paper L13 describes no event on %q. Use one of these events:\n%s", f.incident, strings.Join(names, "\n"))}
	}
	s, err := all[i].Scenario(f.options)
	if err != nil {
		return nil, usageError{errors.Join(err, errors.New("the events of the paper L13 need the whole storage of Intrepid: remove --arrays, --servers and --luns"))}
	}
	return s, nil
}

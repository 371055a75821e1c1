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
	cmd := simulation("intrepid", "a large shared storage system at work, for days",
		`Simulate the storage of Intrepid, or one like it of any size: arrays with two
controllers, LUNs that several servers are attached to in order of priority, jobs
that come and go; one activity file for each server and day. Nothing is broken but
what an events file says; the events that L13 reports are built in.`,
		`  limpet simulate intrepid --dir day                               a day without a fault
  limpet simulate intrepid --incident 2011-07-14 --dir event       a day before it to two after
  limpet simulate intrepid --arrays 2 --servers 16 --luns 144 --days 3 --events mine.yaml
  limpet simulate intrepid --print-events > events.yaml            the format, by example`, f.run)
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", "limpet-intrepid", "`directory` to write to")
	flags.Var(bounded.Int(&f.options.Days, 1, arrays.MaxDays, "days"), "days", "how many")
	flags.Var(bounded.Int(&f.options.Arrays, 1, arrays.MaxArrays, "arrays"), "arrays", "how many")
	flags.Var(bounded.Int(&f.options.Servers, 2, arrays.MaxArrays*arrays.MaxServersPerArray, "servers"), "servers", "of all arrays")
	flags.Var(bounded.Int(&f.options.LUNs, arrays.MinLUNsPerArray, arrays.MaxArrays*arrays.MaxLUNsPerArray, "LUNs"), "luns", "of all arrays")
	flags.Var(bounded.Duration(&f.options.Interval, time.Second, time.Hour), "interval", "between records")
	flags.StringVar(&f.start, "start", f.options.Start.Format(time.RFC3339), "`time` of the first record")
	flags.StringVar(&f.events, "events", "", "`FILE` of what goes wrong")
	flags.StringVar(&f.incident, "incident", "", "the event that L13 reports of this `date`, instead of --days, --start and --events")
	flags.BoolVar(&f.printEvents, "print-events", false, "print the file of L13's events, and no more")
	flags.BoolVar(&f.options.Compressed, "compress", f.options.Compressed, "activity files")
	flags.Var(bounded.Seed(&f.options.Seed), "seed", "`seed` of the system and its days")
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
		return nil, usageError{fmt.Errorf("start %q is not a time: write it as 2011-05-09T00:00:05Z", f.start)}
	}
	if err := f.options.Validate(); err != nil {
		return nil, usageError{err}
	}
	s, err := arrays.Intrepid(f.options)
	if err != nil || f.events == "" {
		return s, err
	}
	text, err := bounded.ReadFile(f.events, bounded.MaxYAML, "a list of events")
	if err != nil {
		return nil, err
	}
	events, err := s.ParseEvents(f.events, text)
	s.Events = append(s.Events, events...)
	return s, err
}

// reported is one of L13's events.
func (f *simulateIntrepidFlags) reported(cmd *cobra.Command) (*arrays.Scenario, error) {
	for _, name := range []string{"days", "start", "events"} {
		if cmd.Flags().Changed(name) {
			return nil, usageError{fmt.Errorf("--incident and --%s exclude each other: leave one out", name)}
		}
	}
	all := arrays.IntrepidEvents()
	i := slices.IndexFunc(all, func(e arrays.Incident) bool { return strings.HasPrefix(e.Name(), f.incident) })
	if i < 0 {
		var names []string
		for _, e := range all {
			names = append(names, "  "+e.Name())
		}
		return nil, usageError{fmt.Errorf("L13 reports no event of %q; those that it does:\n%s", f.incident, strings.Join(names, "\n"))}
	}
	s, err := all[i].Scenario(f.options)
	if err != nil {
		return nil, usageError{errors.Join(err, errors.New("L13's events need Intrepid at its full size"))}
	}
	return s, nil
}

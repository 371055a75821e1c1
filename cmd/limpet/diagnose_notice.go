package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/topology"
)

// noticeFlags choose the incidents that are reported, and the exit code for scripts.
type noticeFlags struct {
	exitCode, quiet bool
	changes         string
	components      []string
	choice          outcome.Choice
}

func (f *noticeFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.components, "component", nil, "report only components with these `NAMES`, or of the servers, LUNs or arrays with these names (1.07, 'LUN 1.07', 'sd*', fs[1-8]), or the incident with this ID (its first four characters are enough). Each component is still compared with all of its peers")
	fs.BoolVar(&f.exitCode, "exit-code", false, "exit with code 3 if there is an incident, 4 if there are only suspects, 5 if no component could be compared with its peers, 6 if nothing is wrong, but a server has no data that limpet can use. Without this flag, the exit code is 0 in these four cases (see limpet help exit-codes)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing if there is no problem, so that cron sends no mail")
	fs.StringVar(&f.changes, "changes", "", "print only what is new since the last run with the same `STATE` file. The first run creates this file")
}

// check checks the flags before any data are read.
func (f *noticeFlags) check(lists bool) error {
	for _, flag := range []struct {
		name string
		set  bool
	}{{"quiet", f.quiet}, {"changes", f.changes != ""}} {
		if flag.set && lists {
			return usageError{fmt.Errorf("--%s and --list cannot be used together: remove one of the two flags", flag.name)}
		}
	}
	var names []string
	for _, name := range f.components {
		names = append(names, outcome.Name(name))
	}
	about, err := topology.ParseNames(names)
	if err != nil {
		return usageError{fmt.Errorf("--component: %w", err)}
	}
	f.choice = outcome.Choice{About: about, Quiet: f.quiet}
	if f.changes != "" {
		f.choice.Since, err = outcome.ReadMemory(f.changes)
	}
	return err
}

// watch returns an observer of the incidents of a system.
func (f *noticeFlags) watch(system *topology.System) (*outcome.Observer, error) {
	f.choice.System = system
	if err := outcome.Check(f.choice.About, system); err != nil {
		return nil, usageError{err}
	}
	return outcome.NewObserver(system, f.choice.About), nil
}

// aboutOnly returns the choice of incidents for the HTML page. The page shows all incidents of the
// components that the user named, and not only changes.
func (f *noticeFlags) aboutOnly() report.Choice {
	return &outcome.Choice{System: f.choice.System, About: f.choice.About}
}

// print prints the complete report, or nothing if there is nothing to report.
func (f *noticeFlags) print(w io.Writer, whole *bytes.Buffer, text bool, z zoneFlag, o outcome.Outcome) error {
	if f.choice.HasNothing(o) {
		return nil
	}
	if heading := f.choice.Heading(z.zone); text && heading != "" {
		fmt.Fprintln(w, heading)
	}
	_, err := whole.WriteTo(w)
	if text && f.choice.Since != nil {
		for _, line := range append(f.choice.Since.Again(z.zone), f.choice.Since.Gone(o)...) {
			fmt.Fprintln(w, line)
		}
	}
	return err
}

// remember saves the reported incidents for the next run with --changes.
func (f *noticeFlags) remember(ctx context.Context, s *engine.Summary, o outcome.Outcome) error {
	if f.choice.Since == nil {
		return nil
	}
	return f.choice.Since.Write(ctx, f.changes, s, o)
}

// code returns an error that carries the exit code of an outcome; nil: exit code 0.
func (f *noticeFlags) code(o outcome.Outcome) error {
	if !f.exitCode || o == outcome.Clean {
		return nil
	}
	return outcomeError{outcome: o}
}

// refused returns the error for a source that could not be opened. If the source has no data for
// the request and --exit-code is set, the error has the exit code of the outcome Unjudged.
func (f *noticeFlags) refused(err error) error {
	if _, nothing := errors.AsType[*ingest.NothingError](err); nothing && f.exitCode {
		return outcomeError{err, outcome.Unjudged}
	}
	return err
}

// outcomeError ends a command with the exit code of an outcome. If it has a cause, the cause is
// printed.
type outcomeError struct {
	error
	outcome outcome.Outcome
}

func (e outcomeError) Unwrap() error { return e.error }

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/listener"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/upkeep"
)

// maintenanceFlags choose the maintenance of an array while it is served: spares, rebuilds and
// scrubs.
type maintenanceFlags struct {
	control string
	spares  []string
	options upkeep.Options
}

// Bounds of the rate of rebuilds and scrubs.
const (
	slowestKeeping = 1 << 10 // bytes a second
	fastestKeeping = 1 << 40
)

func (f *maintenanceFlags) bind(cmd *cobra.Command) {
	f.options = upkeep.DefaultOptions()
	fs := cmd.Flags()
	fs.StringVar(&f.control, "control", "", "`PATH` of a control socket. While the array is served, limpet raid status, scrub, rebuild, mask and unmask can control it with --at PATH (default: no socket)")
	fs.StringArrayVar(&f.spares, "spare", nil, "`PATH` of a spare member, which replaces a lost member. The flag may be repeated")
	fs.Var(bounded.Duration(&f.options.ScrubEvery, time.Minute, 10*365*24*time.Hour), "scrub-every", "time between two scrubs with repair, such as 168h (default: no scrubs)")
	fs.Var(bounded.Bytes(&f.options.BytesPerSecond, slowestKeeping, fastestKeeping), "rate", "largest number of bytes a second that a rebuild or a scrub may read or write on each member")
}

// keep starts the maintenance of an array, which runs until stop is called. It reports its work
// with say.
func (f *maintenanceFlags) keep(a *raid.Array, readOnly bool, say func(string)) (stop func() error, err error) {
	if readOnly {
		if f.control != "" || len(f.spares) > 0 || f.options.ScrubEvery > 0 {
			return nil, usageError{errors.New("--control, --spare and --scrub-every cannot be used with --read-only, because these flags cause writes to the members: remove these flags, or remove --read-only")}
		}
		return func() error { return nil }, nil
	}
	o := f.options
	o.Report = say
	if o.Spares, err = openSpares(f.spares); err != nil {
		return nil, err
	}
	k, err := upkeep.New(a, o)
	if err != nil {
		closeMembers(o.Spares)
		return nil, err
	}
	if f.control == "" {
		return k.Close, nil
	}
	l, err := nbd.Listen("unix:"+strings.TrimPrefix(f.control, "unix:"), false)
	if err != nil {
		return nil, errors.Join(err, k.Close())
	}
	l = listener.New(l, listener.Options{Max: mostScrapers, Report: func(err error) { say("control socket: " + err.Error()) }})
	h := &http.Server{Handler: &upkeep.Handler{Array: a, Keeper: k}, ReadTimeout: slowestScraper}
	go h.Serve(l) //nolint:errcheck // Serve ends with an error when the server is closed
	return func() error { return errors.Join(h.Close(), k.Close()) }, nil
}

func openSpares(paths []string) (list []raid.Member, err error) {
	for _, path := range paths {
		m, err := member.OpenFile(path)
		if err != nil {
			closeMembers(list)
			return nil, fmt.Errorf("spare %s: %w", path, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// atFlag is the path of the control socket of the process that serves an array.
type atFlag struct{ path string }

func (f *atFlag) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "at", "", "`PATH` of the control socket of an array that is being served (the path that was given to limpet raid serve --control)")
}

// membersOr returns a check that wants members unless --at is given.
func (f *atFlag) membersOr(members cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if f.path == "" {
			return members(cmd, args)
		}
		if len(args) > 0 && cmd.Name() != "rebuild" {
			return usageError{errors.New("--at already names the array: remove the list of members")}
		}
		return nil
	}
}

// printServed prints the state of an array that is being served.
func printServed(cmd *cobra.Command, s upkeep.Status, err error) error {
	if err != nil {
		return err
	}
	printWarnings(cmd.ErrOrStderr(), s.Warnings)
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, m := range s.Members {
		fmt.Fprintf(t, "  %s\t%s\t%s", m.Role, m.State, m.Name)
		if m.Mask != nil {
			fmt.Fprintf(t, " (%s)", maskText(m.Mask))
		}
		fmt.Fprintln(t)
	}
	for _, name := range s.Spares {
		fmt.Fprintf(t, "  spare\t\t%s\n", name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), jobText(s.Job))
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "ID of the array: %s, number of the last event: %d\n", s.Array, s.Event)
	return err
}

// jobText describes the running job, or the result of the last job.
func jobText(j upkeep.Job) string {
	switch {
	case j.Kind == "":
		return "no rebuild and no scrub has run since the array was opened"
	case j.Ended.IsZero():
		return fmt.Sprintf("%s is running: %d of %d stripes are done (%.1f %%)", j.Kind, j.Done, j.Total, 100*float64(j.Done)/float64(max(j.Total, 1)))
	case j.Err != "":
		return fmt.Sprintf("%s stopped after %d of %d stripes: %s", j.Kind, j.Done, j.Total, j.Err)
	case j.Kind == upkeep.Scrub:
		return fmt.Sprintf("scrub is done: %d stripes had faults, %d of these stripes were repaired", j.Found, j.Repaired)
	default:
		return j.Kind + " is done"
	}
}

// follow waits until a job ends and shows its progress.
func (f *atFlag) follow(ctx context.Context, cmd *cobra.Command, s upkeep.Status, err error) error {
	show, end := percent(cmd)
	defer end()
	for c := upkeep.NewClient(f.path); err == nil && s.Job.Ended.IsZero() && ctx.Err() == nil; s, err = c.Status(ctx) {
		show(s.Job.Done, s.Job.Total)
		time.Sleep(followEvery)
	}
	if err == nil && ctx.Err() != nil {
		return errors.New("the rebuild or scrub continues, although this command ends now; limpet raid status --at PATH shows its progress")
	}
	if err := printServed(cmd, s, err); err != nil {
		return err
	}
	switch left := s.Job.Found - s.Job.Repaired; {
	case s.Job.Err != "":
		return errors.New(s.Job.Err)
	case left > 0:
		return fmt.Errorf("the scrub found %s that are not repaired", english.Count(int(left), "fault"))
	}
	return nil
}

// followEvery is the time between two requests for the state of a job.
const followEvery = 100 * time.Millisecond

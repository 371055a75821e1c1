package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/local"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/live/top/screen"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/topology"
)

type topFlags struct {
	zoneFlag
	topology, peers, record string
	devices                 []string
	format                  string
	once, plain, all, ascii bool
	noLatency, exitCode     bool
	since, watch            time.Duration
	server                  client.Options
	step                    int64
	limited                 func() bool // --since was given
}

// topFormats are the values of --format of top.
var topFormats = []string{"text", "json"}

// longestSince is the largest --since, and longestWatch the largest --for.
const longestSince, longestWatch = 30 * 24 * time.Hour, 24 * time.Hour

func newTop() *cobra.Command {
	var f topFlags
	cmd := &cobra.Command{
		Use:   "top [PATH...]",
		Short: "watch the drives of this machine or of other servers, the drive that differs most first",
		Long: `Show the drives of this machine second by second. The drives that differ most from
their peers come first. For each drive you see its latency and the latency range of
its peers, its load, the time when the difference began, and how certain the
difference is. A drive that stays slow becomes a suspect and then an incident;
limpet diagnose and limpet serve give the same incident the same ID. With PATH,
limpet top shows the servers whose activity files are below PATH, as the files are
written. With --url it shows the storage system of a running limpet serve, with its
suspects and incidents; the left and right keys then move through the whole history.

The keys are the same as in htop, less and vi; the key ? lists the keys. Percentiles
need root, or CAP_BPF and CAP_PERFMON. --record DIR saves the data, and limpet
diagnose DIR then repeats the diagnosis. Without a terminal, the table is printed
once.`,
		Example: `  limpet top
  limpet top --once                          print the table once
  limpet top --once --for 60s -o json        print JSON after a minute, for programs
  limpet top --record /tmp/tonight           also save the data
  limpet top /var/log/limpet                 show the servers whose files are in this directory
  limpet top --url http://127.0.0.1:9714     show the system of a running limpet serve`,
		RunE: f.run,
	}
	f.bind(cmd)
	fs := cmd.Flags()
	f.server = client.DefaultOptions()
	f.server.Server, f.server.Flag = "", "--url"
	fs.StringVar(&f.server.Server, "url", "", "show the storage system, suspects and incidents of the limpet serve at this `URL`, or at unix:PATH for the path of its socket; --server is the same flag (default: show this machine)")
	fs.SetNormalizeFunc(sameFlag("server", "url"))
	fs.StringVar(&f.server.TokenFile, "token-file", "", "with --url: `FILE` with the access token for the server (default: no token)")
	fs.StringVar(&f.server.User, "user", "", "with --url: user `NAME` to log in with; also give --password-file (default: no login)")
	fs.StringVar(&f.server.PasswordFile, "password-file", "", "with --url: `FILE` with the password of the user that --user names")
	fs.StringVar(&f.server.CAFile, "ca", "", "with --url: PEM `FILE` with the certificates of the authorities that may have signed the server's certificate (default: the authorities that this machine trusts)")
	fs.StringVarP(&f.topology, "topology", "t", "", "topology `FILE` of the storage system (default: no file, limpet finds the peers from the data)")
	fs.StringVar(&f.peers, "peers", topology.PeersAuto.String(), "if there is no topology: the `DEVICES` that are compared with each other: server (the similar devices of one server), all (the similar devices of all servers), name (the devices with the same name on all servers), or auto (like server if a server has three similar devices, otherwise like name)")
	fs.StringSliceVar(&f.devices, "devices", nil, "show only devices of this machine that match these `PATTERNS`, such as sd*,nvme* (default: all drives)")
	fs.StringVar(&f.record, "record", "", "also record this machine to files in `DIR`, as limpet record does (default: do not record)")
	fs.BoolVar(&f.noLatency, "no-latency", false, "do not measure the latencies of single requests")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: text or json; with json, the table is printed once, as with --once")
	fs.BoolVar(&f.once, "once", false, "print the table once and exit")
	fs.BoolVar(&f.plain, "plain", false, "print one sentence for each component and exit, for screen readers")
	fs.BoolVar(&f.all, "all", false, "with --once or --plain: list all components, not only the components that differ most")
	fs.BoolVar(&f.ascii, "ascii", false, "draw bars with ASCII characters only")
	fs.BoolVar(&f.exitCode, "exit-code", false, "with --once, --plain or json: exit with code 3 if there is an incident, 4 if a component differs clearly from its peers, 5 if no component could be compared (see limpet help exit-codes)")
	f.watch = 5 * time.Second
	fs.Var(bounded.Duration(&f.watch, 2*time.Second, longestWatch), "for", "watch this machine for this `time` before the table is printed once")
	f.since = time.Hour
	fs.Var(bounded.Duration(&f.since, time.Minute, longestSince), "since", "read only this much `time` of data, up to the last record of PATH. Without this flag, all data are read if the files are not too large, otherwise only the last hour")
	fs.Var(bounded.Int64(&f.step, 0, longestStep, "seconds"), "step", "length of a time step in `seconds`; 0 means 1 s, or the interval of the data if this interval is longer than 1 s. With PATH and --once, 0 means the time step of limpet diagnose")
	f.limited = func() bool { return fs.Changed("since") }
	return cmd
}

func (f *topFlags) run(cmd *cobra.Command, paths []string) error {
	if err := f.check(paths); err != nil {
		return usageError{err}
	}
	in, isFile := cmd.InOrStdin().(*os.File)
	out, isOut := cmd.OutOrStdout().(*os.File)
	full := !f.once && !f.plain && f.format == "text" && isFile && isOut && screen.Fits(in, out, os.Getenv)
	o := top.DefaultOptions()
	o.Zone = f.zone
	o.Source = cmp.Or(f.server.Server, strings.Join(paths, " "), topHost())
	o.Now = time.Now
	if f.server.Server != "" {
		return f.remote(cmd, o, screen.Options{In: in, Out: out, Env: os.Getenv, ASCII: f.ascii}, full)
	}
	done := func() {}
	if !full && len(paths) > 0 {
		done = note(cmd, fmt.Sprintf("reading %d MB of activity files …", min(activity.Bytes(paths), mostTopRead)>>20))
	}
	src, err := f.open(cmd, paths, &o, full)
	if err != nil {
		done()
		return interrupted(recognised(err))
	}
	defer src.Close()
	model, news := top.New(o), make(chan struct{}, 1)
	if system := src.System(); system != nil && len(paths) > 0 {
		if err := model.Change(system, src.Schema()); err != nil {
			return err
		}
	}
	work := func(ctx context.Context) error {
		defer done()
		return model.Follow(ctx, src, news)
	}
	if full {
		return screen.Run(cmd.Context(), f.feed(cmd, paths, model, o), screen.Options{In: in, Out: out, Env: os.Getenv, ASCII: f.ascii, News: news, Work: work})
	}
	ctx := cmd.Context()
	if len(paths) == 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.watch)
		defer stop()
	}
	if err := work(ctx); err != nil {
		return err
	}
	frame := model.Frame(0)
	if frame.End != 0 {
		return f.print(cmd, frame)
	}
	if len(paths) > 0 {
		var warnings []string
		for _, w := range src.Warnings() {
			warnings = append(warnings, w.String())
		}
		printWarnings(cmd.ErrOrStderr(), warnings)
		return errors.New("the data have no complete time step, so there are no values to print: give files with more data, or a shorter time step with --step")
	}
	if err := local.NoMatch(f.devices); err != nil {
		return err
	}
	return fmt.Errorf("this machine had no complete time step within %s, so there are no values to print; give a longer time with --for", f.watch)
}

// remote shows the drives that a running server watches.
func (f *topFlags) remote(cmd *cobra.Command, o top.Options, s screen.Options, full bool) error {
	c, err := client.New(f.server)
	if err != nil {
		return usageError{err}
	}
	view := client.NewTop(c, o)
	if full {
		news := make(chan struct{}, 1)
		s.News, s.Work = news, func(ctx context.Context) error { return view.Follow(ctx, news) }
		return screen.Run(cmd.Context(), view, s)
	}
	if err := view.Ask(cmd.Context()); err != nil {
		return err
	}
	return f.print(cmd, view.Frame(0))
}

// check checks the flags before any data are read.
func (f *topFlags) check(paths []string) error {
	if err := f.read(); err != nil {
		return err
	}
	switch {
	case !slices.Contains(topFormats, f.format):
		return fmt.Errorf("format %q is unknown: use text or json", f.format)
	case f.server.Server != "" && (len(paths) > 0 || f.record != "" || f.topology != "" || len(f.devices) > 0):
		return errors.New("--url shows only the data of the server: remove PATH, --record, --topology and --devices")
	case f.record != "" && len(paths) > 0:
		return errors.New("--record cannot be used with PATH, because the data of PATH are already recorded: remove --record")
	case len(f.devices) > 0 && len(paths) > 0:
		return errors.New("--devices cannot be used with PATH: name the devices in a topology file instead")
	}
	return nil
}

// mostTopRead is the largest size of activity files, unpacked, that top reads from the beginning.
// One core reads and judges 35 MB a second of 192 paths, and 6 MB a second of 9,216 paths.
const mostTopRead = 2 << 30

// feed returns the source of the screen. If the user goes back in time, files that were read from
// the beginning are read again.
func (f *topFlags) feed(cmd *cobra.Command, paths []string, model *top.Model, o top.Options) screen.Feed {
	if !o.Replayed {
		return model
	}
	return &top.Replay{Model: model, Open: func(ctx context.Context, after int64, system *topology.System) (ingest.Source, error) {
		a, err := f.reading(cmd, &o, true)
		if err != nil {
			return nil, err
		}
		if system != nil {
			a.System = system
		}
		return activity.Follow(ctx, paths, a, activity.FollowOptions{Now: time.Now, Once: true, Poll: time.Second, After: after})
	}}
}

// reading returns the options for reading activity files and the counters of this machine.
func (f *topFlags) reading(cmd *cobra.Command, o *top.Options, fine bool) (a activity.Options, err error) {
	a = activity.ForDiagnosis(&o.Engine)
	a.StepSeconds = f.step
	if fine {
		a.Finest = 1
	}
	if a.Peers, err = topology.ParsePeers(f.peers); err != nil {
		return a, usageError{err}
	}
	if f.topology != "" {
		a.System, err = readTopology(cmd, f.topology)
	}
	return a, err
}

// open opens the source. If files are printed once, it reads them as limpet diagnose does, so that
// both have the same suspects and incidents.
func (f *topFlags) open(cmd *cobra.Command, paths []string, o *top.Options, full bool) (ingest.Source, error) {
	if len(paths) > 0 && !full {
		o.Engine = engine.DefaultOptions()
		if f.step > 0 {
			o.Engine.Detect.StepSeconds = f.step
		}
	}
	a, err := f.reading(cmd, o, len(paths) == 0 || full)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return local.Open(cmd.Context(), local.Options{Activity: a, Dir: f.record, Devices: f.devices, NoLatency: f.noLatency})
	}
	newest, err := activity.Newest(paths)
	if err != nil {
		return nil, err
	}
	if newest.IsZero() {
		newest = time.Now() // there are no files yet
	}
	follow := activity.FollowOptions{Now: time.Now, Once: !full, Poll: time.Second}
	whole := !f.limited() && activity.Bytes(paths) <= mostTopRead
	if whole {
		o.CompareFrom, o.Replayed = newest.Add(-time.Hour/6).Unix(), full
	} else {
		follow.After = newest.Add(-f.since).Unix()
		o.ReadFrom = follow.After
	}
	if whole && !full {
		return activity.Open(cmd.Context(), paths, a)
	}
	return activity.Follow(cmd.Context(), paths, a, follow)
}

func (f *topFlags) print(cmd *cobra.Command, frame *top.Frame) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	var err error
	if f.format == "json" {
		err = top.JSON(out, frame)
	} else {
		err = top.Text(out, frame, top.TextOptions{Width: cmp.Or(columns(cmd.OutOrStdout()), 80), ASCII: f.ascii || !pictures(cmd.OutOrStdout()).Unicode, Plain: f.plain, All: f.all})
		printWarnings(cmd.ErrOrStderr(), frame.Warnings)
	}
	if err = errors.Join(err, out.Flush()); err != nil || !f.exitCode {
		return err
	}
	switch {
	case frame.Incidents > 0:
		return outcomeError{outcome: outcome.Incident}
	case frame.Suspects > 0 || frame.Apart > 0:
		return outcomeError{outcome: outcome.Suspects}
	case !slices.ContainsFunc(frame.Groups, func(g top.Group) bool { return g.Band != nil }):
		return outcomeError{outcome: outcome.Unjudged}
	}
	return nil
}

// topHost returns the name of this machine.
func topHost() string {
	name, err := os.Hostname()
	if err != nil {
		return "this machine"
	}
	return name
}

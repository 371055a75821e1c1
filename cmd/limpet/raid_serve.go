package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/listener"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/replay"
)

type raidServeFlags struct {
	raidFlags
	listen, metrics string
	tls             string
	delay           delayFlags
	keep            maintenanceFlags
	export          nbd.Export
	options         nbd.Options
	wrap            func(i int, m raid.Member) raid.Member // set by tests: wraps each member
}

func newRaidServe() *cobra.Command {
	f := raidServeFlags{options: nbd.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "serve --listen ADDRESS MEMBER...",
		Short: "serve an array as a network block device",
		Long: `Serve an array as a network block device (NBD) for nbd-client, qemu, nbdcopy and
fio. Without --tls, clients are not authenticated, and the address must be a Unix
socket or a loopback address. With --tls, clients are authenticated, and any address
is allowed. Ctrl-C completes the active requests and closes the array; it does not
wait for members that do not answer.

Members that are not yet rebuilt are filled while the array is served. With --spare,
a spare member replaces a member that is lost. With --scrub-every, the array is
scrubbed and repaired at regular intervals. With --control, you can start a rebuild
or a scrub and see its progress: limpet raid status, scrub and rebuild --at PATH. You
can also keep reads away from a slow member: limpet raid mask --at PATH.

With --metrics, Prometheus can read metrics at http://ADDRESS/metrics: for each
drive, the number of reads that were answered without this drive, and whether the
policy avoids it now; for the array, the number of extra reads, and how long
requests took.`,
		Example: `  limpet raid serve --listen unix:/run/a.sock /dev/sd[b-k]
  limpet raid serve --listen 127.0.0.1:10809 --metrics 127.0.0.1:9821 --policy hedge /dev/sd[b-k]
  nbdinfo 'nbd+unix:///array?socket=/run/a.sock'
  nbd-client -unix /run/a.sock /dev/nbd0 -name array`,
		Args: raidMembers,
		RunE: f.run,
	}
	fs := cmd.Flags()
	f.bind(cmd)
	f.bindPolicy(cmd)
	f.delay.bind(cmd, "none")
	f.keep.bind(cmd)
	fs.Var(bounded.Duration(&f.masks.WellFor, 0, 30*24*time.Hour), "well-for", "time for which a masked member must be as quick as the other members before its mask ends")
	fs.Var(bounded.Duration(&f.masks.ProbeEvery, time.Millisecond, time.Hour), "probe-every", "shortest time between two test reads of a masked member, which show whether the member has recovered")
	fs.StringVar(&f.listen, "listen", "", "`ADDRESS` to listen on: unix:PATH, 127.0.0.1:PORT or [::1]:PORT; with --tls, any HOST:PORT (required)")
	fs.StringVar(&f.metrics, "metrics", "", "`ADDRESS` of the metrics page for Prometheus, such as 127.0.0.1:9821 (default: no metrics)")
	fs.StringVar(&f.export.Name, "name", "array", "`NAME` of the network block device")
	fs.Var(bounded.Int(&f.options.Connections, 1, nbd.MaxConnections, "clients"), "connections", "largest number of `clients` at the same time; more clients are refused with a warning")
	fs.Var(bounded.Duration(&f.options.Idle, time.Second, 365*24*time.Hour), "idle", "a client that sends no request for this time is disconnected (default: never)")
	fs.Var(bounded.Duration(&f.options.Stall, time.Second, time.Hour), "stall", "longest time that a client may take to send a whole request, or to receive an answer")
	fs.Var(bounded.Bytes(&f.options.Memory, int64(f.options.InFlight), 1<<40), "memory", "largest number of `bytes` of memory for the requests of all clients")
	fs.StringVar(&f.tls, "tls", "", "`DIR` with ca-cert.pem, server-cert.pem and server-key.pem. Clients must then use encryption and send a certificate (default: no encryption)")
	fs.BoolVar(&f.export.ReadOnly, "read-only", false, "refuse all writes of clients")
	return cmd
}

func (f *raidServeFlags) run(cmd *cobra.Command, paths []string) error {
	if f.listen == "" {
		return usageError{errors.New("name the address to listen on: --listen unix:PATH or --listen 127.0.0.1:PORT")}
	}
	d, err := f.delay.distribution(1)
	if err != nil {
		return usageError{err}
	}
	if err := d.Fits(len(paths)); err != nil {
		return err
	}
	began, source := time.Now(), replay.NewSource(d, len(paths))
	f.readOnly = f.export.ReadOnly
	a, err := f.open(cmd, paths, func(i int, m raid.Member) raid.Member {
		if f.wrap != nil {
			m = f.wrap(i, m)
		}
		if d.Kind == replay.KindNone {
			return m
		}
		return member.NewSlow(m, i, source, began)
	})
	if err != nil {
		return err
	}
	printWarnings(cmd.ErrOrStderr(), a.Status().Warnings)
	ended := make(chan error, 1)
	stopKeeping, err := f.keep.keep(a, f.readOnly, func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "limpet: %s\n", text) })
	if err != nil {
		return errors.Join(err, a.Close())
	}
	go func() { ended <- errors.Join(f.serve(cmd, a), stopKeeping(), a.Close()) }()
	return endWithin(cmd.Context(), farewellTime, ended)
}

// farewellTime is the time for clients and members to finish after the server was told to end. A
// service manager kills a service soon after.
const farewellTime = 4 * time.Second

// endWithin waits until the server has ended. After ctx is done, it waits at most wait, because
// members may hang. Acknowledged writes are durable, so an early exit loses no more than a power
// failure.
func endWithin(ctx context.Context, wait time.Duration, ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(wait):
		return fmt.Errorf("members or clients did not answer within %v, so the array was not closed. limpet recovers the array the next time that it is opened", wait)
	}
}

// serve serves the array until it is interrupted or the listener fails.
func (f *raidServeFlags) serve(cmd *cobra.Command, a *raid.Array) error {
	f.export.Device, f.export.Description = a, "RAID-6 of limpet"
	o := f.options
	o.Report = func(client net.Addr, err error) {
		if client == nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %v\n", err)
			return
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: client %v: %v\n", client, err)
	}
	if f.tls != "" {
		var err error
		if o.TLS, err = nbd.LoadTLS(f.tls); err != nil {
			return err
		}
	}
	server, err := nbd.NewServer(f.export, o)
	if err != nil {
		return usageError{err}
	}
	listener, err := nbd.Listen(f.listen, o.TLS != nil)
	if err != nil {
		return err
	}
	stopMetrics, err := serveMetrics(f.metrics, a, server, func(err error) { o.Report(nil, fmt.Errorf("the metrics page cannot be served: %w", err)) })
	if err != nil {
		listener.Close()
		return err
	}
	defer stopMetrics()
	fmt.Fprintf(cmd.OutOrStdout(), "serving %s at %s\n", inUnits(a.Size()), uri(f.listen, f.export.Name, f.tls != ""))
	closed := make(chan error, 1)
	stop := context.AfterFunc(cmd.Context(), func() { closed <- server.Close() })
	err = server.Serve(listener)
	if stop() { // the listener failed; nobody stopped the server
		closed <- errors.Join(err, server.Close())
	}
	err = <-closed
	farewell(cmd.OutOrStdout(), server.Counters(), a)
	return err
}

// farewell prints the numbers of requests.
func farewell(w io.Writer, n nbd.Counters, a *raid.Array) {
	c, bypassed := a.Counters(), uint64(0)
	for _, b := range c.Bypassed {
		bypassed += b
	}
	fmt.Fprintf(w, "The array answered %s and %s. It avoided slow drives %s, and needed %s for this.\n", english.Count(int(n.Reads), "read"), english.Count(int(n.Writes), "write"),
		english.Count(int(bypassed), "time"), english.Count(int(c.Extra), "extra read"))
}

// uri returns the address at which clients find an export.
func uri(listen, name string, encrypted bool) string {
	scheme := "nbd"
	if encrypted {
		scheme = "nbds"
	}
	if path, ok := strings.CutPrefix(listen, "unix:"); ok {
		return scheme + "+unix:///" + name + "?socket=" + path
	}
	return scheme + "://" + listen + "/" + name
}

// Limits of requests for metrics: number of connections, and time of a request. The time is the
// default timeout of Prometheus.
const (
	mostScrapers   = 64
	slowestScraper = 10 * time.Second
)

// serveMetrics serves metrics at address until stop is called. If address is empty, it does
// nothing.
func serveMetrics(address string, a *raid.Array, s *nbd.Server, report func(error)) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w: write an address such as 127.0.0.1:9821", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		if err := errors.Join(a.WriteMetrics(w), s.WriteMetrics(w)); err != nil {
			return // the client has closed the connection
		}
	})
	l = listener.New(l, listener.Options{Max: mostScrapers, Report: report})
	h := &http.Server{Handler: mux, ReadTimeout: slowestScraper, WriteTimeout: slowestScraper}
	go h.Serve(l) //nolint:errcheck // Serve ends with an error when the server is closed
	return func() { h.Close() }, nil
}

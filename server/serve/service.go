package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/ingest/store/results"
	"github.com/limpet-storage/limpet/internal/outfile"
	executor "github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/prevalence"
	"github.com/limpet-storage/limpet/server/serve/config"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of a service that its configuration does not hold.
type Options struct {
	Version string
	Now     func() time.Time
	// Report is called with a sentence when a problem begins or ends, and for other events. It may
	// be called from several goroutines at a time.
	Report func(sentence string)
	// Warn is called instead of Report when a problem begins; nil: Report is called.
	Warn func(sentence string)
	// Stdout and Stderr are the streams for logs of notifications.
	Stdout, Stderr io.Writer
	// Heard is called with every event after the ledger has stored it; nil: it is not called.
	Heard func(api.Event)
	// Poll is the interval at which files are checked; 0: one step, but at most fifteen seconds. If
	// the clock Now runs faster than real time, the interval must be shorter.
	Poll time.Duration
	// ChangeTopology allows the service to continue from a state that was made with another
	// topology.
	ChangeTopology bool
	// NewLedger allows the service to continue from a state that has lost its ledger.
	NewLedger bool
	// ActEvery is the interval at which actions are checked; 0: every few seconds. If the clock Now
	// runs faster than real time, the interval must be shorter.
	ActEvery time.Duration
	// Load reads the configuration again.
	Load func() (config.Config, error)
}

// warn reports the beginning of a problem.
func (o *Options) warn(sentence string) {
	if o.Warn == nil {
		o.Report(sentence)
		return
	}
	o.Warn(sentence)
}

// intakeDir is the directory, below the state directory, of the activity files with received
// samples.
const intakeDir = "intake"

// writePath is the path to which samples are pushed. The receiver of Prometheus has the same path.
const writePath = "/api/v1/write"

// Service is a watch with its intake, alerts, actions, API and console.
type Service struct {
	o       Options
	watch   diagnosis
	intake  *intake.Intake // nil: no samples are pushed, scraped or polled
	gate    *access.Gate
	handler *handler.Handler
	bound   net.Listener // listener of the address, until server uses it; nil for a Unix socket
	server  *handler.Server
	results *results.Sender // nil: results are not written back
	fleet   *prevalence.Keeper
	actions *executor.Executor

	reloading sync.Mutex                    // one reload at a time
	policy    atomic.Pointer[action.Policy] // policy of actions; nil: limpet takes no action

	mu     sync.Mutex // guards the fields below, which a reload changes
	config config.Config
	outbox *alert.Outbox
	to     []alert.Address // receivers of the outbox
}

// Open opens the state and begins to listen. Requests are answered after [Service.Run] is called.
func Open(ctx context.Context, c config.Config, o Options) (*Service, error) {
	s := &Service{o: o, config: c}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) open(ctx context.Context) (err error) {
	// Check the configuration and the address before the state directory is created, so that an
	// error leaves no directory behind. A Unix socket may lie in that directory, so it is bound
	// later.
	p, err := s.prepare(&s.config)
	if err != nil {
		return err
	}
	s.policy.Store(p.policy)
	if !strings.HasPrefix(s.config.Listen, "unix:") {
		if s.bound, err = handler.Bind(s.config.Listen); err != nil {
			return err
		}
	}
	if err := outfile.MakeOwnDir(s.config.State); err != nil { // before anything in it is opened
		return err
	}
	if err := s.takeIn(); err != nil {
		return err
	}
	w := s.watchOptions(&s.config, p.system)
	if s.watch, err = s.begin(ctx, w); err != nil {
		return err
	}
	if err := removeBackups(s.config.State); err != nil { // the state is locked, so that no other server writes a backup
		return err
	}
	if err := s.act(ctx); err != nil {
		return err
	}
	s.fleet = prevalence.New(site{s}.hours, s.o.Now)
	if err := s.startDelivery(ctx, p.to); err != nil {
		return err
	}
	return s.listen(p)
}

// takesIn reports whether samples are pushed, scraped or polled.
func takesIn(c *config.Config) bool {
	return c.Push || len(c.Intake.Jobs)+len(c.Intake.Stores) > 0
}

// intakeOptions returns the options of the intake from a configuration.
func (s *Service) intakeOptions(c *config.Config) intake.Options {
	o := c.Intake
	o.Now, o.Report = s.o.Now, s.o.warn // the intake reports problems only
	o.Remote.Sender = senderOf
	return o
}

// takeIn opens the intake if samples are pushed, scraped or polled.
func (s *Service) takeIn() (err error) {
	if takesIn(&s.config) {
		s.intake, err = intake.New(filepath.Join(s.config.State, intakeDir), s.intakeOptions(&s.config))
	}
	return err
}

// watchOptions returns the options of the watch from a configuration.
func (s *Service) watchOptions(c *config.Config, system *topology.System) watch.Options {
	o := watch.DefaultOptions()
	o.Paths, o.StateDir, o.Diagnose, o.Peers = c.Directories, c.State, c.Diagnosis.Options, c.Diagnosis.Peers
	o.StepSeconds, o.LateSeconds = c.Diagnosis.StepSeconds, c.Diagnosis.LateSeconds
	if o.StepSeconds > 0 { // components are judged in the steps of the rows, as with --step of limpet diagnose; FitTo makes the step longer, but never shorter
		o.Diagnose.Detect.StepSeconds = min(o.Diagnose.Detect.StepSeconds, o.StepSeconds)
	}
	o.Alert, o.History, o.Retention = c.Alerts.Options, c.History, c.Incidents
	o.Alert.Receivers, o.Alert.Link, o.Alert.Statements = c.Alerts.Receivers(), linker(c), s.statements
	o.Version, o.Now, o.Report, o.Poll = s.o.Version, s.o.Now, s.o.Report, s.o.Poll
	if s.intake != nil {
		spool := filepath.Join(c.State, intakeDir)
		o.Paths = append(o.Paths[:len(o.Paths):len(o.Paths)], spool)
		o.MayBeEmpty, o.Until, o.Damage = []string{spool}, s.intake.ClosableUntil, s.intake.Damage()
	}
	o.System, o.ChangeTopology, o.NewLedger, o.Warn = system, s.o.ChangeTopology, s.o.NewLedger, s.o.Warn
	return o
}

// apiError reports an error of the API.
func (s *Service) apiError(err error) { s.o.warn("the API had an error: " + err.Error()) }

func (s *Service) listen(p *prepared) (err error) {
	c := &s.config
	s.gate = p.gate
	h := handler.Options{Site: site{s}, Gate: s.gate, Link: linker(c), Now: s.o.Now, Stream: handler.DefaultStreamOptions(), Report: s.apiError}
	if s.intake != nil && c.Push {
		h.Receivers = []handler.Receiver{{Path: writePath, Handler: s.intake.Handler(), Bytes: int64(c.Intake.Remote.MaxBody)}}
	}
	s.handler = handler.New(h)
	if c.Results != nil {
		if s.results, err = results.New(*c.Results, s.handler.Metrics, s.o.Now); err != nil {
			return err
		}
	}
	o := handler.DefaultServerOptions()
	o.Address, o.Listener, o.Report, o.Ending, o.TLS = c.Listen, s.bound, h.Report, s.handler.Close, p.tls
	s.server, err = handler.Listen(o, s.withConsole(s.handler))
	return err
}

// Bound returns the address at which the server listens.
func (s *Service) Bound() string { return pageAt(s.server.Address(), s.config.Access.TLS.On()) }

// Address returns the address of the console.
func (s *Service) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.Address != "" {
		return s.config.Address
	}
	return s.Bound()
}

func pageAt(a net.Addr, encrypted bool) string {
	switch {
	case a.Network() == "unix":
		return "unix:" + a.String()
	case encrypted:
		return "https://" + a.String()
	}
	return "http://" + a.String()
}

// Ready reports whether the backlog was read.
func (s *Service) Ready() bool { return s.watch.Result().Waiting == "" }

// Verdict returns the result of the diagnosis in a few sentences.
func (s *Service) Verdict() string { return s.watch.Result().Verdict }

// Rows returns how many rows were judged. A growing number shows that the service works.
func (s *Service) Rows() int64 { return s.watch.Result().Rows }

// Run watches and answers until the context ends. Then it saves everything and returns within five
// seconds.
func (s *Service) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	errs := make(chan error, 7)
	run := func(what string, do func() error) {
		all.Go(func() {
			if err := do(); err != nil && ctx.Err() == nil {
				errs <- fmt.Errorf("%s: %w", what, err)
			}
			stop()
		})
	}
	run("watch", func() error { return s.watch.Run(ctx) })
	run("api", s.server.Serve)
	run("events", func() error { return s.publish(ctx) })
	run("standing", func() error { return s.refresh(ctx) })
	run("actions", func() error { return s.actions.Run(ctx) })
	if s.intake != nil {
		run("intake", func() error { return s.intake.Run(ctx) })
	}
	if s.results != nil {
		run("results", func() error { s.results.Run(ctx); return nil })
	}
	<-ctx.Done()
	s.server.Shutdown()
	all.Wait()
	close(errs)
	var list []error
	for err := range errs {
		list = append(list, err)
	}
	return errors.Join(list...)
}

// publish sends new events of the ledger to the clients of the stream.
func (s *Service) publish(ctx context.Context) error {
	l := s.watch.Ledger()
	last := l.LastEvent()
	for {
		if err := l.Wait(ctx, last); err != nil {
			return ended(ctx, err)
		}
		list, err := site{s}.Events(ctx, last, publishAtOnce)
		if err != nil {
			return ended(ctx, err)
		}
		for _, e := range list {
			s.handler.Publish(e)
			if s.o.Heard != nil {
				s.o.Heard(e)
			}
			last = e.Number
		}
		s.handler.Changed()
	}
}

// refreshEvery is the shortest time between two messages about a new result. After each message,
// every client requests everything that it shows.
const refreshEvery = 2 * time.Second

// refresh notifies the clients of the stream of a new result, even if no incident has changed. When
// the backlog has been read, refresh also reports of which incidents nobody was notified.
func (s *Service) refresh(ctx context.Context) error {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	to, waiting, ready := int64(0), "", false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if now := s.watch.Result(); now.To != to || now.Waiting != waiting {
			to, waiting = now.To, now.Waiting
			s.handler.Changed()
		}
		if waiting == "" && to > 0 && !ready {
			ready = true
			if text := s.heldBack(ctx); text != "" {
				s.o.Report(text)
			}
		}
	}
}

// publishAtOnce is the largest number of events that are read from the ledger at a time.
const publishAtOnce = 100

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Close closes everything. It must not be called while Run runs.
func (s *Service) Close() error {
	var errs []error
	if s.handler != nil {
		s.handler.Close()
	}
	switch {
	case s.server != nil:
		s.server.Shutdown()
	case s.bound != nil:
		errs = append(errs, s.bound.Close())
	}
	if s.outbox != nil {
		errs = append(errs, s.outbox.Close())
	}
	if s.intake != nil {
		errs = append(errs, s.intake.Close())
	}
	if s.fleet != nil {
		s.fleet.Close()
	}
	if s.watch != nil {
		errs = append(errs, s.watch.Close())
	}
	return errors.Join(errs...)
}

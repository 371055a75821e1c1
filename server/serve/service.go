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

// Options are what a service needs beside its configuration.
type Options struct {
	Version string
	Now     func() time.Time
	// Report hears of each trouble as it begins and as it ends, a sentence each, and of
	// what happens. It may be called from several goroutines at a time.
	Report func(sentence string)
	// Warn hears of each trouble as it begins, instead of Report; nil: Report does.
	Warn func(sentence string)
	// Stdout and Stderr are what logs of notifications may be written to.
	Stdout, Stderr io.Writer
	// Heard hears of every event once it is written down; nil: nobody does.
	Heard func(api.Event)
	// Poll is how often files are looked at; 0: a step, fifteen seconds at most. A faster clock
	// needs more.
	Poll time.Duration
	// ChangeTopology goes on where the state was made with another topology.
	ChangeTopology bool
	// NewLedger goes on where the state has lost its ledger.
	NewLedger bool
	// ActEvery is how often actions are looked at; 0: every few seconds. A faster clock needs more.
	ActEvery time.Duration
	// Load reads the configuration again.
	Load func() (config.Config, error)
}

// intakeDir is where what is pushed and pulled becomes activity files, below the state.
const intakeDir = "intake"

// writePath is where samples are pushed to, as Prometheus's own receiver has it.
const writePath = "/api/v1/write"

// Service is a watch with all that stands around it.
type Service struct {
	o       Options
	watch   diagnosis
	intake  *intake.Intake // nil where nothing is pushed or pulled
	gate    *access.Gate
	handler *handler.Handler
	bound   net.Listener // the address to answer at, until the server has it
	server  *handler.Server
	results *results.Sender // nil where nothing is written back
	fleet   *prevalence.Keeper
	actions *executor.Executor

	reloading sync.Mutex                    // one reload at a time
	policy    atomic.Pointer[action.Policy] // what limpet may do about incidents; nil: nothing

	mu     sync.Mutex // guards what a reload changes
	config config.Config
	outbox *alert.Outbox
}

// Open opens the state and begins to listen. It answers once [Service.Run] runs.
func Open(ctx context.Context, c config.Config, o Options) (*Service, error) {
	s := &Service{o: o, config: c}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) open(ctx context.Context) (err error) {
	if err := access.CheckAddress(s.config.Listen, s.config.Protection()); err != nil { // before anything is made
		return err
	}
	// A topology or a policy that is wrong and an address that is taken are found before the state
	// directory is made, so that no directory is left behind. A socket may lie in that directory.
	system, err := loadTopology(s.config.Topology, s.o.Report)
	if err != nil {
		return err
	}
	policy, err := loadPolicy(s.config.Policy)
	if err != nil {
		return err
	}
	if err := s.checkActs(s.config.Policy, policy); err != nil {
		return err
	}
	s.policy.Store(policy)
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
	w := s.watchOptions(system)
	if s.watch, err = s.begin(ctx, w); err != nil {
		return err
	}
	if err := removeBackups(s.config.State); err != nil { // the state is locked: no other server writes one
		return err
	}
	if err := s.act(ctx); err != nil {
		return err
	}
	s.fleet = prevalence.New(site{s}.hours, s.o.Now)
	if s.outbox, err = s.tell(ctx, &s.config.Alerts); err != nil {
		return err
	}
	return s.listen()
}

// takeIn opens the intake where anything is pushed, pulled or polled.
func (s *Service) takeIn() (err error) {
	if !s.config.Push && len(s.config.Intake.Jobs)+len(s.config.Intake.Stores) == 0 {
		return nil
	}
	o := s.config.Intake
	o.Now, o.Report = s.o.Now, s.o.Report
	o.Remote.Sender = senderOf
	s.intake, err = intake.New(filepath.Join(s.config.State, intakeDir), o)
	return err
}

// watchOptions are what the configuration says of the watch.
func (s *Service) watchOptions(system *topology.System) watch.Options {
	c := &s.config
	o := watch.DefaultOptions()
	o.Paths, o.StateDir, o.Diagnose, o.Peers = c.Directories, c.State, c.Diagnosis.Options, c.Diagnosis.Peers
	o.StepSeconds, o.LateSeconds = c.Diagnosis.StepSeconds, c.Diagnosis.LateSeconds
	o.Alert, o.History, o.Retention = c.Alerts.Options, c.History, c.Incidents
	o.Alert.Receivers, o.Alert.Link = c.Alerts.Receivers(), linker(c)
	o.Version, o.Now, o.Report, o.Poll = s.o.Version, s.o.Now, s.o.Report, s.o.Poll
	if s.intake != nil {
		spool := filepath.Join(c.State, intakeDir)
		o.Paths = append(o.Paths[:len(o.Paths):len(o.Paths)], spool)
		o.MayBeEmpty, o.Until, o.Damage = []string{spool}, s.intake.ClosableUntil, s.intake.Damage()
	}
	o.System, o.ChangeTopology, o.NewLedger, o.Warn = system, s.o.ChangeTopology, s.o.NewLedger, s.o.Warn
	return o
}

func (s *Service) listen() (err error) {
	c := &s.config
	gate := c.Access.Gate
	gate.Now, gate.AnyHost = s.o.Now, gate.AnyHost || c.Access.InsecureOpenToNetwork
	if s.gate, err = access.NewGate(gate); err != nil {
		return err
	}
	h := handler.Options{Site: site{s}, Gate: s.gate, Link: linker(c), Now: s.o.Now, Stream: handler.DefaultStreamOptions(), Report: func(err error) { s.o.Report("api: " + err.Error()) }}
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
	o.Address, o.Listener, o.Report, o.Ending = c.Listen, s.bound, h.Report, s.handler.Close
	if c.Access.TLS.On() {
		if o.TLS, err = c.Access.TLS.Config(s.o.Now, h.Report); err != nil {
			return err
		}
	}
	s.server, err = handler.Listen(o, s.withConsole(s.handler))
	return err
}

// Address is where people look.
func (s *Service) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.Address != "" {
		return s.config.Address
	}
	return pageAt(s.server.Address(), s.config.Access.TLS.On())
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

// Ready says whether the backlog has been read.
func (s *Service) Ready() bool { return s.watch.Result().Waiting == "" }

// Verdict is how things stand, in a few sentences.
func (s *Service) Verdict() string { return s.watch.Result().Verdict }

// Rows is how many rows have been judged: a sign of life.
func (s *Service) Rows() int64 { return s.watch.Result().Rows }

// Run watches and answers until the context ends. It returns within five seconds then,
// and all is saved.
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

// publish passes on to who listens what the ledger has.
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

// refreshEvery is how often those who listen are told that the diagnosis has moved on, at
// the most: each asks for all that it shows then.
const refreshEvery = 2 * time.Second

// refresh tells whoever listens that the diagnosis has moved on, where nothing happens to
// any incident, too.
func (s *Service) refresh(ctx context.Context) error {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	to, waiting := int64(0), ""
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
	}
}

// publishAtOnce is how many events are read from the ledger at a time.
const publishAtOnce = 100

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Close closes all. Run has to have returned, or never to have been called.
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

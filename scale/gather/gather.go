package gather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/alert"
	"github.com/limpet-storage/limpet/collect/activity"
	"github.com/limpet-storage/limpet/history"
	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/owndir"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/worker"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/watch"
	"github.com/limpet-storage/limpet/words"
)

// What the directory of a state holds.
const (
	ledgerFile = "ledger.sqlite"
	historyDir = "history"
)

// Options are what a node needs to gather.
type Options struct {
	Node     string
	Bus      *bus.Bus
	Terms    plan.Terms
	Keep     worker.Keep
	StateDir string

	Alert     alert.Options
	History   history.Options
	Retention ledger.Retention
	// Plots says whether this node keeps what was measured, for plots. It reads all rows
	// of the cluster for that.
	Plots bool
	// LookEvery is how often partitions are looked at.
	LookEvery time.Duration
	// TickSeconds is how often alerts are looked at, in the time of rows.
	TickSeconds int64
	// Progress is how the files of this node are read; nil where it reads none.
	Progress func() activity.Progress

	Version string
	Now     func() time.Time
	Report  func(sentence string)
}

// Gather answers for the cluster.
type Gather struct {
	o        Options
	ledger   *ledger.Ledger
	history  *history.Store
	standing atomic.Pointer[watch.Standing]
	ended    chan struct{}
	close    sync.Once

	mu       sync.Mutex // guards all below
	division *plan.Division
	logs     map[string]bus.Log // of rows, by partition
	subject  report.Subject
	voice    *words.Voice
	alerter  *alert.Alerter
	memory   *report.Memory
	causes   map[string]ledger.Feedback
	parts    map[string]*part
	merged   merged
	opened   int64
	ticked   int64 // row time of the last tick
	retained int64
	rows     int64
	troubles map[string]watch.Trouble
}

// part is what a machine last showed.
type part struct {
	mark  string
	shown *partition.Shown
}

// Open opens the state of a node.
func Open(ctx context.Context, o Options) (*Gather, error) {
	if err := owndir.Make(o.StateDir); err != nil {
		return nil, err
	}
	g := &Gather{
		o: o, ended: make(chan struct{}), parts: map[string]*part{}, logs: map[string]bus.Log{}, causes: map[string]ledger.Feedback{},
		troubles: map[string]watch.Trouble{},
	}
	var err error
	if g.ledger, err = ledger.Open(ctx, filepath.Join(o.StateDir, ledgerFile)); err != nil {
		return nil, err
	}
	if g.history, err = history.Open(filepath.Join(o.StateDir, historyDir), o.History); err != nil {
		return nil, errors.Join(err, g.ledger.Close())
	}
	if g.o.Alert.QuietBefore == 0 && g.ledger.LastEvent() == 0 {
		g.o.Alert.QuietBefore = o.Now().Unix() // what was over when the node came is no news
	}
	labels, err := g.ledger.Labels(ctx, mostLabels)
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	for _, one := range labels {
		g.causes[one.ID] = one
	}
	g.subject = report.Subject{
		System: &topology.System{}, Schema: table.Schema{StepSeconds: 1, Metrics: metric.All(), Load: -1}, Options: o.Terms.Diagnose, Version: o.Version,
	}
	g.show()
	return g, nil
}

// mostLabels of incidents are shown beside them: more than people write by hand.
const mostLabels = 1000

// Ledger is what was said and answered.
func (g *Gather) Ledger() *ledger.Ledger { return g.ledger }

// History is what was measured, where this node keeps it.
func (g *Gather) History() *history.Store { return g.history }

// Standing is how things stand. It is never nil.
func (g *Gather) Standing() *watch.Standing { return g.standing.Load() }

// Run gathers until the context ends.
func (g *Gather) Run(ctx context.Context) error {
	defer close(g.ended)
	p, err := plan.Await(ctx, g.o.Bus.Logs, &g.o.Terms)
	if err != nil {
		return endedBy(ctx, err)
	}
	if err := g.begin(ctx, &p); err != nil {
		return endedBy(ctx, err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	var all sync.WaitGroup
	for _, do := range []func(context.Context) error{g.listen, g.look, g.record} {
		all.Go(func() {
			if err := do(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	err = context.Cause(ctx)
	stop(nil)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func endedBy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// begin sets up what is known once there is a plan.
func (g *Gather) begin(ctx context.Context, p *plan.Plan) error {
	system := g.o.Terms.System
	schema, err := p.Schema(system)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.o.Terms.Diagnose
	o.Settle(schema)
	g.division = plan.Divide(system, p.Partitions)
	g.subject = report.Subject{System: system, Schema: schema, Options: o, Version: g.o.Version}
	g.voice = words.New(system, schema, o.Metrics)
	g.voice.Open = func() *words.Open { return g.merged.open(system) }
	g.memory = report.NewMemory(g.subject)
	if g.alerter, err = alert.New(g.o.Alert, g.voice); err != nil {
		return err
	}
	for i := range g.division.Partitions {
		name := g.division.Partitions[i].Name
		g.parts[name] = &part{}
		if g.logs[name], err = g.o.Bus.Logs.Open(ctx, worker.RowsLog(name), g.o.Keep.Rows); err != nil {
			return err
		}
	}
	g.parts[partition.Common] = &part{}
	return g.history.Begin(system, schema)
}

// SetSystem is refused: the plan of a cluster has one system.
func (g *Gather) SetSystem(*topology.System) {
	g.o.Report("cluster: the topology of a cluster does not change while it runs; stop all nodes, and call the cluster otherwise")
}

// SetAlerts changes who is told what.
func (g *Gather) SetAlerts(_ context.Context, o alert.Options) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	o.QuietBefore = cmp.Or(o.QuietBefore, g.o.Alert.QuietBefore)
	g.o.Alert = o
	if g.voice == nil {
		return nil
	}
	alerter, err := alert.New(o, g.voice)
	if err == nil {
		g.alerter = alerter
	}
	return err
}

// Backup copies what this node keeps into a directory that does not exist yet. Engines
// and logs are kept by NATS.
func (g *Gather) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := g.ledger.Backup(ctx, filepath.Join(dir, ledgerFile)); err != nil {
		return err
	}
	return g.history.Backup(filepath.Join(dir, historyDir))
}

// Close closes the state. Run has to have returned, or never to have been called.
func (g *Gather) Close() (err error) {
	g.close.Do(func() { err = errors.Join(g.history.Close(), g.ledger.Close()) })
	if err != nil {
		return fmt.Errorf("closing the state: %w", err)
	}
	return nil
}

// trouble notes a trouble of a kind, or that there is none any more.
func (g *Gather) trouble(kind string, err error) {
	was, had := g.troubles[kind]
	switch {
	case err == nil && had:
		delete(g.troubles, kind)
		g.o.Report(kind + ": all is well again")
	case err != nil && !had:
		g.troubles[kind] = watch.Trouble{Kind: kind, Since: g.o.Now(), Text: err.Error()}
		g.o.Report(kind + ": " + err.Error())
	case err != nil && was.Text != err.Error():
		was.Text = err.Error()
		g.troubles[kind] = was
	}
}

package gather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/alert"
	"github.com/limpet-storage/limpet/collect/activity"
	"github.com/limpet-storage/limpet/history"
	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/owndir"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/worker"
	"github.com/limpet-storage/limpet/telling"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/watch"
	"github.com/limpet-storage/limpet/words"
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
	tell     *telling.Teller
	standing atomic.Pointer[watch.Standing]
	ended    chan struct{}
	close    sync.Once

	mu       sync.Mutex // guards all below
	division *plan.Division
	logs     map[string]bus.Log // of rows, by partition
	speaker  *telling.Speaker   // nil until there is a plan
	parts    map[string]*part
	merged   merged
	ticked   int64 // row time of the last tick
	rows     int64
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
	g := &Gather{o: o, ended: make(chan struct{}), parts: map[string]*part{}, logs: map[string]bus.Log{}}
	var err error
	g.tell, err = telling.Open(ctx, telling.Options{Dir: o.StateDir, History: o.History, Retention: o.Retention, Now: o.Now, Report: o.Report})
	if err != nil {
		return nil, err
	}
	if g.o.Alert.QuietBefore == 0 && g.tell.Ledger.LastEvent() == 0 {
		g.o.Alert.QuietBefore = o.Now().Unix() // what was over when the node came is no news
	}
	g.show()
	return g, nil
}

// Ledger is what was said and answered.
func (g *Gather) Ledger() *ledger.Ledger { return g.tell.Ledger }

// History is what was measured, where this node keeps it.
func (g *Gather) History() *history.Store { return g.tell.History }

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
	subject := report.Subject{System: system, Schema: schema, Options: o, Version: g.o.Version}
	g.speaker, err = g.tell.Speaker(subject, g.o.Alert, func() *words.Open { return g.merged.open(system) })
	if err != nil {
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
	return g.tell.History.Begin(system, schema)
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
	if g.speaker == nil {
		return nil
	}
	return g.speaker.SetAlerts(o)
}

// Backup copies what this node keeps into a directory that does not exist yet. Engines
// and logs are kept by NATS.
func (g *Gather) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return g.tell.Backup(ctx, dir)
}

// Close closes the state. Run has to have returned, or never to have been called.
func (g *Gather) Close() (err error) {
	g.close.Do(func() { err = g.tell.Close() })
	if err != nil {
		return fmt.Errorf("closing the state: %w", err)
	}
	return nil
}

// Gather is a node's view of the whole cluster. It copies the output of all tasks into the ledger
// of the node, and merges the views of all partitions. A view is the present result of a task.
//
// Every node has a Gather, so that any node can show the whole cluster. The API and the console of
// a node use Gather. Without a cluster they use watch.Watch instead. An event has this number in
// the ledger:
//
//	number = lastEventBefore + number of the event's record in the output log
//
// lastEventBefore is the number of the last event that the ledger had before it followed this log.
// When a node starts again, its Gather continues after the last event in the ledger.

package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/sentence"
)

type gatherOptions struct {
	Node         string
	Bus          *bus.Bus
	Stages       *plan.Stages
	Terms        plan.Terms
	LogRetention LogRetention
	StateDir     string

	Alert     alert.Options
	History   history.Options
	Retention ledger.Retention
	// Plots makes this node store the measured values that plots need. For this purpose, the node
	// reads all rows of the cluster.
	Plots bool
	// LookEvery is the interval at which the views of partitions are read.
	LookEvery time.Duration
	// TickSeconds is the interval at which alerts are updated, in seconds of row time.
	TickSeconds int64
	// Progress returns the progress of reading files on this node. It is nil if the node reads no
	// files.
	Progress func() activity.Progress

	Version string
	Now     func() time.Time
	Report  func(sentence string)

	Warn      func(sentence string)
	NewLedger bool
	Damage    []string // sentences about damaged files of the state (watch.Options)
}

// Gather shows the state of the whole cluster. Each node that serves pages has one Gather.
type Gather struct {
	o               gatherOptions
	store           *announce.Store
	result          atomic.Pointer[watch.Result]
	ended           chan struct{}
	close           sync.Once
	lastEventBefore int64 // number of the last event that the ledger had before it followed this output log; 0 if there was no event

	alerts       *followed     // data that this node has read from the log of alerts
	following    chan struct{} // closed when the node follows the log of alerts
	newReceivers chan struct{} // gets a value when the receivers of this node have changed

	// The field decided is the number of the last event that this node processed in its last turn
	// to decide which alerts fire. The field decidedRow is the time of the last row that it
	// processed in this turn.
	decided    atomic.Uint64
	decidedRow atomic.Int64

	mu        sync.Mutex          // guards all fields below
	stage     *plan.Stage         // nil until there is a plan
	logs      map[string]bus.Log  // logs of rows, by partition
	announcer *announce.Announcer // announcer of the present stage; nil until there is a stage
	record    recorder
	parts     map[string]*part
	merged    merged
	ticked    int64 // row time of the last tick
	rows      int64
	adopted   map[string]int64 // by incident ID: number of each incident that was written into the ledger without an event and has no alert yet
}

// part holds the last view of a task. A view is the present result of a task.
type part struct {
	mark  string
	shown *View
}

// openGather opens the ledger and the history in the state directory of a node.
func openGather(ctx context.Context, o gatherOptions) (*Gather, error) {
	if err := outfile.MakeOwnDir(o.StateDir); err != nil {
		return nil, err
	}
	if o.Warn == nil {
		o.Warn = o.Report
	}
	g := &Gather{
		o: o, ended: make(chan struct{}), parts: map[string]*part{}, logs: map[string]bus.Log{}, adopted: map[string]int64{},
		alerts: newFollowed(), following: make(chan struct{}), newReceivers: make(chan struct{}, 1),
	}
	var err error
	g.store, err = announce.Open(ctx, announce.Options{Dir: o.StateDir, History: o.History, Retention: o.Retention, Now: o.Now, Report: o.Report, Warn: o.Warn, NewLedger: o.NewLedger})
	if err != nil {
		return nil, err
	}
	for _, text := range o.Damage {
		g.store.Troubles.Damaged(text)
	}
	g.show()
	return g, nil
}

// Ledger returns the ledger of events and commands.
func (g *Gather) Ledger() *ledger.Ledger { return g.store.Ledger }

// Audit writes an entry of the audit trail into the ledger of this node.
func (g *Gather) Audit(ctx context.Context, a ledger.Audit) error {
	return g.store.Audit(ctx, a)
}

// History returns the store of measured values and scores.
func (g *Gather) History() *history.Store { return g.store.History }

// Result returns the present result of the whole cluster. It is never nil.
func (g *Gather) Result() *watch.Result { return g.result.Load() }

// Run copies the output of all tasks into the ledger of this node, and merges the views of all
// partitions, until the context ends.
func (g *Gather) Run(ctx context.Context) error {
	defer close(g.ended)
	stage, err := g.o.Stages.Await(ctx, &g.o.Terms)
	if err != nil {
		return endedBy(ctx, err)
	}
	if mine, err := g.o.Stages.Fit(ctx, &g.o.Terms); err == nil && mine.Generation < stage.Generation {
		g.o.Report("the topology of this node is older than the topology of the other nodes: this node now uses the topology of the other nodes")
	}
	g.mu.Lock()
	g.o.Alert.Identity = stage.Identity
	g.mu.Unlock()
	if err := g.begin(ctx, stage); err != nil {
		return endedBy(ctx, err)
	}
	if err := g.followLog(ctx, stage.Identity); err != nil {
		return endedBy(ctx, err)
	}
	if err := g.beginAlerts(ctx, stage.Identity); err != nil {
		return endedBy(ctx, err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	var all sync.WaitGroup
	for _, do := range []func(context.Context) error{g.listen, g.readViews, g.listenAlerts, g.announceReceivers, g.decide} {
		all.Go(func() {
			if err := do(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	g.record.end()
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

// begin switches to a stage (a version of the plan). It sets the announcer, the logs of rows, the
// list of views and the system of the history.
func (g *Gather) begin(ctx context.Context, stage *plan.Stage) error {
	speaker, err := g.openAnnouncer(stage)
	if err != nil {
		return err
	}
	logs := map[string]bus.Log{}
	for _, name := range stage.Names() {
		if logs[name], err = g.o.Bus.Logs.Open(ctx, rowsLog(name), g.o.LogRetention.Rows); err != nil {
			return err
		}
	}
	g.record.end()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stage, g.announcer, g.logs = stage, speaker, logs
	for _, name := range append(stage.Names(), CommonTask) {
		if g.parts[name] == nil {
			g.parts[name] = &part{}
		}
	}
	g.store.CheckHistory(g.store.History.Begin(stage.System, speaker.Subject.Schema))
	g.merge() // leave out the views of the old stage, because their component indexes belong to another system
	return g.keepRows(ctx)
}

// followLog makes the ledger follow the output log of the cluster. The ledger may have followed
// another log before: the log of another cluster, the journal of a limpet without a cluster, or a
// log that NATS has lost. In this case the ledger keeps its incidents, but the open incidents end.
// If an incident still lasts, the cluster reports it again.
func (g *Gather) followLog(ctx context.Context, cluster string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var f ledger.Followed
	err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) (err error) {
		if f, err = tx.Follow(cluster, g.o.Now().Unix()); err != nil || !f.IsNew {
			return err
		}
		row, err := tx.RowTime()
		if err != nil {
			return err
		}
		return g.announcer.Tick(tx, row, &engine.Summary{}, true)
	})
	if err != nil {
		return err
	}
	if g.lastEventBefore = f.Before; f.IsNew {
		g.o.Report(fmt.Sprintf("another cluster, or a limpet without a cluster, wrote the ledger in %s: the incidents in the ledger are kept, and the events of this cluster come after event %d", g.o.StateDir, g.store.Ledger.LastEvent()))
	}
	g.o.Alert.QuietBefore = cmp.Or(g.o.Alert.QuietBefore, f.Since) // rows from before the node joined the cluster cause no notification
	return g.announcer.SetAlerts(g.o.Alert)
}

// openAnnouncer makes the announcer that writes the events of a stage (version of the plan) into
// the ledger.
func (g *Gather) openAnnouncer(stage *plan.Stage) (*announce.Announcer, error) {
	schema, err := stage.WholeSchema()
	if err != nil {
		return nil, err
	}
	o := g.o.Terms.Diagnose
	o.FitTo(schema)
	subject := report.Subject{System: stage.System, Schema: schema, Options: o, Version: g.o.Version}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.store.NewAnnouncer(subject, g.o.Alert, func() *sentence.Open {
		if g.stage != stage { // the present incidents have component indexes of another system
			return sentence.NewOpen(stage.System, nil)
		}
		return g.merged.open(stage.System)
	})
}

// follow switches to the latest stage of the plan if this node still uses an earlier stage.
func (g *Gather) follow(ctx context.Context) {
	latest, err := g.o.Stages.Latest(ctx)
	if err == nil && latest.Generation != g.stage.Generation {
		err = g.begin(ctx, latest)
	}
	if ctx.Err() == nil {
		g.store.Troubles.Check("plan", err)
	}
}

// SetAlerts changes the options of alerts on this node. The other nodes get the new receivers
// through the log of alerts.
func (g *Gather) SetAlerts(_ context.Context, o alert.Options) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	o.QuietBefore, o.Identity = cmp.Or(o.QuietBefore, g.o.Alert.QuietBefore), g.o.Alert.Identity
	g.o.Alert = o
	select {
	case g.newReceivers <- struct{}{}:
	default: // an earlier change waits: when announceReceivers processes it, it also processes this change
	}
	if g.announcer == nil {
		return nil
	}
	return g.announcer.SetAlerts(o)
}

// Backup copies the ledger and the history into a directory that does not exist yet. It does not
// copy the logs and the states of tasks, because NATS stores these data.
func (g *Gather) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return g.store.Backup(ctx, dir)
}

// Close closes the ledger and the history. The caller must not call Close while Run is running.
func (g *Gather) Close() (err error) {
	g.close.Do(func() { err = g.store.Close() })
	if err != nil {
		return fmt.Errorf("the saved state cannot be closed: %w", err)
	}
	return nil
}

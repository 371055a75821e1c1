package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/bus/jetstream"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/topology"
)

// Role is a kind of work that a node does. Every node also shows the whole cluster, whatever its
// roles are.
type Role string

// The roles of a node.
const (
	RoleIngest Role = "ingest" // reads files and sends steps
	RoleWorker Role = "worker" // runs its share of the tasks
	RoleAPI    Role = "api"    // only shows the whole cluster
)

// Roles returns all roles.
func Roles() []Role { return []Role{RoleIngest, RoleWorker, RoleAPI} }

// Options are the settings of a node and its cluster.
type Options struct {
	NATS         jetstream.Options
	Roles        []Role
	Partitions   int // largest number of partitions
	Plots        bool
	LogRetention LogRetention
	SaveEvery    time.Duration
}

// DefaultOptions returns options with the roles ingest and worker, and with 16 partitions. With 16
// partitions, up to 16 workers can share the work. A partition needs few resources, so 16
// partitions do no harm if there are fewer workers.
func DefaultOptions() Options {
	return Options{
		NATS: jetstream.DefaultOptions(), Roles: []Role{RoleIngest, RoleWorker}, Partitions: 16, Plots: true, LogRetention: DefaultLogRetention(),
		SaveEvery: DefaultWorkerOptions().SaveEvery,
	}
}

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	errs := []error{o.NATS.Validate()}
	if o.NATS.Node == "" {
		errs = append(errs, errors.New("this node has no name: write \"node:\" and a name that no other node has"))
	}
	for _, r := range o.Roles {
		if !slices.Contains(Roles(), r) {
			errs = append(errs, fmt.Errorf("role %s is unknown: use ingest, worker or api", r))
		}
	}
	if o.Partitions < 1 || o.Partitions > mostPartitions {
		errs = append(errs, fmt.Errorf("%d partitions are not possible: use 1 to %d partitions", o.Partitions, mostPartitions))
	}
	if o.LogRetention.Rows < time.Hour || o.LogRetention.Output < o.LogRetention.Rows {
		errs = append(errs, fmt.Errorf("NATS keeps measured values for %v and events for %v: set \"keep_rows\" to at least 1h, and \"keep_events\" to at least the same time", o.LogRetention.Rows, o.LogRetention.Output))
	}
	return errors.Join(errs...)
}

// mostPartitions is the largest number of partitions. Each partition needs a stream of NATS, and
// the NATS servers must elect a leader for each stream.
const mostPartitions = 1024

// Node is a running node of a cluster. The embedded Gather shows the whole cluster.
type Node struct {
	*Gather
	o       Options
	watch   watch.Options
	terms   plan.Terms
	bus     *bus.Bus
	stages  *plan.Stages
	set     chan *topology.System // gets a system when the topology of the cluster is to change
	close   func()
	source  atomic.Pointer[activity.Following]
	reading int // generation (version) of the system with which this node reads files
}

// Open connects to NATS and opens the state of a node. The parameter `w` has the options that also
// exist if limpet runs without a cluster.
func Open(ctx context.Context, o Options, w watch.Options) (*Node, error) {
	if err := errors.Join(o.Validate(), o.checkWatch(w)); err != nil {
		return nil, err
	}
	o.NATS.Report, o.NATS.Warn = w.Report, w.Warn
	conn, err := jetstream.Connect(ctx, o.NATS)
	if err != nil {
		return nil, err
	}
	return Join(ctx, o, w, conn.Bus, conn.Close)
}

// checkWatch returns an error if the options of package watch are not valid for this node. Only a
// node with the role ingest reads files, so the other nodes need no paths.
func (o *Options) checkWatch(w watch.Options) error {
	if !o.HasRole(RoleIngest) {
		w.Paths = []string{w.StateDir}
	}
	return w.Validate()
}

// HasRole reports whether a node has a role.
func (o *Options) HasRole(r Role) bool { return slices.Contains(o.Roles, r) }

// Join opens a node on an existing bus. Node.Close calls the function `done`, which releases the
// bus. If Join returns an error, Join has already called `done`.
func Join(ctx context.Context, o Options, w watch.Options, b *bus.Bus, done func()) (*Node, error) {
	if w.System == nil {
		done()
		return nil, errors.New("a cluster needs a topology: without a topology, each node would divide the storage system differently; write \"topology:\" and the name of a file")
	}
	if w.Warn == nil {
		w.Warn = w.Report
	}
	m := &Node{o: o, watch: w, bus: b, stages: plan.NewStages(b), set: make(chan *topology.System, 1), close: done}
	m.terms = plan.Terms{System: w.System, Partitions: o.Partitions, LateSeconds: waitSeconds(&w), Diagnose: w.Diagnose}
	g, err := openGather(ctx, gatherOptions{
		Node: o.NATS.Node, Bus: b, Stages: m.stages, Terms: m.terms, LogRetention: o.LogRetention, StateDir: w.StateDir, Alert: w.Alert, History: w.History, Retention: w.Retention,
		Plots: o.Plots, LookEvery: DefaultWorkerOptions().ShowEvery, TickSeconds: w.TickSeconds, Progress: m.progress, Version: w.Version, Now: w.Now, Report: w.Report, Warn: w.Warn, NewLedger: w.NewLedger, Damage: w.Damage,
	})
	if err != nil {
		done()
		return nil, err
	}
	m.Gather = g
	return m, nil
}

// Name returns the name of this node.
func (m *Node) Name() string { return m.o.NATS.Node }

// A partition waits at least lateSeconds for a server that sends no steps. This time is long enough
// to restart an ingest node.
const lateSeconds = 120

func waitSeconds(w *watch.Options) int64 { return max(w.LateSeconds, lateSeconds) }

// progress returns the progress of reading files on this node.
func (m *Node) progress() activity.Progress {
	if src := m.source.Load(); src != nil {
		return src.Progress()
	}
	return activity.Progress{}
}

// Run does the work of all roles of the node until the context ends.
func (m *Node) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	begin := func(what string, do func(context.Context) error) {
		all.Go(func() {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				stop(fmt.Errorf("%s: %w", what, err))
			}
		})
	}
	begin("gather", m.Gather.Run)
	if m.o.HasRole(RoleIngest) {
		begin("ingest", m.read)
	}
	if m.o.HasRole(RoleWorker) {
		begin("worker", m.work)
	}
	begin("cluster", m.change)
	all.Wait()
	if err := context.Cause(ctx); ctx.Err() != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// SetSystem changes the topology of the whole cluster.
func (m *Node) SetSystem(s *topology.System) {
	select {
	case <-m.set: // discard a system that was not processed yet
	default:
	}
	m.set <- s
}

// followEvery is the interval at which an ingest node checks whether the system has changed.
const followEvery = time.Second

// change changes the system of the cluster after a call of SetSystem. It also makes this node read
// its files with the latest system, even if another node has changed the system.
func (m *Node) change(ctx context.Context) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case s := <-m.set:
			if _, err := m.stages.Change(ctx, s); err != nil && ctx.Err() == nil {
				m.watch.Warn(fmt.Sprintf("the topology of the cluster was not changed: %v; try again: send SIGHUP to limpet serve on this node", err))
			}
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		if src := m.source.Load(); src != nil {
			m.follow(ctx, src)
		}
	}
}

// follow makes the source read files with the latest system.
func (m *Node) follow(ctx context.Context, src *activity.Following) {
	latest, err := m.stages.Latest(ctx)
	if err == nil && latest.Generation != m.reading {
		m.reading = latest.Generation
		src.SetSystem(latest.System)
	}
}

// read follows the activity files of this node, and sends the steps in these files to the logs of
// partitions.
func (m *Node) read(ctx context.Context) error {
	o := IngestOptions{Bus: m.bus, Stages: m.stages, Terms: m.terms, LogRetention: m.o.LogRetention, Warn: m.watch.Warn}
	var nodesKnown sync.Once
	o.OlderNodes = func() ([]string, bool) {
		nodesKnown.Do(func() { m.awaitNodes(ctx) })
		return m.olderNodes()
	}
	after, err := LastSent(ctx, &o, func(string) bool { return true })
	if err != nil {
		return err
	}
	source := activity.ForDiagnosis(&m.watch.Diagnose)
	source.StepSeconds, source.System, source.Peers = m.watch.StepSeconds, m.watch.System, m.watch.Peers
	switch _, err := m.stages.Fit(ctx, &m.terms); {
	case err == nil:
		now, err := m.stages.Latest(ctx)
		if err != nil {
			return err
		}
		source.StepSeconds, source.System, m.reading = now.Step, now.System, now.Generation
	case !errors.Is(err, bus.ErrNone):
		return err
	}
	src, err := activity.Follow(ctx, m.watch.Paths, source, activity.FollowOptions{
		LateSeconds: m.watch.LateSeconds, Poll: m.watch.Poll, After: after, Now: m.watch.Now, Until: m.untilFunc(),
	})
	if err != nil {
		return err
	}
	defer src.Close()
	m.source.Store(src)
	return RunIngest(ctx, o, src)
}

// untilFunc returns the function Until for the source of this node. The source closes a step only
// if the step ends before the time that Until returns. The node may poll a store that gets its
// newest values late. Then Until returns a time in the past, so that steps stay open for these
// values. But a partition does not wait longer than LateSeconds for a server. So if steps have
// stayed open for more than half of LateSeconds, Until returns the present time.
func (m *Node) untilFunc() func() time.Time {
	if m.watch.Until == nil {
		return nil
	}
	var begun time.Time // time since which steps have stayed open; zero if no steps stay open
	return func() time.Time {
		until, now := m.watch.Until(), m.watch.Now()
		switch {
		case !until.Before(now):
			begun = time.Time{}
		case begun.IsZero():
			begun = now
		case now.Sub(begun) > time.Duration(m.terms.LateSeconds)*time.Second/2:
			return now
		}
		return until
	}
}

// work runs this node's share of the tasks.
func (m *Node) work(ctx context.Context) error {
	if _, err := m.stages.Await(ctx, &m.terms); err != nil {
		return err
	}
	o := DefaultWorkerOptions()
	o.Name, o.Bus, o.Stages, o.Diagnose = m.o.NATS.Node, m.bus, m.stages, m.watch.Diagnose
	o.LogRetention, o.SaveEvery, o.Now, o.Report = m.o.LogRetention, m.o.SaveEvery, m.watch.Now, m.watch.Warn
	o.Check = func(err error) { m.store.Troubles.Check("version", err) }
	w, err := NewWorker(ctx, o)
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

// Close closes the state and the connection.
func (m *Node) Close() error {
	err := m.Gather.Close()
	m.close()
	return err
}

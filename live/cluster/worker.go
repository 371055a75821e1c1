// This file is a node that judges: it takes its share of the partitions, and gives
// back what another ought to have.
//
// There is no master. Every worker says that it lives by a lease of its own, sees who
// else does, and computes by the same function (scale/divide: Assign) what is whose. It
// waits for the lease of what is its own, and gives up what is another's, saved. So a
// worker that comes, goes or dies moves its share within the time of a lease, and little
// else moves.

package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// WorkerOptions are what a worker needs.
type WorkerOptions struct {
	Name string // no other worker of the cluster has it
	Bus  *bus.Bus
	// Stages are the systems of the cluster, of which there is one.
	Stages   *plan.Stages
	Diagnose engine.Options
	// SaveEvery is how often each engine is saved: who takes over pushes the rows of so
	// long again.
	SaveEvery time.Duration
	// ShowEvery is how often each engine shows how things stand.
	ShowEvery time.Duration
	Keep      Keep
	Now       func() time.Time
	Report    func(sentence string)
}

// Keep is how long logs are kept.
type Keep struct {
	Rows time.Duration // steps of servers: at least as long as no worker may live
	Said time.Duration // what machines say: at least as long as no node that shows it may live
}

// DefaultKeep keeps a day of rows, which a partition that nobody could judge is caught up
// with, and a month of events.
func DefaultKeep() Keep { return Keep{Rows: 24 * time.Hour, Said: 30 * 24 * time.Hour} }

// DefaultWorkerOptions have no clock, and save every 30 s: an engine of ten thousand components is saved in a
// fifth of a second, and pushes the rows of 30 s again in less.
func DefaultWorkerOptions() WorkerOptions {
	return WorkerOptions{SaveEvery: 30 * time.Second, ShowEvery: 2 * time.Second, Keep: DefaultKeep(), Report: func(string) {}}
}

// rowsLog and SaidLog are the names of the logs of a cluster.
func rowsLog(partition string) string { return "rows-" + partition }

// SaidLog is the name of the log of what machines say.
const SaidLog = "said"

// What leases are called.
const (
	lifePrefix    = "worker."
	machinePrefix = "machine."
)

// beats is how often a lease is renewed within its time: two may be lost.
const beats = 4

// WorkerWorker runs machines.
type WorkerWorker struct {
	o    WorkerOptions
	said bus.Log

	mu      sync.Mutex
	running map[string]*job
	all     sync.WaitGroup
}

// job is a machine that runs here, or waits for its lease.
type job struct{ stop context.CancelFunc }

// New returns a worker that does nothing yet.
func New(ctx context.Context, o WorkerOptions) (*WorkerWorker, error) {
	said, err := o.Bus.Logs.Open(ctx, SaidLog, o.Keep.Said)
	if err != nil {
		return nil, err
	}
	return &WorkerWorker{o: o, said: said, running: map[string]*job{}}, nil
}

// Run takes its share until the context ends, and gives it back then.
func (w *WorkerWorker) Run(ctx context.Context) error {
	life := w.hold(ctx, lifePrefix+w.o.Name)
	defer life()
	tick := time.NewTicker(w.o.Bus.LeaseTime / beats)
	defer tick.Stop()
	known := true
	for {
		err := w.share(ctx)
		if err != nil && known && ctx.Err() == nil {
			w.o.Report(fmt.Sprintf("worker %s: who else works is not known: %v", w.o.Name, err))
		}
		known = err == nil
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.all.Wait()
			return nil
		}
	}
}

// Running are the machines that run here.
func (w *WorkerWorker) Running() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for name := range w.running {
		list = append(list, name)
	}
	return list
}

// items are all machines, with what each has to do.
func (w *WorkerWorker) items(ctx context.Context) ([]plan.Item, error) {
	now, err := w.o.Stages.Latest(ctx)
	if err != nil {
		return nil, err
	}
	return append(now.Items(), plan.Item{Name: Common, Weight: 1}), nil
}

// share begins what is this worker's and ends what is not.
func (w *WorkerWorker) share(ctx context.Context) error {
	one, stop := context.WithTimeout(ctx, w.o.Bus.LeaseTime)
	defer stop()
	held, err := w.o.Bus.Leases.Held(one)
	if err != nil {
		return err
	}
	var workers []string
	for _, key := range held {
		if name, ok := strings.CutPrefix(key, lifePrefix); ok {
			workers = append(workers, name)
		}
	}
	items, err := w.items(one)
	if err != nil {
		return err
	}
	mine := plan.Assign(items, workers)
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, owner := range mine {
		switch j := w.running[name]; {
		case owner == w.o.Name && j == nil:
			w.begin(ctx, name)
		case owner != w.o.Name && j != nil:
			j.stop()
		}
	}
	return nil
}

// begin waits for the lease of a machine, and runs it.
func (w *WorkerWorker) begin(ctx context.Context, name string) {
	ctx, stop := context.WithCancel(ctx)
	w.running[name] = &job{stop}
	w.all.Go(func() {
		defer stop()
		if err := w.run(ctx, name); err != nil && ctx.Err() == nil {
			w.o.Report(fmt.Sprintf("%s: %v", name, err))
		}
		w.mu.Lock()
		delete(w.running, name)
		w.mu.Unlock()
	})
}

// run runs a machine under its lease.
func (w *WorkerWorker) run(ctx context.Context, name string) error {
	lease, err := w.take(ctx, machinePrefix+name)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var renewing sync.WaitGroup
	ended := make(chan struct{})
	renewing.Go(func() { w.renew(ended, stop, lease) })
	defer renewing.Wait()
	defer close(ended)
	spec, err := w.spec(ctx, name)
	if err == nil {
		err = RunReplica(ctx, spec, lease.Fence)
	}
	switch {
	case errors.Is(err, ErrFenced):
		return fmt.Errorf("%w: this node leaves it alone", err)
	case ctx.Err() != nil: // who lost the lease has said so
		return nil
	}
	return err
}

// spec says what a machine is.
func (w *WorkerWorker) spec(ctx context.Context, name string) (Spec, error) {
	s := Spec{
		Name: name, Out: w.said, Blobs: w.o.Bus.Blobs, SaveEvery: w.o.SaveEvery, ShowEvery: w.o.ShowEvery, Now: w.o.Now, Report: w.o.Report,
	}
	if name == Common {
		s.In = w.said
		s.New = func(saved []byte) (Task, error) {
			return newReducer(w.o.Stages.Reader(ctx), w.o.Diagnose, saved)
		}
		return s, nil
	}
	s.New = func(saved []byte) (Task, error) {
		return newPartitionTask(name, w.o.Stages.Reader(ctx), w.o.Diagnose, saved)
	}
	var err error
	s.In, err = w.o.Bus.Logs.Open(ctx, rowsLog(name), w.o.Keep.Rows)
	return s, err
}

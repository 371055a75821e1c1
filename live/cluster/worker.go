// The cluster has one task for each partition, and one for findings about several partitions. A
// worker is a process that runs its share of the tasks. It gives up tasks that another worker
// should have.
//
// There is no master. Every worker holds a lease with its name while it runs, and reads the leases
// of the other workers. Every worker computes the share of each worker with the same function
// (plan.Assign). A worker waits for the leases of its own tasks. It saves and gives up tasks that
// belong to other workers. When a worker starts, it gets its share from the other workers. When a
// worker ends, the other workers get its share. Each of these changes takes about as long as a
// lease is valid. Only few further tasks move from one worker to another.

package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// WorkerOptions are the settings of a worker.
type WorkerOptions struct {
	Name string // name of the worker, unique in the cluster
	Bus  *bus.Bus
	// Stages are the versions of the plan. A process may have a worker, an ingest node, and a
	// Gather (the view of the whole cluster). They share one Stages.
	Stages   *plan.Stages
	Diagnose engine.Options
	// SaveEvery is the interval between two snapshots of a task. A new replica of the task begins
	// with the last snapshot, so it processes at most the rows of one interval again.
	SaveEvery time.Duration
	// ShowEvery is the interval at which a task publishes its view (its present result).
	ShowEvery    time.Duration
	LogRetention LogRetention
	Now          func() time.Time
	Report       func(sentence string)
	// Check is called with an error while this worker leaves tasks to workers with a newer version of
	// limpet, and with nil otherwise. It may be nil.
	Check func(error)
}

// LogRetention holds the time for which each kind of log keeps its records.
type LogRetention struct {
	Rows   time.Duration // time for which steps of servers are kept; if no worker runs for a longer time, steps are lost
	Output time.Duration // time for which output of tasks is kept; if a node is switched off for a longer time, it misses output
}

// DefaultLogRetention returns a LogRetention with one day for rows, and one month for output. If a
// partition has no worker for up to one day, its next worker can still process all rows.
func DefaultLogRetention() LogRetention {
	return LogRetention{Rows: 24 * time.Hour, Output: 30 * 24 * time.Hour}
}

// DefaultWorkerOptions returns the default options. The caller must set the fields Name, Bus,
// Stages, Diagnose and Now. A task is saved every 30 s. Saving an engine of ten thousand components
// takes a fifth of a second. After a failure, processing the rows of 30 s again takes less than a
// fifth of a second. So saving more often would gain nothing.
func DefaultWorkerOptions() WorkerOptions {
	return WorkerOptions{SaveEvery: 30 * time.Second, ShowEvery: 2 * time.Second, LogRetention: DefaultLogRetention(), Report: func(string) {}}
}

// rowsLog returns the name of the log of a partition's rows.
func rowsLog(partition string) string { return "rows-" + partition }

// OutputLog is the name of the log of the output of all tasks.
const OutputLog = "said"

// Prefixes of the keys of leases.
const (
	workerPrefix = "worker."
	taskPrefix   = "machine."
	leftPrefix   = "left."
)

// leftKey returns the key of the lease that a worker holds while it leaves a task to workers with a
// newer version of limpet.
func leftKey(task, worker string) string { return leftPrefix + task + "." + worker }

// If no other worker can run a task that this worker has left, this worker tries again after
// retryLeft. The log may then have dropped the records that this worker cannot read.
const retryLeft = time.Minute

// renewalsPerLease is the number of renewals within the time of a lease. With four renewals, the
// lease still holds if two consecutive renewals fail.
const renewalsPerLease = 4

// Worker runs tasks.
type Worker struct {
	leaseholder
	o      WorkerOptions
	output bus.Log

	mu      sync.Mutex
	running map[string]*runningTask
	left    map[string]*leftTask // by name: tasks that this worker has left to workers with a newer version of limpet
	all     sync.WaitGroup
}

// leftTask is a task that this worker cannot run.
type leftTask struct {
	err    error     // the reason
	retry  time.Time // time at which the worker tries again
	giveUp func()    // ends the lease that informs other workers that this worker cannot run the task
}

// runningTask is a task that runs in this worker, or waits for its lease.
type runningTask struct{ stop context.CancelFunc }

// NewWorker returns a worker. Run starts it.
func NewWorker(ctx context.Context, o WorkerOptions) (*Worker, error) {
	output, err := o.Bus.Logs.Open(ctx, OutputLog, o.LogRetention.Output)
	if err != nil {
		return nil, err
	}
	return &Worker{leaseholder: leaseholder{o.Bus, o.Name, o.Now, o.Report}, o: o, output: output, running: map[string]*runningTask{}, left: map[string]*leftTask{}}, nil
}

// Run runs this worker's share of the tasks until the context ends, and then gives up the tasks.
func (w *Worker) Run(ctx context.Context) error {
	life := w.holdLease(ctx, workerPrefix+w.o.Name)
	defer life()
	tick := time.NewTicker(w.o.Bus.LeaseTime / renewalsPerLease)
	defer tick.Stop()
	known := true
	for {
		err := w.rebalance(ctx)
		if err != nil && known && ctx.Err() == nil {
			w.o.Report(fmt.Sprintf("worker %s cannot read the list of the other workers: %v", w.o.Name, err))
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

// Running returns the names of the tasks that run in this worker, or wait for their lease.
func (w *Worker) Running() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for name := range w.running {
		list = append(list, name)
	}
	return list
}

// tasks returns all tasks. The weight of a task is its number of components, because the work grows
// with this number.
func (w *Worker) tasks(ctx context.Context) ([]plan.Item, error) {
	now, err := w.o.Stages.Latest(ctx)
	if err != nil {
		return nil, err
	}
	return append(now.Items(), plan.Item{Name: CommonTask, Weight: 1}), nil
}

// rebalance starts the tasks that this worker should have, and stops the tasks that other workers
// should have.
func (w *Worker) rebalance(ctx context.Context) error {
	one, stop := context.WithTimeout(ctx, w.o.Bus.LeaseTime)
	defer stop()
	held, err := w.o.Bus.Leases.Held(one)
	if err != nil {
		return err
	}
	var workers []string
	for _, key := range held {
		if name, ok := strings.CutPrefix(key, workerPrefix); ok {
			workers = append(workers, name)
		}
	}
	items, err := w.tasks(one)
	if err != nil {
		return err
	}
	owners, waiting := assign(items, workers, held)
	w.mu.Lock()
	for name, owner := range owners {
		left := w.left[name]
		switch j := w.running[name]; {
		case owner == w.o.Name && j != nil && left != nil && w.o.Now().After(left.retry.Add(retryLeft)):
			left.giveUp() // the task has run since the last try, so this worker can read its data again
			delete(w.left, name)
		case owner == w.o.Name && j == nil && (left == nil || !w.o.Now().Before(left.retry)):
			w.start(ctx, name)
		case owner != w.o.Name && j != nil:
			j.stop()
		}
	}
	for name, left := range w.left {
		if _, exists := owners[name]; !exists { // a new topology has no such partition
			left.giveUp()
			delete(w.left, name)
		}
	}
	err = w.leftError(waiting)
	w.mu.Unlock()
	if w.o.Check != nil {
		w.o.Check(err)
	}
	return nil
}

// assign returns the worker of each task. If a worker has left a task, because a newer version of
// limpet has written its data, another worker gets the task. The second result has the tasks that
// all workers have left. The parameter `held` has the keys of all leases that are held at present.
func assign(items []plan.Item, workers, held []string) (owners map[string]string, waiting []string) {
	owners = plan.Assign(items, workers)
	for name, owner := range owners {
		if !slices.Contains(held, leftKey(name, owner)) {
			continue
		}
		able := slices.DeleteFunc(slices.Clone(workers), func(worker string) bool { return slices.Contains(held, leftKey(name, worker)) })
		if len(able) == 0 {
			waiting = append(waiting, name)
			continue
		}
		owners[name] = plan.Assign([]plan.Item{{Name: name, Weight: 1}}, able)[name]
	}
	return owners, waiting
}

// leftError returns an error if this worker has left tasks. The parameter `waiting` has the tasks that
// all workers have left. The caller holds the lock.
func (w *Worker) leftError(waiting []string) error {
	names := slices.Sorted(maps.Keys(w.left))
	if len(names) == 0 {
		return nil
	}
	waiting = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(waiting, name) })
	if len(waiting) == 0 {
		return fmt.Errorf("this node does not run the diagnosis of %s, because %w. Other nodes run it: upgrade this node", english.List(names), w.left[names[0]].err)
	}
	return fmt.Errorf("no running node has a diagnosis of %s, because %w: install the newer version on a node with the role worker. To keep this version, write another name of the cluster into the configuration of all nodes; limpet then reads all files again", english.List(waiting), w.left[waiting[0]].err)
}

// leave marks a task as one that this worker cannot run, because a newer version of limpet has written
// the data of the task. It holds a lease that makes another worker run the task.
func (w *Worker) leave(ctx context.Context, name string, err leftError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	retry := w.o.Now().Add(retryLeft)
	if left := w.left[name]; left != nil {
		left.err, left.retry = err.cause, retry
		return
	}
	ctx, giveUp := context.WithCancel(ctx)
	w.left[name] = &leftTask{err.cause, retry, giveUp}
	w.o.Report(fmt.Sprintf("%s: %v", name, err))
	w.all.Go(func() {
		defer giveUp()
		end := w.holdLease(ctx, leftKey(name, w.o.Name))
		<-ctx.Done()
		end()
	})
}

// start starts a goroutine that waits for the lease of a task and then runs the task.
func (w *Worker) start(life context.Context, name string) {
	ctx, stop := context.WithCancel(life)
	w.running[name] = &runningTask{stop}
	w.all.Go(func() {
		defer stop()
		err := w.run(ctx, name)
		var left leftError
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.As(err, &left):
			w.leave(life, name, left)
		default:
			w.o.Report(fmt.Sprintf("%s: %v", name, err))
		}
		w.mu.Lock()
		delete(w.running, name)
		w.mu.Unlock()
	})
}

// run runs a task under its lease.
func (w *Worker) run(ctx context.Context, name string) error {
	lease, err := w.takeLease(ctx, taskPrefix+name)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var renewing sync.WaitGroup
	ended := make(chan struct{})
	renewing.Go(func() { w.renewLease(ended, stop, lease) })
	defer renewing.Wait()
	defer close(ended)
	replica, err := w.replica(ctx, name)
	if err == nil {
		err = replica.Run(ctx, lease.Fence)
	}
	switch {
	case errors.Is(err, ErrFenced):
		return fmt.Errorf("%w: this node no longer runs this partition", err)
	case ctx.Err() != nil: // renewLease has reported the loss of the lease
		return nil
	}
	return err
}

// replica makes the replica that runs a task.
func (w *Worker) replica(ctx context.Context, name string) (Replica, error) {
	r := Replica{
		Name: name, Out: w.output, Blobs: w.o.Bus.Blobs, SaveEvery: w.o.SaveEvery, ShowEvery: w.o.ShowEvery, Now: w.o.Now, Report: w.o.Report,
	}
	if name == CommonTask {
		r.In = w.output
		r.New = func(saved []byte) (Task, error) {
			return newCommonTask(w.o.Stages.Reader(ctx), w.o.Diagnose, saved)
		}
		return r, nil
	}
	r.New = func(saved []byte) (Task, error) {
		return newPartitionTask(name, w.o.Stages.Reader(ctx), w.o.Diagnose, saved)
	}
	var err error
	r.In, err = w.o.Bus.Logs.Open(ctx, rowsLog(name), w.o.LogRetention.Rows)
	return r, err
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// workerLease is the time of a lease in these tests. Their clock is that of synctest.
const workerLease = 4 * time.Second

// workers is a bus with a plan of several partitions, on which tests run workers.
type workers struct {
	*testing.T
	bus   *bus.Bus
	stage *plan.Stage
	terms plan.Terms
	keys  int // commands so far
	// logsOf returns the logs that a worker gets instead of those of the bus; nil: those of the bus
	logsOf func(worker string, logs bus.Logs) bus.Logs
}

func newWorkers(t *testing.T) *workers {
	t.Helper()
	w := &workers{T: t, bus: bus.NewLocal(time.Now, workerLease)}
	w.terms = plan.Terms{
		System: parsed(t, "servers: fs[1-12]\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n"), Partitions: 12, LateSeconds: 120, Diagnose: engine.DefaultOptions(),
	}
	var err error
	w.stage, err = plan.NewStages(w.bus).Agree(t.Context(), &w.terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.stage.Names()) < 6 {
		t.Fatalf("the system has %d partitions, too few to be shared", len(w.stage.Names()))
	}
	return w
}

// tasks returns the names of all tasks, sorted.
func (w *workers) tasks() []string {
	return slices.Sorted(slices.Values(append(w.stage.Names(), CommonTask)))
}

// running is a worker that runs. It can be cut off from the leases and blobs of the bus.
type running struct {
	*Worker
	cut     atomic.Bool
	trouble atomic.Pointer[error] // last value of WorkerOptions.Check
	leave   func()
}

var errCutOff = errors.New("no way to the bus")

// cuttable are leases that a worker can be cut off from.
type cuttable struct {
	bus.Leases
	of *running
}

func (c cuttable) Acquire(ctx context.Context, key, owner string) (bus.Lease, error) {
	if c.of.cut.Load() {
		return bus.Lease{}, errCutOff
	}
	return c.Leases.Acquire(ctx, key, owner)
}

func (c cuttable) Renew(ctx context.Context, l bus.Lease) (bus.Lease, error) {
	if c.of.cut.Load() {
		return l, errCutOff
	}
	return c.Leases.Renew(ctx, l)
}

func (c cuttable) Release(ctx context.Context, l bus.Lease) error {
	if c.of.cut.Load() {
		return errCutOff
	}
	return c.Leases.Release(ctx, l)
}

func (c cuttable) Held(ctx context.Context) ([]string, error) {
	if c.of.cut.Load() {
		return nil, errCutOff
	}
	return c.Leases.Held(ctx)
}

// cuttableBlobs are blobs that a worker can be cut off from: its tasks cannot be saved then.
type cuttableBlobs struct {
	bus.Blobs
	of *running
}

func (c cuttableBlobs) Put(ctx context.Context, name string, data []byte) error {
	if c.of.cut.Load() {
		return errCutOff
	}
	return c.Blobs.Put(ctx, name, data)
}

// start starts a worker.
func (w *workers) start(name string) *running {
	w.Helper()
	r := &running{}
	own := *w.bus
	own.Leases, own.Blobs = cuttable{w.bus.Leases, r}, cuttableBlobs{w.bus.Blobs, r}
	if w.logsOf != nil {
		own.Logs = w.logsOf(name, w.bus.Logs)
	}
	o := DefaultWorkerOptions()
	o.Check = func(err error) { r.trouble.Store(&err) }
	o.Name, o.Bus, o.Stages, o.Diagnose, o.Now = name, &own, plan.NewStages(w.bus), w.terms.Diagnose, time.Now
	o.SaveEvery = time.Hour // only when a task is given up
	o.Report = func(s string) { w.Log(name + ": " + s) }
	var err error
	if r.Worker, err = NewWorker(w.Context(), o); err != nil {
		w.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := r.Run(ctx); err != nil {
			w.Errorf("%s: %v", name, err)
		}
	}()
	r.leave = func() { stop(); <-ended }
	return r
}

// owned checks that the workers run the tasks that plan.Assign gives each of them, and that
// each holds the leases of its tasks.
func (w *workers) owned(when string, all map[string]*running) {
	w.Helper()
	items := append(w.stage.Items(), plan.Item{Name: CommonTask, Weight: 1})
	want := plan.Assign(items, slices.Sorted(maps.Keys(all)))
	for name, one := range all {
		var mine []string
		for task, owner := range want {
			if owner == name {
				mine = append(mine, task)
			}
		}
		slices.Sort(mine)
		if got := slices.Sorted(slices.Values(one.Running())); !slices.Equal(got, mine) {
			w.Errorf("%s: worker %s runs %v, not %v", when, name, got, mine)
		}
		if len(mine) == 0 {
			w.Errorf("%s: worker %s has no share", when, name)
		}
	}
	held, err := w.bus.Leases.Held(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	held = slices.DeleteFunc(held, func(key string) bool { return !strings.HasPrefix(key, taskPrefix) })
	if len(held) != len(w.tasks()) {
		w.Errorf("%s: leases of %d tasks of %d are held: %v", when, len(held), len(w.tasks()), held)
	}
}

// comment appends a command to the log of each partition.
func (w *workers) comment() {
	w.Helper()
	w.keys++
	for _, name := range w.stage.Names() {
		log, err := w.bus.Logs.Open(w.Context(), rowsLog(name), time.Hour)
		if err != nil {
			w.Fatal(err)
		}
		key := fmt.Sprintf("%s %d", name, w.keys)
		data, err := Encode(&command.Command{Key: key, Verb: command.Comment, Name: "*", Text: "seen"})
		if err != nil {
			w.Fatal(err)
		}
		if err := log.Append(w.Context(), bus.Record{Subject: commandSubject, ID: key, Data: data}); err != nil {
			w.Fatal(err)
		}
	}
}

// outputs returns the keys of the commands in the output of each task, in order, and the number
// of replicas that each task has had.
func (w *workers) outputs() (keys map[string][]string, claims map[string]int) {
	w.Helper()
	log, err := w.bus.Logs.Open(w.Context(), OutputLog, time.Hour)
	if err != nil {
		w.Fatal(err)
	}
	r, err := log.Read(w.Context(), 0)
	if err != nil {
		w.Fatal(err)
	}
	keys, claims = map[string][]string{}, map[string]int{}
	fences := map[string]uint64{}
	for {
		ctx, stop := context.WithTimeout(w.Context(), time.Millisecond)
		record, err := r.Next(ctx)
		stop()
		if err != nil {
			return keys, claims
		}
		out, err := ParseOutput(record)
		if err != nil {
			w.Fatal(err)
		}
		if out.Fence < fences[out.Task] {
			w.Errorf("%s: an output has fence %d behind one with fence %d", out.Task, out.Fence, fences[out.Task])
		}
		fences[out.Task] = out.Fence
		switch out.Kind {
		case ClaimKind:
			claims[out.Task]++
		case commandKind:
			one, err := Decode[command.Command](out.Data)
			if err != nil {
				w.Fatal(err)
			}
			keys[out.Task] = append(keys[out.Task], one.Key)
		}
	}
}

// once checks that each partition has executed every command so far, once and in order.
func (w *workers) once(when string) {
	w.Helper()
	got, _ := w.outputs()
	for _, name := range w.stage.Names() {
		var want []string
		for i := range w.keys {
			want = append(want, fmt.Sprintf("%s %d", name, i+1))
		}
		if !slices.Equal(got[name], want) {
			w.Errorf("%s: partition %s has executed %v, not %v", when, name, got[name], want)
		}
	}
}

// TestWorkersShare: a worker alone runs every task. A second one gets its share, and the first
// gives up those tasks and no others. When the second leaves, the first has everything again.
// No command is executed twice or left out on the way.
func TestWorkersShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t)
		a := w.start("a")
		w.comment()
		time.Sleep(2 * workerLease)
		w.owned("alone", map[string]*running{"a": a})
		w.once("alone")
		_, before := w.outputs()

		b := w.start("b")
		time.Sleep(2 * workerLease)
		w.owned("with a second worker", map[string]*running{"a": a, "b": b})
		w.comment()
		time.Sleep(workerLease)
		w.once("with a second worker")
		_, after := w.outputs()
		for _, task := range w.tasks() {
			moved := slices.Contains(b.Running(), task)
			if after[task]-before[task] != map[bool]int{true: 1, false: 0}[moved] {
				t.Errorf("task %s has had %d replicas, then %d; moved: %v", task, before[task], after[task], moved)
			}
		}

		b.leave()
		if left := b.Running(); len(left) > 0 {
			t.Errorf("a worker that has left runs %v", left)
		}
		held, err := w.bus.Leases.Held(t.Context())
		if err != nil || slices.Contains(held, workerPrefix+"b") {
			t.Errorf("a worker that has left holds its lease: %v, %v", held, err)
		}
		time.Sleep(2 * workerLease)
		w.owned("after the second has left", map[string]*running{"a": a})
		w.comment()
		time.Sleep(workerLease)
		w.once("after the second has left")
		a.leave()
	})
}

// TestGivenUpTasksAreSaved: a worker that gives a task up saves it, and its successor begins with
// that snapshot.
func TestGivenUpTasksAreSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t)
		a := w.start("a")
		w.comment()
		time.Sleep(2 * workerLease)
		name := w.stage.Names()[0]
		if _, err := w.bus.Blobs.Get(t.Context(), stateName(name)); !errors.Is(err, bus.ErrNone) {
			t.Fatalf("partition %s is saved before its time: %v", name, err)
		}
		a.leave()
		for _, name := range w.stage.Names() {
			if _, err := w.bus.Blobs.Get(t.Context(), stateName(name)); err != nil {
				t.Errorf("partition %s: %v", name, err)
			}
		}
	})
}

// TestCutOffWorker: a worker that cannot reach the bus stops its tasks when their leases expire.
// Another has them by then, and nothing is executed twice.
func TestCutOffWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t)
		a, b := w.start("a"), w.start("b")
		time.Sleep(2 * workerLease)
		w.owned("at first", map[string]*running{"a": a, "b": b})
		b.cut.Store(true)
		w.comment()
		time.Sleep(2*workerLease + workerLease/2)
		if left := b.Running(); len(left) > 0 {
			t.Errorf("a worker without leases runs %v", left)
		}
		w.owned("without the other", map[string]*running{"a": a})
		w.comment()
		time.Sleep(workerLease)
		w.once("without the other")
		b.cut.Store(false)
		time.Sleep(3 * workerLease)
		w.owned("with the other again", map[string]*running{"a": a, "b": b})
		w.comment()
		time.Sleep(workerLease)
		w.once("with the other again")
		b.leave()
		a.leave()
	})
}

package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/sentence"
)

// gathered is a bus on which a test plays the tasks of two partitions: it writes their output and
// their views itself.
type gathered struct {
	*testing.T
	bus     *bus.Bus
	voice   *sentence.Writer
	terms   plan.Terms
	stage   *plan.Stage
	output  bus.Log
	numbers map[string]uint64 // by task: its last output
	seqs    map[string]uint64 // by task: place of that in the log
}

// gatheredSite has two arrays whose LUNs are compared within the array: two partitions. Its names are
// those that ledgertest makes incidents at.
const gatheredSite = `
name: north
servers: fs[1-8]
arrays:
  - {names: 'ddn[1-2]', servers_per_array: 4, luns: 0-7, priority: rotate, controllers: {a: 1-2, b: 3-4}, devices: 'sd[b-i]', peers: array}
`

// receiver is the receiver of alerts in these tests.
const receiver = "pager"

func newGathered(t *testing.T) *gathered {
	t.Helper()
	return newGatheredOn(t, bus.NewLocal(time.Now, time.Minute))
}

func newGatheredOn(t *testing.T, b *bus.Bus) *gathered {
	t.Helper()
	system := parsed(t, gatheredSite)
	o := engine.DefaultOptions()
	voice := sentence.New(system, table.Schema{Metrics: metric.All(), Components: len(system.Components)}, &o)
	g := &gathered{T: t, bus: b, voice: voice, numbers: map[string]uint64{}, seqs: map[string]uint64{}}
	g.terms = plan.Terms{System: system, Partitions: 2, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	var err error
	g.stage, err = plan.NewStages(g.bus).Agree(t.Context(), &g.terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil || len(g.stage.Names()) != 2 {
		t.Fatalf("%v, %v", g.stage, err)
	}
	if g.output, err = g.bus.Logs.Open(t.Context(), OutputLog, time.Hour); err != nil {
		t.Fatal(err)
	}
	return g
}

// event writes an event of a partition, as its replica would.
func (g *gathered) event(task string, at int64, change incident.Change, in incident.Incident) {
	g.Helper()
	e := ledgertest.Event(at, change, in)
	data, err := Encode(Event{Time: at, Change: change, Incident: *e.Incident})
	if err != nil {
		g.Fatal(err)
	}
	g.numbers[task]++
	out := Output{Number: g.numbers[task], Fence: 1, Kind: EventKind, Cause: time.Unix(at, 0), Data: data}
	g.put(task, &out)
}

// claim writes what a new replica of a task begins with.
func (g *gathered) claim(task string) {
	g.Helper()
	g.put(task, &Output{Number: g.numbers[task], Fence: 2, Kind: ClaimKind})
}

func (g *gathered) put(task string, out *Output) {
	g.Helper()
	seq, err := g.output.Put(g.Context(), bus.Record{Subject: task, Data: out.encode()}, g.seqs[task])
	if err != nil {
		g.Fatal(err)
	}
	g.seqs[task] = seq
}

// view publishes the view of a partition up to the end of a row.
func (g *gathered) view(task string, row int64, incidents ...incident.Incident) {
	g.Helper()
	v := View{Row: row, Summary: engine.Summary{Incidents: incidents}}
	v.Summary.From, v.Summary.To = ledgertest.Began, row
	data, err := Encode(v)
	if err != nil {
		g.Fatal(err)
	}
	if err := g.bus.Blobs.Put(g.Context(), ViewName(task), data); err != nil {
		g.Fatal(err)
	}
}

// node starts a node that gathers into a directory. It runs until leave is called.
func (g *gathered) node(dir string) (node *Gather, leave func()) {
	g.Helper()
	return g.nodeWith(dir, func(*gatherOptions) {})
}

// nodeWith starts a node with changed options.
func (g *gathered) nodeWith(dir string, change func(*gatherOptions)) (node *Gather, leave func()) {
	g.Helper()
	w := watch.DefaultOptions()
	o := gatherOptions{
		Node: "node", Bus: g.bus, Stages: plan.NewStages(g.bus), Terms: g.terms, LogRetention: DefaultLogRetention(), StateDir: dir,
		Alert: w.Alert, History: w.History, Retention: w.Retention, LookEvery: 5 * time.Millisecond, TickSeconds: w.TickSeconds,
		Now: func() time.Time { return time.Unix(ledgertest.Began, 0) }, Report: func(s string) { g.Log(s) },
	}
	o.Alert.FireSeconds, o.Alert.QuietBefore, o.Alert.Receivers = 0, 1, []alert.Receiver{{Name: receiver}}
	change(&o)
	node, err := openGather(context.Background(), o)
	if err != nil {
		g.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := node.Run(ctx); err != nil {
			g.Error(err)
		}
	})
	var once sync.Once
	leave = func() {
		once.Do(func() {
			stop()
			running.Wait()
			if err := node.Close(); err != nil {
				g.Error(err)
			}
		})
	}
	g.Cleanup(leave)
	return node, leave
}

// awaitEvent waits until a ledger has the last output of all tasks.
func (g *gathered) awaitEvent(l *ledger.Ledger) {
	g.Helper()
	last := int64(0)
	for _, seq := range g.seqs {
		last = max(last, int64(seq))
	}
	await(g.T, "the ledger has the last event", func() bool { return l.LastEvent() >= last })
}

// listed are the events of a ledger: number, time, change and incident.
func (g *gathered) listed(l *ledger.Ledger) (list []string) {
	g.Helper()
	all, err := l.Events(g.Context(), 0, 1000)
	if err != nil {
		g.Fatal(err)
	}
	ids := map[int64]string{}
	incidents, _, err := l.Incidents(g.Context(), ledger.Query{})
	if err != nil {
		g.Fatal(err)
	}
	for i := range incidents {
		ids[incidents[i].Number] = incidents[i].ID
	}
	for _, e := range all {
		list = append(list, fmt.Sprint(e.Seq, " ", e.Time-ledgertest.Began, " ", e.Change, " ", ids[e.Number]))
	}
	return list
}

// firing are the notifications that wait for the receiver.
func (g *gathered) firing(l *ledger.Ledger) (keys []string) {
	g.Helper()
	queue, err := l.Queue(g.Context(), receiver, 100)
	if err != nil {
		g.Fatal(err)
	}
	for i := range queue {
		keys = append(keys, queue[i].Alert)
	}
	return keys
}

// TestGatherWritesEveryEventOnce: the events of all partitions come into one ledger, in the order
// of the log and with its numbers. A node that was stopped goes on with the next event, a claim
// is no event, and another node has the same events with the same numbers.
func TestGatherWritesEveryEventOnce(t *testing.T) {
	g := newGathered(t)
	first, second := g.stage.Names()[0], g.stage.Names()[1]
	began := ledgertest.Began
	slow := func(lun int) incident.Incident { return ledgertest.Slow(g.voice, lun, began) }
	dir := filepath.Join(t.TempDir(), "one")
	node, leave := g.node(dir)
	g.event(first, began+60, incident.Opened, slow(1))
	g.event(second, began+60, incident.Opened, slow(2)) // the same number, of another task
	g.event(first, began+120, incident.Recovers, slow(1))
	g.awaitEvent(node.Ledger())
	leave()

	g.claim(second)
	g.event(second, began+180, incident.Opened, slow(3))
	node, leave = g.node(dir)
	g.event(first, began+240, incident.Clears, slow(1))
	g.awaitEvent(node.Ledger())
	want := []string{
		"1 60 " + string(incident.Opened) + " " + ledgertest.ID(1),
		"2 60 " + string(incident.Opened) + " " + ledgertest.ID(2),
		"3 120 " + string(incident.Recovers) + " " + ledgertest.ID(1),
		"5 180 " + string(incident.Opened) + " " + ledgertest.ID(3),
		"6 240 " + string(incident.Clears) + " " + ledgertest.ID(1),
	}
	if got := g.listed(node.Ledger()); !slices.Equal(got, want) {
		t.Errorf("the ledger has\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var alerts []string
	await(t, "the alerts are decided", func() bool { alerts = g.firing(node.Ledger()); return len(alerts) >= 3 })
	if unique := slices.Compact(slices.Sorted(slices.Values(alerts))); len(alerts) != 3 || len(unique) != 3 {
		t.Errorf("three incidents began, and the receiver is to get %v", alerts)
	}
	leave()

	other, _ := g.node(filepath.Join(t.TempDir(), "other"))
	g.awaitEvent(other.Ledger())
	if got := g.listed(other.Ledger()); !slices.Equal(got, want) {
		t.Errorf("another node has\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestGatherMergesViews: a node shows the incidents of all partitions, says that it waits until each
// has been judged, and reports a partition that falls behind the others until it has caught up.
func TestGatherMergesViews(t *testing.T) {
	g := newGathered(t)
	first, second := g.stage.Names()[0], g.stage.Names()[1]
	began := ledgertest.Began
	node, _ := g.node(filepath.Join(t.TempDir(), "state"))
	shown := func() (ids []string) {
		for i := range node.Result().Incidents {
			ids = append(ids, node.Result().Incidents[i].ID)
		}
		slices.Sort(ids)
		return ids
	}
	behind := func() bool {
		return slices.ContainsFunc(node.Result().Troubles, func(t announce.Trouble) bool { return t.Kind == "partitions" && strings.Contains(t.Text, second) })
	}
	g.view(first, began+3600, ledgertest.Slow(g.voice, 1, began))
	await(t, "the first partition is shown", func() bool { return slices.Equal(shown(), []string{ledgertest.ID(1)}) })
	if node.Result().Waiting == "" {
		t.Error("one partition of two has been judged, and the node waits for nothing")
	}
	g.view(second, began+3600, ledgertest.Slow(g.voice, 2, began))
	await(t, "both partitions are shown", func() bool {
		return slices.Equal(shown(), []string{ledgertest.ID(1), ledgertest.ID(2)}) && node.Result().Waiting == ""
	})
	if behind() {
		t.Errorf("no partition is behind: %v", node.Result().Troubles)
	}
	g.view(first, began+3600+(behindSteps+1)*15)
	await(t, "the second partition is behind", behind)
	g.view(second, began+3600+(behindSteps+1)*15)
	await(t, "the second partition has caught up", func() bool { return !behind() && len(shown()) == 0 })
}

// TestGatherNamesCoarseRecords: the node that reads the files of a server with too few records has a
// trouble, as a server without a cluster has.
func TestGatherNamesCoarseRecords(t *testing.T) {
	const text = "fs4 records every 10 min"
	node, _ := newGathered(t).nodeWith(filepath.Join(t.TempDir(), "state"), func(o *gatherOptions) {
		o.Progress = func() activity.Progress { return activity.Progress{Coarse: text} }
	})
	await(t, "the trouble is shown", func() bool {
		return slices.ContainsFunc(node.Result().Troubles, func(t announce.Trouble) bool { return t.Kind == "interval" && t.Text == text })
	})
}

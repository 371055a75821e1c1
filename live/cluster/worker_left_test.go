package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/live/ledger"
)

// laterLogs show steps with traffic by client as steps of a later version, until they are dropped.
type laterLogs struct {
	bus.Logs
	dropped *atomic.Bool
}

func (l laterLogs) Open(ctx context.Context, name string, keep time.Duration) (bus.Log, error) {
	log, err := l.Logs.Open(ctx, name, keep)
	if err == nil && strings.HasPrefix(name, "rows-") {
		log = laterLog{log, l.dropped}
	}
	return log, err
}

type laterLog struct {
	bus.Log
	dropped *atomic.Bool
}

func (l laterLog) Read(ctx context.Context, after uint64) (bus.Reader, error) {
	r, err := l.Log.Read(ctx, after)
	return laterReader{r, l.dropped}, err
}

type laterReader struct {
	bus.Reader
	dropped *atomic.Bool
}

func (l laterReader) Next(ctx context.Context) (bus.Record, error) {
	r, err := l.Reader.Next(ctx)
	if len(r.Data) > 0 && r.Data[0] == plan.FormVersion && !l.dropped.Load() {
		r.Data = bytes.Clone(r.Data)
		r.Data[0]++
	}
	return r, err
}

// TestLeftToNewer: a worker of an older version leaves partitions with steps of a newer version, and
// says so. A worker of the newer version runs them, also those that the assignment gives to the older
// worker. Without a newer worker, the older one says what to do.
func TestLeftToNewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers(t)
		var dropped atomic.Bool
		w.logsOf = func(worker string, logs bus.Logs) bus.Logs {
			if worker == "older" {
				return laterLogs{logs, &dropped}
			}
			return logs
		}
		schema, err := w.stage.WholeSchema()
		if err != nil {
			t.Fatal(err)
		}
		row := table.NewRow(schema)
		row.End = time.Now().Unix()
		for s := range row.Gauges {
			row.Heard[s], row.Gauges[s].Clients = true, []table.ClientTraffic{{Name: "c1", BytesPerSecond: 1}}
		}
		cut := plan.NewCut(0, w.stage.System, schema)
		for i := range w.stage.Division.Partitions {
			p := &w.stage.Division.Partitions[i]
			log, err := w.bus.Logs.Open(t.Context(), rowsLog(p.Name), 0)
			if err != nil {
				t.Fatal(err)
			}
			for at, s := range p.Servers {
				if err := log.Append(t.Context(), bus.Record{Subject: subject(w.stage.System.Servers[s]), Data: cut.Step(row, s, at)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		older := w.start("older")
		time.Sleep(3 * workerLease)
		names := w.stage.Names()
		if err := *older.trouble.Load(); err == nil || !strings.Contains(err.Error(), "no running node has a diagnosis of "+names[0]) ||
			!strings.Contains(err.Error(), "install the newer version on a node with the role worker") || strings.Contains(err.Error(), "\n") {
			t.Errorf("the only worker: %v", err)
		}
		if got := older.Running(); !slices.Equal(got, []string{CommonTask}) {
			t.Errorf("the older worker runs %v", got)
		}
		newer := w.start("newer")
		time.Sleep(4 * workerLease)
		for _, name := range names {
			if !slices.Contains(newer.Running(), name) {
				t.Errorf("the newer worker does not run %s", name)
			}
			data, err := w.bus.Blobs.Get(t.Context(), ViewName(name))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if v, err := Decode[View](data); err != nil || v.Row != row.End {
				t.Errorf("%s is at row %d: %v", name, v.Row, err)
			}
		}
		if err := *older.trouble.Load(); err == nil || !strings.Contains(err.Error(), "Other nodes run it: upgrade this node") {
			t.Errorf("beside a newer worker: %v", err)
		}
		if err := *newer.trouble.Load(); err != nil {
			t.Error(err)
		}
		newer.leave()
		dropped.Store(true)
		time.Sleep(4*workerLease + 3*retryLeft)
		if got := slices.Sorted(slices.Values(older.Running())); !slices.Equal(got, w.tasks()) {
			t.Errorf("after the log has dropped the steps of the newer version, the older worker runs %v", got)
		}
		if err := *older.trouble.Load(); err != nil {
			t.Errorf("after the log has dropped the steps of the newer version: %v", err)
		}
		older.leave()
	})
}

// TestNewerRecords: records of later forms are known as such, and text of other programs is not.
func TestNewerRecords(t *testing.T) {
	for version, newer := range map[byte]bool{0: false, outputVersion: false, outputVersion + 1: true, ' ': false, '{': false} {
		if _, err := ParseOutput(bus.Record{Data: []byte{version}}); err == nil || isNewer(err) != newer {
			t.Errorf("an output of version %d: %v", version, err)
		}
	}
	for subject, newer := range map[string]bool{commandSubject: false, commandSubject + "-2": true, stageSubject + "-2": true, subject("fs1"): false} {
		if isNewerSubject(subject) != newer {
			t.Errorf("%s: %t", subject, !newer)
		}
	}
	if _, _, err := ParseAlert(bus.Record{Data: []byte{outputVersion + 1, 0}}); err != errAlertVersion {
		t.Error(err)
	}
}

// TestOlderNodes: nodes that do not state the version of steps that they read are older, nodes that were
// not seen for a day do not count, and a node whose entry has lost its version writes it again.
func TestOlderNodes(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	g := &Gather{o: gatherOptions{Node: "a", Now: func() time.Time { return now }, LogRetention: DefaultLogRetention()}, alerts: newFollowed(), newReceivers: make(chan struct{}, 1)}
	entry := func(name string, form int, age time.Duration) nodeReceivers {
		return nodeReceivers{Node: name, Seen: now.Add(-age).Unix(), StepForm: form}
	}
	for _, tt := range []struct {
		nodes   []nodeReceivers
		want    string
		repeats bool
	}{
		{nil, "[] false", true},
		{[]nodeReceivers{entry("a", plan.FormVersion, 0), entry("b", plan.FormVersion+1, 0)}, "[] true", false},
		{[]nodeReceivers{entry("a", plan.FormVersion, 0), entry("b", 0, time.Hour), entry("c", 0, 25*time.Hour)}, "[b] true", false},
		{[]nodeReceivers{entry("a", 0, 0), entry("b", 0, 0)}, "[a b] true", true},
	} {
		g.alerts.roster = tt.nodes
		if got := fmt.Sprint(g.olderNodes()); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.nodes, got, tt.want)
		}
		g.repeatReceivers(7, receiversKind, &AlertMessage{Node: "b", Nodes: tt.nodes})
		select {
		case <-g.newReceivers:
			if !tt.repeats {
				t.Errorf("%v: the entry is written again", tt.nodes)
			}
		default:
			if tt.repeats {
				t.Errorf("%v: the entry is not written again", tt.nodes)
			}
		}
	}
	g.alerts.roster = nil
	known := make(chan struct{})
	go func() {
		g.awaitNodes(t.Context())
		close(known)
	}()
	g.alerts.note(9, receiversSubject, receiversKind, &AlertMessage{Node: "b", Nodes: []nodeReceivers{entry("b", plan.FormVersion, 0)}})
	g.alerts.move(ledger.AlertLog{At: 9})
	<-known
	g.repeatReceivers(7, receiversKind, &AlertMessage{Node: "b"})
	select {
	case <-g.newReceivers:
		t.Error("the entry is written again because of an old list")
	default:
	}
}

// TestOlderDecider: a node that decides ends its turn at an event of a newer version, and the event is
// left to a node that can read it. It does not take the turn again.
func TestOlderDecider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewLocal(time.Now, workerLease)
		log, err := b.Logs.Open(t.Context(), "alerts", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		g := &Gather{
			o:      gatherOptions{Node: "a", Bus: b, Now: time.Now, Report: func(s string) { t.Log(s) }},
			alerts: newFollowed(), following: make(chan struct{}), ended: make(chan struct{}),
		}
		close(g.following)
		g.alerts.log = log
		g.alerts.move(ledger.AlertLog{At: 100}) // the ledger has every record of this test
		turn, err := g.takeAlertTurn(t.Context(), decideSubject, AlertMessage{})
		if err != nil {
			t.Fatal(err)
		}
		d := &decider{Gather: g, turn: turn, lastEvent: 4}
		if err := d.event(t.Context(), bus.Record{Seq: 5, Data: []byte{outputVersion + 1}}); !errors.Is(err, errNewerOutput) || d.lastEvent != 4 {
			t.Errorf("after an event of a newer version, the last event is %d: %v", d.lastEvent, err)
		}
		synctest.Wait()
		if turn.running.Err() == nil {
			t.Error("the turn goes on")
		}
		turn.End()
		ctx, stop := context.WithTimeout(t.Context(), 10*workerLease)
		defer stop()
		if _, err := g.takeAlertTurn(ctx, decideSubject, AlertMessage{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the turn is taken again: %v", err)
		}
		if _, err := b.Leases.Acquire(t.Context(), alertPrefix+decideSubject, "b"); err != nil {
			t.Errorf("another node cannot take the turn: %v", err)
		}
	})
}

// TestStoppedWhileWaiting: a node that waits for a turn does not take it after it has met a record of a
// newer version.
func TestStoppedWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewLocal(time.Now, workerLease)
		log, err := b.Logs.Open(t.Context(), "alerts", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		g := &Gather{
			o:      gatherOptions{Node: "a", Bus: b, Now: time.Now, Report: func(s string) { t.Log(s) }},
			alerts: newFollowed(), following: make(chan struct{}), ended: make(chan struct{}),
		}
		close(g.following)
		g.alerts.log = log
		g.alerts.move(ledger.AlertLog{At: 100})
		other, err := b.Leases.Acquire(t.Context(), alertPrefix+decideSubject, "b")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*workerLease)
		defer stop()
		taken := make(chan error)
		go func() {
			_, err := g.takeAlertTurn(ctx, decideSubject, AlertMessage{})
			taken <- err
		}()
		synctest.Wait() // it waits for the lease of b
		g.alerts.stop()
		if err := b.Leases.Release(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := <-taken; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the turn is taken: %v", err)
		}
		if _, err := log.Last(t.Context(), decideSubject); !errors.Is(err, bus.ErrNone) {
			t.Errorf("a claim was written: %v", err)
		}
	})
}

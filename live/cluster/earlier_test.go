package cluster

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

var saveEarlier = flag.String("cluster.save", "", "write what nodes of this version save and send into the `FILE`")

// earlierBus is what nodes have saved and sent.
type earlierBus struct {
	Blobs map[string][]byte
	Logs  map[string][]bus.Record
}

// savedBlobs keeps the last value of each blob.
type savedBlobs struct {
	bus.Blobs
	mu  sync.Mutex
	all map[string][]byte
}

func (s *savedBlobs) Put(ctx context.Context, name string, data []byte) error {
	s.mu.Lock()
	s.all[name] = bytes.Clone(data)
	s.mu.Unlock()
	return s.Blobs.Put(ctx, name, data)
}

// earlierTerms are the terms of the cluster in testdata.
func earlierTerms(t *testing.T) plan.Terms {
	system := parsedPartition(t, "servers: fs[1-2]\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n")
	return plan.Terms{System: system, Partitions: 1, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
}

const earlierBegin = 1_772_323_200

// earlierSteps sends rows in which one drive is slow.
func earlierSteps(t *testing.T, b *bus.Bus, stage *plan.Stage, from, to int) {
	t.Helper()
	schema, err := stage.WholeSchema()
	if err != nil {
		t.Fatal(err)
	}
	log, err := b.Logs.Open(t.Context(), rowsLog(stage.Names()[0]), 0)
	if err != nil {
		t.Fatal(err)
	}
	cut := plan.NewCut(stage.Generation, stage.System, schema)
	for i := from; i < to; i++ {
		row := table.NewRow(schema)
		row.End = int64(earlierBegin + 15*(i+1))
		for s := range row.Heard {
			row.Heard[s] = true
		}
		for c := range row.Values[0] {
			row.Values[0][c], row.Values[1][c] = 5+float64((i*7+c*3)%5)/10, 20
		}
		if i >= 60 {
			row.Values[0][1] = 60
		}
		for s, name := range stage.System.Servers {
			r := bus.Record{Subject: subject(name), ID: fmt.Sprint(name, " ", row.End), Data: cut.Step(row, s, slices.Index(stage.Find(stage.Names()[0]).Servers, s))}
			if err := log.Append(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// runEarlier runs a task until its view has a row.
func runEarlier(t *testing.T, b *bus.Bus, r Replica, fence uint64, row int64) (reports []string) {
	t.Helper()
	var err error
	if r.Out, err = b.Logs.Open(t.Context(), OutputLog, 0); err != nil {
		t.Fatal(err)
	}
	r.Blobs, r.SaveEvery, r.ShowEvery, r.Now = b.Blobs, time.Hour, time.Millisecond, time.Now
	var mu sync.Mutex
	r.Report = func(s string) { mu.Lock(); reports = append(reports, s); mu.Unlock() }
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx, fence) }()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		data, err := b.Blobs.Get(t.Context(), ViewName(r.Name))
		if err == nil {
			if v, err := Decode[View](data); err == nil && v.Row >= row {
				break
			}
		}
		if time.Now().After(end) {
			t.Errorf("%s does not come to row %d", r.Name, row)
			break
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	return reports
}

// partitionReplica returns the task of the only partition.
func partitionReplica(t *testing.T, b *bus.Bus, stages *plan.Stages, name string, o engine.Options) Replica {
	t.Helper()
	in, err := b.Logs.Open(t.Context(), rowsLog(name), 0)
	if err != nil {
		t.Fatal(err)
	}
	return Replica{Name: name, In: in, New: func(saved []byte) (Task, error) { return newPartitionTask(name, stages.Reader(t.Context()), o, saved) }}
}

func commonReplica(t *testing.T, b *bus.Bus, stages *plan.Stages, o engine.Options) Replica {
	t.Helper()
	in, err := b.Logs.Open(t.Context(), OutputLog, 0)
	if err != nil {
		t.Fatal(err)
	}
	return Replica{Name: CommonTask, In: in, New: func(saved []byte) (Task, error) { return newCommonTask(stages.Reader(t.Context()), o, saved) }}
}

// TestSaveEarlier writes a fixture.
func TestSaveEarlier(t *testing.T) {
	if *saveEarlier == "" {
		t.Skip("writes a fixture: -cluster.save FILE")
	}
	at := time.Unix(earlierBegin, 0)
	b := bus.NewLocal(func() time.Time { at = at.Add(time.Millisecond); return at }, time.Minute)
	blobs := &savedBlobs{Blobs: b.Blobs, all: map[string][]byte{}}
	b.Blobs = blobs
	terms, stages := earlierTerms(t), plan.NewStages(b)
	stage, err := stages.Agree(t.Context(), &terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil {
		t.Fatal(err)
	}
	name := stage.Names()[0]
	earlierSteps(t, b, stage, 0, 300)
	c := command.Command{Verb: command.Comment, Text: "ticket 4711", Time: earlierBegin + 4500, Key: "1"}
	data, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := b.Logs.Open(t.Context(), rowsLog(name), 0)
	if err := rows.Append(t.Context(), bus.Record{Subject: commandSubject, Data: data}); err != nil {
		t.Fatal(err)
	}
	runEarlier(t, b, partitionReplica(t, b, stages, name, terms.Diagnose), 1, earlierBegin+15*300)
	runEarlier(t, b, commonReplica(t, b, stages, terms.Diagnose), 2, earlierBegin+15*240)
	alerts, err := b.Logs.Open(t.Context(), AlertLog, 0)
	if err != nil {
		t.Fatal(err)
	}
	note := []byte(`{"version":1,"key":"k1","state":"firing"}`)
	m := AlertMessage{
		Node: "n1", Through: 3, Row: earlierBegin,
		Notes: []Note{{Receivers: []string{"hook"}, Key: "k1", Alert: "a", Time: earlierBegin, Payload: note}},
		Nodes: []nodeReceivers{{Node: "n1", Seen: earlierBegin, Receivers: []alert.Receiver{{Name: "hook"}}}},
	}
	text, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	out := Output{Number: 1, Fence: 3, Kind: decisionKind, Cause: at, Data: text}
	if err := alerts.Append(t.Context(), bus.Record{Subject: decideSubject, Data: out.encode()}); err != nil {
		t.Fatal(err)
	}
	all := earlierBus{Blobs: blobs.all, Logs: map[string][]bus.Record{}}
	for _, log := range []string{"plan", rowsLog(name), OutputLog, AlertLog} {
		all.Logs[log] = recordsOf(t, b, log)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err := errors.Join(gob.NewEncoder(z).Encode(all), z.Close(), os.WriteFile(*saveEarlier, packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// recordsOf returns all records of a log.
func recordsOf(t *testing.T, b *bus.Bus, name string) (list []bus.Record) {
	t.Helper()
	log, err := b.Logs.Open(t.Context(), name, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := log.Read(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		one, err := r.Next(ctx)
		stop()
		if err != nil {
			return list
		}
		list = append(list, one)
	}
}

// TestEarlierCluster continues what nodes of earlier versions have saved and sent. Their plan, steps,
// commands, outputs, views and notifications are read. Nothing is told twice, and the open incident
// stays open. Fixtures are never changed: go test ./live/cluster -run TestSaveEarlier -cluster.save FILE
// writes a new one for a version that saves or sends something in another form.
func TestEarlierCluster(t *testing.T) {
	anew := map[string]string{ // by fixture: the reason why its engines begin anew
	}
	files, err := filepath.Glob("testdata/earlier/*.gob.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			packed, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer packed.Close()
			z, err := gzip.NewReader(packed)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			all, err := Decode[earlierBus](text)
			if err != nil {
				t.Fatal(err)
			}
			var at time.Time
			b := bus.NewLocal(func() time.Time { at = at.Add(time.Millisecond); return at }, time.Minute)
			for name, data := range all.Blobs {
				if err := b.Blobs.Put(t.Context(), name, data); err != nil {
					t.Fatal(err)
				}
			}
			for name, records := range all.Logs {
				log, err := b.Logs.Open(t.Context(), name, 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					at = r.Time.Add(-time.Millisecond)
					if err := log.Append(t.Context(), bus.Record{Subject: r.Subject, ID: r.ID, Data: r.Data}); err != nil {
						t.Fatal(err)
					}
				}
			}
			terms, stages := earlierTerms(t), plan.NewStages(b)
			stage, err := stages.Await(t.Context(), &terms)
			if err != nil {
				t.Fatal(err)
			}
			name := stage.Names()[0]
			before := told(t, b)
			if len(before) < 2 {
				t.Fatalf("%q", before)
			}
			for _, task := range []string{name, CommonTask} {
				data, err := b.Blobs.Get(t.Context(), ViewName(task))
				if err != nil {
					t.Fatal(err)
				}
				if v, err := Decode[View](data); err != nil || v.Row == 0 || task == name && len(v.Summary.Incidents) != 1 {
					t.Errorf("the view of %s: %+v, %v", task, v, err)
				}
			}
			alerts := recordsOf(t, b, AlertLog)
			if out, m, err := ParseAlert(alerts[0]); err != nil || out.Kind != decisionKind || m.Node != "n1" || len(m.Notes) != 1 || m.Notes[0].Key != "k1" || len(m.Nodes) != 1 {
				t.Errorf("%+v: %v", m, err)
			}
			at = time.Unix(earlierBegin+5000, 0)
			earlierSteps(t, b, stage, 300, 330)
			reports := runEarlier(t, b, partitionReplica(t, b, stages, name, terms.Diagnose), 11, earlierBegin+15*330)
			reports = append(reports, runEarlier(t, b, commonReplica(t, b, stages, terms.Diagnose), 12, earlierBegin+15*320)...)
			if want := anew[filepath.Base(path)]; want == "" && len(reports) > 0 || want != "" && !strings.Contains(strings.Join(reports, "\n"), want) {
				t.Errorf("%q", reports)
			}
			after := told(t, b)
			if !slices.Equal(after[:len(before)], before) || slices.ContainsFunc(after[len(before):], func(line string) bool { return !strings.HasPrefix(line, string(incident.Changed)) }) {
				t.Errorf("%q, before %q", after, before)
			}
		})
	}
}

// told lists all events and commands in the log of outputs.
func told(t *testing.T, b *bus.Bus) (list []string) {
	t.Helper()
	for _, r := range recordsOf(t, b, OutputLog) {
		s, err := ParseOutput(r)
		if err != nil {
			t.Fatal(err)
		}
		switch s.Kind {
		case EventKind:
			e, err := Decode[Event](s.Data)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(e.Change, " ", e.Incident.ID))
		case commandKind:
			c, err := Decode[command.Command](s.Data)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(c.Verb, " ", c.Text))
		}
	}
	return list
}

package cluster

import (
	"errors"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/topology"
)

func parsedPartition(t *testing.T, text string) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNothingIsLeft: a partition that has lost all its servers continues without components, and is
// saved and restored so. An announcement that is repeated changes nothing.
func TestNothingIsLeft(t *testing.T) {
	const drives = "\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n"
	b := bus.NewLocal(time.Now, time.Second)
	stages := plan.NewStages(b)
	terms := plan.Terms{System: parsedPartition(t, "servers: fs[1-2]"+drives), Partitions: 2, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	stage, err := stages.Agree(t.Context(), &terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil || len(stage.Names()) != 2 {
		t.Fatalf("%v, %v", stage, err)
	}
	next, err := stages.Change(t.Context(), parsedPartition(t, "servers: fs2"+drives))
	if err != nil {
		t.Fatal(err)
	}
	empty := ""
	for _, name := range next.Names() {
		if len(next.Find(name).Servers) == 0 {
			empty = name
		}
	}
	m, err := newPartitionTask(empty, stages.Reader(t.Context()), terms.Diagnose, nil)
	if err != nil {
		t.Fatal(err)
	}
	generation, err := Encode(1)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for range 2 {
		if err := m.Take(bus.Record{Subject: stageSubject, Data: generation}, func(k Kind, _ []byte) {
			if k == stageKind {
				said++
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.System.Components) != 0 || said != 1 {
		t.Errorf("it has %d components, and said %d times that the system changed", len(m.System.Components), said)
	}
	saved, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := newPartitionTask(empty, stages.Reader(t.Context()), terms.Diagnose, saved); err != nil || again.stage.Generation != 1 {
		t.Errorf("it does not come back: %v", err)
	}
}

// TestOlderSteps: steps of an older version are reported once, and the steps behind them are taken.
func TestOlderSteps(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Second)
	stages := plan.NewStages(b)
	terms := plan.Terms{System: parsedPartition(t, "servers: fs1\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n"), Partitions: 1, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	stage, err := stages.Agree(t.Context(), &terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := newPartitionTask(stage.Names()[0], stages.Reader(t.Context()), terms.Diagnose, nil)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := stage.WholeSchema()
	if err != nil {
		t.Fatal(err)
	}
	row, cut := table.NewRow(schema), plan.NewCut(0, terms.System, schema)
	var errs []error
	for i := range 6 {
		row.End = int64(1500 + 15*i)
		step := cut.Step(row, 0, 0)
		if i < 4 {
			step[0] = 2
		}
		if err := m.Take(bus.Record{Subject: "fs1", Time: time.Unix(row.End, 0), Data: step}, func(Kind, []byte) {}); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) != 1 || !errors.Is(errs[0], plan.ErrOlder) {
		t.Errorf("it is said %d times: %v", len(errs), errs)
	}
	if m.join.End() != row.End {
		t.Errorf("rows are taken until %d, not %d", m.join.End(), row.End)
	}
}

// TestRecall: a partition that begins without its saved state has the mutes that operators gave, as far
// as they have not ended, and writes no output for them.
func TestRecall(t *testing.T) {
	w := newWorkers(t)
	name := w.stage.Names()[0]
	all := w.stage.Find(name).System.Components
	about := func(verb command.Verb, c int) command.Command {
		return command.Command{Key: "k", Time: 1, Verb: verb, Incident: all[c].Name, Components: []string{all[c].Name}, Until: 5_000_000_000}
	}
	task, err := newPartitionTask(name, plan.NewStages(w.bus).Reader(t.Context()), w.terms.Diagnose, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Recall([]command.Command{
		about(command.Mute, 0), about(command.Mute, 1), about(command.Comment, 1), about(command.Unmute, 1), about(command.Mute, 2), about(command.Resolve, 2),
	})
	if until := task.MutedUntil(); len(until) != 1 || until[all[0].Name] != 5_000_000_000 {
		t.Errorf("mutes: %v", until)
	}
}

package cluster

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/topology"
)

// TestSentByAnOlderLimpet: a node begins behind the steps that an older version has sent.
func TestSentByAnOlderLimpet(t *testing.T) {
	system, _, err := topology.Parse("site.yaml", []byte("servers: fs1\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := bus.NewLocal(time.Now, time.Second)
	o := IngestOptions{Bus: b, Stages: plan.NewStages(b), LogRetention: DefaultLogRetention()}
	o.Terms = plan.Terms{System: system, Partitions: 1, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	stage, err := o.Stages.Agree(t.Context(), &o.Terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := stage.WholeSchema()
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schema)
	row.End = 1500
	step := plan.NewCut(0, system, schema).Step(row, 0, 0)
	step[0] = 2 // the head has not changed since version 2
	log, err := b.Logs.Open(t.Context(), rowsLog(stage.Names()[0]), o.LogRetention.Rows)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), bus.Record{Subject: subject("fs1"), Data: step}); err != nil {
		t.Fatal(err)
	}
	if end, err := LastSent(t.Context(), &o, func(string) bool { return true }); err != nil || end != row.End {
		t.Errorf("steps are sent until %d: %v", end, err)
	}
}

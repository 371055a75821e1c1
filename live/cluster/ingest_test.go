package cluster

import (
	"context"
	"io"
	"strings"
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

// clientRows is a source of rows with traffic by client.
type clientRows struct {
	system *topology.System
	schema table.Schema
	left   int
	end    int64
}

func (c *clientRows) System() *topology.System { return c.system }

func (c *clientRows) Schema() table.Schema { return c.schema }

func (c *clientRows) Next(context.Context) (*table.Row, error) {
	if c.left--; c.left < 0 {
		return nil, io.EOF
	}
	row := table.NewRow(c.schema)
	c.end += 15
	row.End, row.Heard[0] = c.end, true
	row.Gauges[0].Clients = []table.ClientTraffic{{Name: "c1", BytesPerSecond: 1}}
	return row, nil
}

// TestClientsLeftOut: traffic by client is left out of steps, which then have the form of the version
// before, until all nodes are known and can read it.
func TestClientsLeftOut(t *testing.T) {
	system, _, err := topology.Parse("site.yaml", []byte("servers: fs1\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := bus.NewLocal(time.Now, time.Second)
	var reports []string
	o := IngestOptions{Bus: b, Stages: plan.NewStages(b), LogRetention: DefaultLogRetention(), Warn: func(s string) { reports = append(reports, s) }}
	o.Terms = plan.Terms{System: system, Partitions: 1, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	calls := 0
	o.OlderNodes = func() ([]string, bool) {
		calls++
		switch calls {
		case 1:
			return nil, false
		case 2, 3:
			return []string{"n2", "n3"}, true
		}
		return nil, true
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1, Components: len(system.Components), Servers: 1}
	if err := RunIngest(t.Context(), o, &clientRows{system, schema, 5, 1500}); err != nil {
		t.Fatal(err)
	}
	stage, err := o.Stages.Latest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var versions []byte
	for _, r := range recordsOf(t, b, rowsLog(stage.Names()[0])) {
		versions = append(versions, r.Data[0])
	}
	if string(versions) != "\x03\x03\x03\x04\x04" {
		t.Errorf("%v", versions)
	}
	if len(reports) != 1 || !strings.Contains(reports[0], "an older version of limpet runs on n2 and n3: upgrade these nodes") {
		t.Errorf("%q", reports)
	}
}

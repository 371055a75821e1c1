package engine_test

import (
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/topology"
)

// asked is a system of six drives. A request takes 2.5 ms in the device. The last drive
// gets four times as many requests, and each waits 5 ms in the kernel's queue.
type asked struct {
	engine *engine.Engine
	row    *table.Row
}

func newAsked(t *testing.T) *asked {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte("servers: nas1\ndrives:\n  - servers: nas1\n    devices: sd[a-f]\n"))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.Util}, Components: 6, Servers: 1, Latencies: true}
	o := engine.DefaultOptions()
	o.FitTo(schema)
	engine, err := engine.New(o, system, schema, nil, &tally{})
	if err != nil {
		t.Fatal(err)
	}
	a := &asked{engine: engine, row: table.NewRow(schema)}
	a.row.End = start
	return a
}

// pass pushes steps in which the last drive has a number of requests and an await.
func (a *asked) pass(seconds int64, last uint32, awaitMs float64) {
	for range seconds / step {
		a.row.Clear()
		a.row.End += step
		a.row.Heard[0] = true
		for c := range 5 {
			a.serve(c, 70*step, 2.5, 0)
		}
		a.serve(5, last, awaitMs, 5)
		a.engine.Push(a.row)
	}
}

func (a *asked) serve(c int, requests uint32, awaitMs, queueMs float64) {
	a.row.Values[0][c], a.row.Values[1][c], a.row.Values[2][c] = float64(requests)/step, awaitMs, float64(requests)*2.5/(10*step)
	if requests == 0 {
		return
	}
	r := &a.row.LatencyOf(c)[blklat.Read]
	r.Bytes = 4096 * uint64(requests)
	r.Device = append(r.Device, blklat.Count{Bucket: uint16(blklat.Bucket(2_500_000)), Requests: requests})
	r.Queue = append(r.Queue, blklat.Count{Bucket: uint16(blklat.Bucket(uint64(queueMs * 1e6))), Requests: requests})
}

// phase returns the phase of the incident of a class; "" if there is none.
func (a *asked) phase(class finding.Class) incident.Phase {
	s := a.engine.Summary(incident.Combined)
	for i := range s.Incidents {
		if s.Incidents[i].Class == class {
			return s.Incidents[i].Phase
		}
	}
	return ""
}

const fourTimes = 280 * step // requests of a step

// TestAskedAndIdle: a drive that had more load than its peers, and has none now,
// recovers.
func TestAskedAndIdle(t *testing.T) {
	a := newAsked(t)
	a.pass(1800, fourTimes, 7.5)
	if got := a.phase(finding.Load); got != incident.Active {
		t.Fatalf("while it is: %q", got)
	}
	a.pass(1800, 0, table.Missing)
	if got := a.phase(finding.Load); got != incident.Recovering {
		t.Errorf("idle for half an hour: %q", got)
	}
	a.pass(7200, 0, table.Missing)
	if got := a.phase(finding.Load); got != incident.Cleared {
		t.Errorf("idle for two hours and a half: %q", got)
	}
}

// TestAskedAndStalled: a drive that stalled is not reported as healthy, whatever its
// load.
func TestAskedAndStalled(t *testing.T) {
	a := newAsked(t)
	a.pass(shift-step, fourTimes, 7.5)
	a.pass(step, fourTimes, 60_000)
	a.pass(1800, fourTimes, 7.5)
	if load, stall := a.phase(finding.Load), a.phase(finding.Stall); load != "" || stall == "" {
		t.Errorf("load %q, stall %q", load, stall)
	}
}

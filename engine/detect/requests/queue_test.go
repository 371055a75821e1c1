package requests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/topology"
)

// spindle is a drive that serves requests in the order of their arrival.
type spindle struct {
	load    float64 // requests a second
	times   float64 // as long as the others works on one
	size    float64 // bytes of one
	atOnce  int     // requests that are served side by side
	kernel  bool    // the others wait in the kernel, and not in the device
	free    []float64
	arrives float64
	waited  float64 // ms that requests did, beyond their service
	worked  float64 // ms of service
}

// spindles are the drives of one server, with a service time of about 2.5 ms.
type spindles struct {
	*Detector
	rng  *rand.Rand
	row  *table.Row
	each []spindle
}

const stepSeconds = 15

func newSpindles(t *testing.T, seed uint64) *spindles {
	t.Helper()
	const n = 6
	system := &topology.System{Servers: []string{"fs1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range n {
		system.Components = append(system.Components, topology.Component{Name: fmt.Sprintf("fs1/sd%c", 'a'+i), Server: "fs1", Group: 1})
		system.Groups[0].Members = append(system.Groups[0].Members, i)
	}
	schema := table.Schema{StepSeconds: stepSeconds, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.Util}, Components: n, Servers: 1, Latencies: true}
	places := blame.NewMap(system)
	facts := window.New(criteria.DefaultOptions(), places, window.NewDataTimes(criteria.DefaultOptions(), places, schema), schema, 1, 450, 2)
	d := &spindles{Detector: New(DefaultOptions(), criteria.DefaultOptions(), evidence.DefaultOptions(), facts, schema), rng: rand.New(rand.NewPCG(seed, 1)), row: table.NewRow(schema), each: make([]spindle, n)}
	for i := range d.each {
		d.each[i] = spindle{load: 70, times: 1, size: 4096, atOnce: 1}
	}
	return d
}

// step makes a step of requests, and returns the findings.
func (d *spindles) step() []finding.Finding {
	d.row.Clear()
	d.row.End += stepSeconds
	for i := range d.each {
		d.serve(i)
	}
	if d.Row(d.row) == 0 {
		return nil
	}
	return d.Queues()
}

// serve serves the requests of a step, which arrive at random times.
func (d *spindles) serve(i int) {
	x, r := &d.each[i], &d.row.LatencyOf(i)[blklat.Read]
	if x.free == nil {
		x.free = make([]float64, x.atOnce)
	}
	begin, end := 1e3*float64(d.row.End-stepSeconds), 1e3*float64(d.row.End)
	x.arrives = max(x.arrives, begin)
	var device, queue [blklat.Buckets]uint32
	busy, until := 0.0, begin
	for ; x.arrives < end; x.arrives += d.rng.ExpFloat64() * 1e3 / x.load {
		at := slices.Index(x.free, slices.Min(x.free))
		starts := max(x.arrives, x.free[at])
		works := x.times * 2.4 * math.Exp(0.3*d.rng.NormFloat64())
		ends := starts + works
		x.free[at] = ends
		busy += max(ends-max(starts, until), 0)
		until = max(until, ends)
		queued, took := 0.0, ends-x.arrives
		if x.kernel {
			queued, took = starts-x.arrives, works
		}
		device[blklat.Bucket(uint64(took*nsInMs))]++
		queue[blklat.Bucket(uint64(queued*nsInMs))]++
		r.Bytes += uint64(x.size)
		x.waited, x.worked = x.waited+starts-x.arrives, x.worked+works
	}
	r.Device, r.Queue = histogram(&device), histogram(&queue)
	d.row.Values[2][i] = 100 * min(busy/(end-begin), 1)
}

func histogram(counts *[blklat.Buckets]uint32) (h blklat.Histogram) {
	for b, n := range counts {
		if n > 0 {
			h = append(h, blklat.Count{Bucket: uint16(b), Requests: n})
		}
	}
	return h
}

// lasts makes steps, and returns the findings of the last one. A finding on another
// drive is an error.
func (d *spindles) lasts(t *testing.T, seconds, only int) (found []finding.Finding) {
	t.Helper()
	for range seconds / stepSeconds {
		found = d.step()
		for i := range found {
			if c := found[i].Members[0].Component; c != only {
				t.Fatalf("drive %d is said to be asked for more: %+v", c, found[i])
			}
		}
	}
	return found
}

// TestFourTimes: one of six drives with four times the requests is healthy, wherever its
// requests wait, and the wait is measured.
func TestFourTimes(t *testing.T) {
	for _, tt := range []struct {
		kernel bool
		by     string
	}{{false, finding.BusyTime}, {true, finding.DeviceTime}} {
		d := newSpindles(t, 1)
		for i := range d.each {
			d.each[i].kernel = tt.kernel
		}
		if found := d.lasts(t, 900, -1); len(found) > 0 {
			t.Fatalf("found before: %+v", found)
		}
		x := &d.each[5]
		x.load = 300
		x.waited, x.worked = 0, 0
		found := d.lasts(t, 1200, 5)
		if len(found) != 1 {
			t.Fatalf("by %s: %d findings", tt.by, len(found))
		}
		f := &found[0]
		if f.Class != finding.Load || f.Kind != finding.WorkloadImbalance || f.Amount < 1 || !f.Sure || f.Onset.Early > 900 || f.Onset.Late < 900 {
			t.Errorf("%+v", f)
		}
		if m := &f.Members[0]; math.Abs(m.Load/(300.0/70)-1) > 0.1 {
			t.Errorf("%g times the load, want %g", m.Load, 300.0/70)
		}
		n := (x.worked + x.waited) / evidenceOf(f, finding.WaitTime).Own // requests, if the time of one is right
		works, want := evidenceOf(f, tt.by), x.worked/n
		if !works.Decides || math.Abs(works.Own/want-1) > 0.15 || math.Abs(works.Own/works.Peers-1) > 0.1 {
			t.Errorf("%+v, want %g ms", works, want)
		}
		queue, waited := evidenceOf(f, finding.WaitTime).Own-works.Own, x.waited/n
		t.Logf("%s: %.2f ms in the queue, %.2f of work; in truth %.2f and %.2f", tt.by, queue, works.Own, waited, want)
		if math.Abs(queue/waited-1) > 0.15 {
			t.Errorf("%g ms in the queue, want %g", queue, waited)
		}
		d.each[5].load = 70
		if d.lasts(t, 1800, 5); d.LoadExplains(5) {
			t.Error("it is still said when the load is gone")
		}
	}
}

func evidenceOf(f *finding.Finding, metric string) finding.Evidence {
	return f.Evidence[slices.IndexFunc(f.Evidence, func(e finding.Evidence) bool { return e.Metric == metric })]
}

// TestSlowDeviceIsNoLoad: a drive that serves each request longer than its peers is not
// healthy, whatever its load; nor is a drive without enough data.
func TestSlowDeviceIsNoLoad(t *testing.T) {
	for name, change := range map[string]func(d *spindles){
		"half as long again": func(d *spindles) { d.each[5].load, d.each[5].times = 210, 1.5 },
		"twice as long":      func(d *spindles) { d.each[5].load, d.each[5].times = 150, 2 },
		"side by side": func(d *spindles) {
			for i := range d.each {
				d.each[i].atOnce, d.each[i].free = 8, nil
			}
			d.each[5].load, d.each[5].times = 300, 3
		},
		"always busy":  func(d *spindles) { d.each[5].load = 405 },
		"smaller ones": func(d *spindles) { d.each[5].load, d.each[5].size = 300, 512 },
		"larger ones":  func(d *spindles) { d.each[5].load, d.each[5].size = 300, 65536 },
		"how busy is not known": func(d *spindles) {
			d.each[5].load, d.util = 300, -1
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newSpindles(t, 2)
			change(d)
			d.lasts(t, 1800, -1)
		})
	}
}

// TestMixed: loads that differ by up to a fifth and change with time make no finding.
func TestMixed(t *testing.T) {
	for seed := range seeds() {
		d := newSpindles(t, seed)
		own := make([]float64, len(d.each))
		for i := range own {
			own[i] = 0.8 + 0.4*d.rng.Float64()
		}
		for range 12 {
			times := []float64{0.2, 0.5, 1, 1.5, 3}[d.rng.IntN(5)]
			for i := range d.each {
				d.each[i].load = 100 * own[i] * times
			}
			d.lasts(t, 300, -1)
		}
	}
}

// TestCutQueue: a detector that was saved and restored after any step finds the same.
func TestCutQueue(t *testing.T) {
	whole, cut := newSpindles(t, 6), newSpindles(t, 6)
	found := 0
	for step := range 60 {
		if step == 20 {
			whole.each[2].load, cut.each[2].load = 300, 300
		}
		want, got := whole.step(), cut.step()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: %+v, want %+v", step, got, want)
		}
		found += len(want)
		data, err := state.Encode(1, func(c *state.Codec) { cut.State(c, cut.facts.Axes(c)) })
		if err != nil {
			t.Fatal(err)
		}
		fresh := newSpindles(t, 6)
		if err := state.Decode(data, 1, func(c *state.Codec) { fresh.State(c, fresh.facts.Axes(c)) }); err != nil {
			t.Fatal(err)
		}
		cut.Detector = fresh.Detector
	}
	if found == 0 {
		t.Error("nothing was found that could be cut")
	}
}

package capacity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// rig is a detector of two servers with a drive each, and rows of 15 s.
type rig struct {
	*Detector
	row *table.Row
	now int64
}

func newRig(t testing.TB) *rig {
	t.Helper()
	s, _, err := topology.Parse("two.yaml", []byte("servers: s[1-3]\ndrives:\n  - devices: sda\n"))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{
		StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Servers: len(s.Servers),
	}
	return &rig{New(DefaultOptions(), criteria.DefaultOptions(), blame.NewMap(s), schema), table.NewRow(schema), 1_700_000_100}
}

// step pushes a row with the work and the room of the first drive.
func (r *rig) step(w work, room ...table.DriveGauges) []finding.Finding {
	r.now += 15
	r.row.Clear()
	r.row.End = r.now
	for s := range r.row.Gauges {
		r.row.Gauges[s].Known = true
	}
	r.row.Gauges[0].Drives = room
	for m, v := range []float64{w.tps, w.bytes / sectorBytes, 0, w.await} {
		r.row.Values[m][0] = v
	}
	r.Row(r.row)
	return r.Tick(r.now, 15)
}

// roomOf is a file system of 1 TB and a million inodes.
func roomOf(free, files float64) table.DriveGauges {
	return table.DriveGauges{Bytes: 1e12, Free: free * 1e12, Files: 1e6, FreeFiles: files * 1e6, Hot: math.NaN()}
}

// TestFull: a file system is told when few bytes or few inodes are left after it was filling, or when it is
// full, and not before.
func TestFull(t *testing.T) {
	for _, tt := range []struct {
		room table.DriveGauges
		kind finding.Kind
	}{
		{roomOf(0.5, 0.5), ""},
		{roomOf(0.06, 0.06), ""},
		{roomOf(0.04, 0.5), finding.FullFileSystem},
		{roomOf(0.5, 0.04), finding.FullFileSystem},
		{roomOf(0.009, 0.5), finding.FullFileSystem},
		{roomOf(0.5, 0.009), finding.FullFileSystem},
		{table.DriveGauges{Bytes: 1e12, Free: 5e11, Hot: math.NaN()}, ""},
		{table.DriveGauges{Hot: -5}, ""},
		{table.DriveGauges{Hot: 1.5}, finding.Overheated},
		{table.DriveGauges{Hot: math.NaN(), Alarm: true}, finding.Overheated},
	} {
		r := newRig(t)
		for range 8 {
			r.step(work{}, roomOf(0.9, 0.9))
		}
		r.step(work{}, tt.room)
		found := r.step(work{})
		switch {
		case tt.kind == "" && len(found) > 0, tt.kind != "" && (len(found) != 1 || found[0].Kind != tt.kind || found[0].Members[0].Component != 0 || !found[0].Certain):
			t.Errorf("%+v: found %+v", tt.room, found)
		}
		if r.step(work{}, roomOf(0.9, 0.9)); len(r.step(work{})) > 0 {
			t.Errorf("%+v: found after room was made", tt.room)
		}
	}
}

// TestArchive: a file system that is nearly full and hardly written to is not told; when it begins to fill
// it is, and stays so until there is room.
func TestArchive(t *testing.T) {
	r := newRig(t)
	free := 0.04
	for step := range 5 * 240 {
		free -= 1e-9 // 1 kB a step: months
		if found := r.step(work{}, roomOf(free, 0.5)); len(found) > 0 {
			t.Fatalf("step %d: found %+v", step, found)
		}
	}
	free -= 0.002
	for range 3 * 240 { // more than an hour after the last write
		if found := r.step(work{}, roomOf(free, 0.5)); len(found) != 1 || found[0].Kind != finding.FullFileSystem {
			t.Fatalf("after 2 GB were written: found %+v", found)
		}
	}
	if found := r.step(work{}, roomOf(0.2, 0.5)); len(found) > 0 {
		t.Errorf("found after room was made: %+v", found)
	}
}

// TestLooksMissing: two looks that are days apart do not make a rate.
func TestLooksMissing(t *testing.T) {
	r := newRig(t)
	r.step(work{}, roomOf(0.9, 0.9))
	r.now += 3 * 86400
	for range 10 {
		if found := r.step(work{}, roomOf(0.04, 0.9)); len(found) > 0 {
			t.Fatalf("found %+v", found)
		}
	}
}

// fullIn returns what a finding says about the time that is left; 0 without a finding.
func fullIn(found []finding.Finding) float64 {
	for _, f := range found {
		for _, e := range f.Evidence {
			if e.Metric == finding.FullIn {
				return e.Own
			}
		}
	}
	return 0
}

// TestFullSoon: a file system that loses room in every minute of an hour is told when two hours are left, with
// the time that is left. If room grew once within the hour, nobody knows.
func TestFullSoon(t *testing.T) {
	for name, grows := range map[string]bool{"falls": false, "grows once": true} {
		r := newRig(t)
		free, at := 0.9, 0
		left := 0.0
		for step := range 12 * 240 {
			free -= 0.15 / 240 // 150 GB an hour
			if grows && step%120 == 119 {
				free += 1e-2
			}
			if left = fullIn(r.step(work{}, roomOf(free, 0.9))); left > 0 || free < 0.06 {
				at = step
				break
			}
		}
		want := free / 0.15 * 3600
		switch {
		case grows && left > 0:
			t.Errorf("%s: %g s are told", name, left)
		case !grows && (math.Abs(left-want) > 60 || left > 7200 || left < 7000):
			t.Errorf("%s: %g s are told after %d steps, and %g s are left", name, left, at, want)
		}
	}
}

// TestThrottle: a drive that serves a constant rate while its requests wait is told with the rate, whether the
// wait stays high or swings.
func TestThrottle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	near := func(v, share float64) float64 { return v * (1 + share*(2*rng.Float64()-1)) }
	for _, tt := range []struct {
		name   string
		work   func(step int) work
		metric string
		rate   float64
	}{
		{"requests", func(int) work { return work{near(3000, 0.01), near(40e6, 0.3), near(15, 0.5)} }, finding.LimitTPS, 3000},
		{"bytes", func(int) work { return work{near(400, 0.3), near(125e6, 0.01), near(40, 0.5)} }, finding.LimitBytes, 125},
		{"sawtooth", func(step int) work { return work{near(3000, 0.01), near(40e6, 0.3), 2 + 6*float64(step%8)} }, finding.LimitTPS, 3000},
		{"a workload", func(int) work { return work{near(3000, 0.1), near(40e6, 0.1), near(15, 0.5)} }, "", 0},
		{"a constant workload that does not wait", func(int) work { return work{near(3000, 0.005), near(40e6, 0.005), near(0.3, 0.1)} }, "", 0},
		{"idle", func(int) work { return work{} }, "", 0},
	} {
		r := newRig(t)
		for range 20 {
			r.step(work{500, 4e6, 0.8})
		}
		var found []finding.Finding
		first := 0
		for step := range 3 * ticksInView {
			if found = r.step(tt.work(step)); len(found) > 0 && first == 0 {
				first = step + 1
			}
		}
		switch {
		case tt.metric == "" && first > 0:
			t.Errorf("%s: found %+v", tt.name, found)
		case tt.metric == "":
		case len(found) != 1 || found[0].Kind != finding.Throttled || found[0].Evidence[0].Metric != tt.metric || math.Abs(found[0].Evidence[0].Own/tt.rate-1) > 0.01 || first != ticksInView:
			t.Errorf("%s: found after %d ticks: %+v", tt.name, first, found)
		default:
			if late := found[0].Onset.At - (r.now - 3*ticksInView*15); late < -15 || late > 15 {
				t.Errorf("%s: onset %d s off", tt.name, late)
			}
		}
	}
}

// TestCut: saved and restored between any two rows, the detector finds the same.
func TestCut(t *testing.T) {
	whole, cut := newRig(t), newRig(t)
	found := 0
	for step := range 200 {
		w := work{3000, 40e6, 15}
		if step < 20 {
			w = work{500, 4e6, 0.8}
		}
		room := []table.DriveGauges{roomOf(0.9-float64(step)/222, 0.5)}
		want, got := whole.step(w, room...), cut.step(w, room...)
		found += len(want)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("step %d: %+v, want %+v", step, got, want)
		}
		data, err := state.Encode(1, func(c *state.Codec) { cut.State(c, cut.places.Axes(c)) })
		if err != nil {
			t.Fatal(err)
		}
		fresh := newRig(t)
		if err := state.Decode(data, 1, func(c *state.Codec) { fresh.State(c, fresh.places.Axes(c)) }); err != nil {
			t.Fatal(err)
		}
		cut.Detector = fresh.Detector
	}
	if found == 0 {
		t.Error("nothing was found that could be cut")
	}
}

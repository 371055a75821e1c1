package requests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
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

// drives are the drives of one server, which serve requests in about 2 ms.
type drives struct {
	*Detector
	rng  *rand.Rand
	row  *table.Row
	each []drive
}

// drive is the behaviour of one of them.
type drive struct {
	load  float64 // requests a second
	size  float64 // bytes of one
	times float64 // ratio of its median to the others'
	share float64 // share of slow requests
	slow  float64 // delay of a slow request, in ms
	noise float64 // share of requests with another delay, of 20 ms on average
}

func newDrives(t *testing.T, seed uint64, n int) *drives {
	t.Helper()
	system := &topology.System{Servers: []string{"fs1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range n {
		system.Components = append(system.Components, topology.Component{Name: fmt.Sprintf("fs1/sd%c", 'a'+i), Server: "fs1", Group: 1})
		system.Groups[0].Members = append(system.Groups[0].Members, i)
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: n, Servers: 1, Latencies: true}
	places := blame.NewMap(system)
	facts := window.New(criteria.DefaultOptions(), places, window.NewDataTimes(criteria.DefaultOptions(), places, schema), schema, 1, 450, 2)
	d := &drives{
		Detector: New(DefaultOptions(), criteria.DefaultOptions(), evidence.DefaultOptions(), facts, schema), rng: rand.New(rand.NewPCG(seed, 1)), row: table.NewRow(schema), each: make([]drive, n),
	}
	for i := range d.each {
		d.each[i] = drive{load: 100, size: 4096, times: 1}
	}
	return d
}

// step makes a step of requests, and returns the findings.
func (d *drives) step() []finding.Finding {
	d.row.Clear()
	d.row.End += 15
	for i := range d.each {
		x := &d.each[i]
		r := &d.row.LatencyOf(i)[blklat.Read]
		n := int(15 * x.load * (1 + 0.1*d.rng.NormFloat64()))
		r.Bytes = uint64(float64(n) * x.size)
		var h blklat.Histogram
		lull := math.Exp(0.3 * d.rng.NormFloat64()) // what else there is comes unevenly
		for range n {
			ms := x.times * 2 * math.Exp(0.4*d.rng.NormFloat64())
			if d.rng.Float64() < x.share {
				ms += x.slow
			}
			if x.noise > 0 && d.rng.Float64() < x.noise*lull {
				ms += 20 * d.rng.ExpFloat64()
			}
			h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ms * nsInMs))), Requests: 1}})
		}
		r.Device, r.Queue = h, blklat.Histogram{{Requests: uint32(n)}}
	}
	if d.Row(d.row) == 0 {
		return nil
	}
	found := d.Findings()
	d.ResetJudged()
	return found
}

// until makes steps until there is a finding, and returns the seconds; 0 without a
// finding.
func (d *drives) until(seconds int) (int, []finding.Finding) {
	for s := 15; s <= seconds; s += 15 {
		if found := d.step(); len(found) > 0 {
			return s, found
		}
	}
	return 0, nil
}

// TestTails: how soon one of six drives is found that delays some of its requests, at
// 100 requests per second, and no other drive.
func TestTails(t *testing.T) {
	for _, tt := range []struct {
		share, slow float64
		most        int // s
	}{
		{0.005, 50, 600},
		{0.005, 18, 600},
		{0.01, 18, 600},
		{0.001, 200, 1800},
	} {
		t.Run(fmt.Sprintf("%g of %g ms", tt.share, tt.slow), func(t *testing.T) {
			d := newDrives(t, 1, 6)
			if s, found := d.until(600); s > 0 {
				t.Fatalf("found while all are healthy: %+v", found)
			}
			d.each[2].share, d.each[2].slow = tt.share, tt.slow
			s, found := d.until(tt.most)
			if s == 0 {
				t.Fatalf("not found within %d s", tt.most)
			}
			t.Logf("found after %d s", s)
			if len(found) != 1 || found[0].Kind != finding.SlowTail || found[0].Members[0].Component != 2 {
				t.Fatalf("%+v", found)
			}
			for range 20 {
				found = d.step()
			}
			f := &found[0]
			if !f.Sure || f.Onset.Early > 615 || f.Onset.Late < 600 || f.Onset.At < 540 || f.Onset.At > 660 {
				t.Errorf("sure %v, onset %+v, want 600", f.Sure, f.Onset)
			}
			if m := &f.Members[0]; m.Own < tt.slow || m.Own > tt.slow+8 || m.Effect.Low < 1 || m.Effect.High < m.Effect.Times {
				t.Errorf("%+v", m)
			}
			if e := f.Evidence[0]; e.Metric != finding.SlowRequests || math.Abs(math.Log(e.Own/tt.share)) > math.Log(1.6) || e.Peers > tt.share/3 {
				t.Errorf("%+v", e)
			}
		})
	}
}

// TestNoisyTails: devices of a busy machine have tails of their own, so that the slowest
// thousandth of their requests shows nothing. A delay within that range is found by the
// number of such requests, and no other drive is found.
func TestNoisyTails(t *testing.T) {
	for _, tt := range []struct {
		slow float64
		most int // s
	}{{10, 600}, {50, 600}} {
		d := newDrives(t, 5, 6)
		for i := range d.each {
			d.each[i].noise = 0.003
		}
		if s, found := d.until(900); s > 0 {
			t.Fatalf("found while all are healthy: %+v", found)
		}
		d.each[2].share, d.each[2].slow = 0.005, tt.slow
		s, found := d.until(tt.most)
		if s == 0 || len(found) != 1 || found[0].Members[0].Component != 2 {
			t.Fatalf("%g ms: after %d s %+v", tt.slow, s, found)
		}
		t.Logf("%g ms: found after %d s", tt.slow, s)
	}
}

// seeds returns how many seeds a test of healthy drives tries: half of them with -short.
func seeds() uint64 {
	if testing.Short() {
		return 2
	}
	return 4
}

// TestHealthy: an hour of eight healthy groups under mixed loads gives no finding.
func TestHealthy(t *testing.T) {
	for seed := range seeds() {
		d := newDrives(t, seed, 6)
		for i := range d.each {
			d.each[i].load, d.each[i].share, d.each[i].slow = 60+20*float64(i), 0.0005, 30
			d.each[i].noise = 0.002 * float64(seed)
		}
		if s, found := d.until(3600); s > 0 {
			t.Errorf("seed %d: after %d s %+v", seed, s, found)
		}
	}
}

// TestOtherCauses: more requests or larger ones explain slow requests, so that the component is not
// compared.
func TestOtherCauses(t *testing.T) {
	for name, change := range map[string]func(*drive){
		"four times the load": func(x *drive) { x.load = 400 },
		"larger requests":     func(x *drive) { x.size = 1 << 20 },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrives(t, 3, 6)
			d.until(300)
			d.each[1].share, d.each[1].slow = 0.01, 50
			change(&d.each[1])
			if s, found := d.until(1200); s > 0 && s > 60 {
				t.Errorf("after %d s %+v", s, found)
			}
			if d.Judged(1) && d.courses[1].slow.evidence > d.suspectEvidence {
				t.Error("it is compared")
			}
		})
	}
}

// TestVerdicts: a drive is slow as a whole if many of its requests are slow, or if its slow requests
// do not explain its mean. It has a part delayed otherwise. The finding of a drive that is slow as a
// whole has the ratio of the mean times as its effect.
func TestVerdicts(t *testing.T) {
	const usual = 2 * 1.0833 // ms: mean of the lognormal times
	for _, tt := range []struct {
		name   string
		change func(*drive)
		want   Verdict
		times  float64 // ratio of the mean times
	}{
		{"1 in 200 delayed", func(x *drive) { x.share, x.slow = 0.005, 50 }, PartDelayed, 0},
		{"1 in 10 delayed", func(x *drive) { x.share, x.slow = 0.1, 50 }, PartDelayed, 0},
		{"1 in 2 delayed", func(x *drive) { x.share, x.slow = 0.5, 95 }, Shifted, (usual + 95*0.5) / usual},
		{"twice as slow", func(x *drive) { x.times = 2 }, Shifted, 2},
		{"three times as slow", func(x *drive) { x.times = 3 }, Shifted, 3},
		{"five times as slow, and 1 in 100 delayed", func(x *drive) { x.times, x.share, x.slow = 5, 0.01, 50 }, Shifted, 5 + 0.5/usual},
		{"half as slow again", func(x *drive) { x.times = 1.5 }, Shifted, 1.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDrives(t, 1, 6)
			d.until(600)
			tt.change(&d.each[2])
			var found []finding.Finding
			for range 80 {
				if found = d.step(); len(found) > 1 || len(found) == 1 && (found[0].Members[0].Component != 2 || d.Verdict(2) != tt.want) {
					t.Fatalf("verdict %d, want %d: %+v", d.Verdict(2), tt.want, found)
				}
			}
			if len(found) != 1 {
				t.Fatalf("%d findings", len(found))
			}
			f, m := &found[0], &found[0].Members[0]
			if tt.want == PartDelayed {
				if f.Class != finding.Tail || f.Kind != finding.SlowTail {
					t.Errorf("%+v", f)
				}
				return
			}
			if f.Class != finding.Slow || f.Kind != finding.SlowDrive || !f.Sure || f.Amount < 1 {
				t.Errorf("%+v", f)
			}
			if e := m.Effect; e.Low > tt.times || e.High < tt.times || math.Abs(e.Times/tt.times-1) > 0.05 || math.Abs(m.Own/m.Peers/e.Times-1) > 1e-9 {
				t.Errorf("effect %+v, %g against %g ms; want %g times", e, m.Own, m.Peers, tt.times)
			}
		})
	}
}

// TestEvidenceSinceOnset: five minutes after a drive became slow, the recent time in the device still
// contains quick requests from before. It is not returned beside the measurements since the onset.
func TestEvidenceSinceOnset(t *testing.T) {
	d := newDrives(t, 1, 6)
	d.until(600)
	d.each[2].share, d.each[2].slow, d.each[2].load = 0.5, 95, 20
	for range 20 {
		d.step()
	}
	if ms, want := d.memories[2].recent.deviceMsPerRequest(), 0.5*95.0; ms > 0.6*want {
		t.Fatalf("the recent mean is %g ms: the test needs one that is far below %g ms", ms, want)
	}
	list := d.Evidence(2)
	if len(list) == 0 || list[0].Metric != finding.SlowRequests {
		t.Fatalf("%+v", list)
	}
	for _, e := range list {
		if e.Metric == finding.DeviceTime || e.Metric == finding.BusyTime {
			t.Errorf("%s %g ms since %d, in addition to the measurements since %d", e.Metric, e.Own, e.From, list[0].From)
		}
	}
}

// TestAll: a delay on all drives is no finding.
func TestAll(t *testing.T) {
	d := newDrives(t, 4, 6)
	d.until(300)
	for i := range d.each {
		d.each[i].share, d.each[i].slow = 0.01, 100
	}
	if s, found := d.until(1800); s > 0 {
		t.Errorf("after %d s %+v", s, found)
	}
}

func TestOptions(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	if (&Options{}).Validate() == nil {
		t.Error("no bounds at all are taken")
	}
}

// TestDistance: a distribution that is shifted by an octave is an octave apart.
func TestDistance(t *testing.T) {
	a, b := make([]float64, blklat.Buckets), make([]float64, blklat.Buckets)
	a[100], b[116] = 10, 3
	if got := distance(a, b); math.Abs(got-1) > 1e-9 {
		t.Errorf("%g octaves", got)
	}
}

// TestCut: a detector that was saved and restored after any step finds the same.
func TestCut(t *testing.T) {
	whole, cut := newDrives(t, 6, 6), newDrives(t, 6, 6)
	for step := range 60 {
		if step == 20 {
			whole.each[2].share, whole.each[2].slow = 0.01, 50
			cut.each[2] = whole.each[2]
		}
		want, got := whole.step(), cut.step()
		if !reflect.DeepEqual(got, want) && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // NaN differs from itself
			t.Fatalf("step %d: %+v, want %+v", step, got, want)
		}
		data, err := state.Encode(1, func(c *state.Codec) { cut.State(c, cut.facts.Axes(c)) })
		if err != nil {
			t.Fatal(err)
		}
		fresh := newDrives(t, 6, 6)
		if err := state.Decode(data, 1, func(c *state.Codec) { fresh.State(c, fresh.facts.Axes(c)) }); err != nil {
			t.Fatal(err)
		}
		cut.Detector = fresh.Detector
	}
	if len(whole.Findings()) == 0 && !whole.courses[2].slow.suspect {
		t.Error("nothing was found that could be cut")
	}
}

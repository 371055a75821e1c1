package pause

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

// rig is a detector of six servers.
type rig struct {
	*Detector
	row *table.Row
	now int64
}

func newRig(t testing.TB, step int64) *rig {
	t.Helper()
	s, _, err := topology.Parse("six.yaml", []byte("servers: s[1-6]\ndrives:\n  - devices: sda\nhosts: s[1-6]\n"))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS}, Components: len(s.Components), Servers: len(s.Servers)}
	return &rig{New(DefaultOptions(), criteria.DefaultOptions(), blame.NewMap(s), schema), table.NewRow(schema), 1_700_000_100}
}

// second pushes a second in which each server stands still as the function says.
func (r *rig) second(still func(server int) (table.Cause, float32, bool)) []finding.Finding {
	r.now++
	r.row.Clear()
	r.row.End = r.now
	for s := range r.row.Gauges {
		x := &r.row.Gauges[s]
		x.Known = true
		cause, seconds, began := still(s)
		x.PauseSeconds[cause] = seconds
		if began {
			x.PausesBegan = 1
		}
	}
	r.Row(r.row)
	if r.now%TickSeconds == 0 {
		return r.Tick(r.now, TickSeconds)
	}
	return nil
}

// hang is a server that stands still for some seconds of every period.
func hang(server, seconds, period int, cause table.Cause, at int64) func(int) (table.Cause, float32, bool) {
	return func(s int) (table.Cause, float32, bool) {
		phase := int(at) % period
		if s != server || phase >= seconds {
			return 0, 0, false
		}
		return cause, 1, phase == 0
	}
}

func calm(int) (table.Cause, float32, bool) { return 0, 0, false }

// TestHang: a server that stands still for some seconds of every thirty is found within two minutes,
// with the number, the length and the cause of its pauses, and is not found any more after the series.
func TestHang(t *testing.T) {
	for seconds := 1; seconds <= 8; seconds++ {
		for cause := range table.NumCauses {
			r := newRig(t, 1)
			for range 300 {
				if found := r.second(calm); len(found) > 0 {
					t.Fatalf("calm servers: %+v", found)
				}
			}
			began, first := r.now, int64(0)
			var last []finding.Finding
			for range 180 {
				if found := r.second(hang(2, seconds, 30, cause, r.now-began)); r.now%TickSeconds == 0 {
					last = found
					if len(found) > 0 && first == 0 {
						first = r.now
					}
				}
			}
			if first == 0 || first > began+120 || len(last) != 1 || last[0].Place.Name != "s3" || !last[0].Certain || last[0].Kind != finding.Pauses {
				t.Fatalf("%d s: found after %d s: %+v", seconds, first-began, last)
			}
			f := &last[0]
			want := map[string]float64{finding.PauseCount: 6, finding.PauseLength: float64(seconds), finding.PauseWorst: float64(seconds), finding.PauseMeasurement(cause): float64(6 * seconds)}
			for _, e := range f.Evidence {
				if v, ok := want[e.Metric]; ok && math.Abs(e.Own-v) > 1e-6 {
					t.Errorf("%d s: %s is %g, want %g", seconds, e.Metric, e.Own, v)
				}
				delete(want, e.Metric)
			}
			if len(want) > 0 || f.Onset.At < began-1 || f.Onset.At > began+1 {
				t.Errorf("%d s: no evidence of %v, onset %+v", seconds, want, f.Onset)
			}
			for range 200 {
				r.second(calm)
			}
			if r.Tick(r.now, TickSeconds) != nil {
				t.Errorf("%d s: still found 200 s after the series", seconds)
			}
		}
	}
}

// TestNoSeries: one long pause, pauses within a few seconds, and two pauses are no finding.
func TestNoSeries(t *testing.T) {
	for name, tt := range map[string]struct {
		at     []int64
		length int64
	}{"one of 20 s": {[]int64{0}, 20}, "one of 100 s": {[]int64{40}, 100}, "three within 10 s": {[]int64{150, 153, 157}, 2}, "two": {[]int64{30, 90}, 2}} {
		r := newRig(t, 1)
		for second := range int64(600) {
			still := calm
			for _, a := range tt.at {
				if second >= a && second < a+tt.length {
					still = hang(1, 1000, 2000, table.ByDisk, second-a)
				}
			}
			if found := r.second(still); len(found) > 0 {
				t.Fatalf("%s: found after %d s: %+v", name, second, found)
			}
		}
	}
}

// TestLong: a pause of minutes is found while it lasts, however long, and not found any more after it.
func TestLong(t *testing.T) {
	r := newRig(t, 1)
	first := int64(0)
	for second := range int64(2400) {
		found := r.second(hang(1, 10000, 20000, table.ByMemory, second))
		if len(found) > 0 && first == 0 {
			first = second
		}
		if r.now%TickSeconds == 0 && first > 0 && (len(found) != 1 || found[0].Place.Name != "s2") {
			t.Fatalf("after %d s: found %+v", second, found)
		}
	}
	if first < 100 || first > 240 {
		t.Errorf("found after %d s", first)
	}
	for range 900 {
		r.second(calm)
	}
	if found := r.Tick(r.now, TickSeconds); len(found) > 0 {
		t.Errorf("found 900 s after the pause: %+v", found)
	}
}

// TestGap: a server without data for a time is not judged, and its pauses before the gap do not count
// with those after it if they are old.
func TestGap(t *testing.T) {
	r := newRig(t, 1)
	for second := range int64(3600) {
		r.now++
		r.row.Clear()
		r.row.End = r.now
		for s := range r.row.Gauges {
			x := &r.row.Gauges[s]
			// The recorder of the second server runs for a minute of every eleven, and a pause falls into it.
			if x.Known = s != 1 || second%660 < 60; x.Known && s == 1 && second%660 == 30 {
				x.PausesBegan, x.PauseSeconds[table.ByProcess] = 1, 1
			}
		}
		r.Row(r.row)
		if r.now%TickSeconds == 0 {
			if found := r.Tick(r.now, TickSeconds); len(found) > 0 {
				t.Fatalf("after %d s: found %+v", second, found)
			}
			if judged := second%660 < 60; r.Judged(1) != judged && second%660 > 75 {
				t.Fatalf("after %d s the server without data is judged: %v", second, r.Judged(1))
			}
		}
	}
}

// TestAllPause: if all servers pause as often, nobody is found; if one pauses far more often than the
// others, it is.
func TestAllPause(t *testing.T) {
	for _, tt := range []struct {
		period int
		found  bool
	}{{60, false}, {15, true}} {
		r := newRig(t, 1)
		names := map[string]bool{}
		for second := range int64(1200) {
			for _, f := range r.second(func(s int) (table.Cause, float32, bool) {
				if s == 4 {
					return hang(4, 2, tt.period, table.ByProcess, second)(s)
				}
				return hang(s, 2, 60, table.ByProcess, second+int64(7*s))(s)
			}) {
				names[f.Place.Name] = true
			}
		}
		if names["s5"] != tt.found || len(names) > 1 {
			t.Errorf("a pause every %d s: found %v", tt.period, names)
		}
	}
}

// TestSharedPauses: pauses that most servers have at the same time do not hide the pauses of one server,
// and do not count as its pauses. A real machine under load paused all servers for a second now and then.
func TestSharedPauses(t *testing.T) {
	for _, slow := range []int{3, -1} {
		r := newRig(t, 1)
		var last []finding.Finding
		for second := range int64(300) {
			if found := r.second(func(s int) (table.Cause, float32, bool) {
				switch phase := second%35 - int64(s%2); { // every other server begins a second later
				case second >= 40 && (phase == 0 || phase == 1):
					return table.ByCPU, 1, phase == 0
				case s == slow:
					return hang(slow, 1, 30, table.ByProcess, second+11)(s)
				}
				return 0, 0, false
			}); r.now%TickSeconds == 0 {
				last = found
			}
		}
		if slow < 0 {
			if len(last) > 0 {
				t.Errorf("all servers pause: found %+v", last)
			}
			continue
		}
		if len(last) != 1 || last[0].Place.Name != "s4" || !last[0].Certain {
			t.Fatalf("found %+v", last)
		}
		for _, e := range last[0].Evidence {
			if e.Metric == finding.PauseCount && (e.Own < 9 || e.Own > 10 || e.Peers != 0) || e.Metric == finding.PauseMeasurement(table.ByCPU) {
				t.Errorf("evidence %+v", e)
			}
		}
	}
}

// TestSharedPausesOfAServerThatIsGone: pauses that a server shared with another server do not become
// its own when the other server sends no data any more.
func TestSharedPausesOfAServerThatIsGone(t *testing.T) {
	r := newRig(t, 1)
	for second := range int64(500) {
		r.now++
		r.row.Clear()
		r.row.End = r.now
		for s := range 2 { // the other four servers have never sent data
			x := &r.row.Gauges[s]
			if x.Known = s == 0 || second < 300; x.Known && second < 300 && second%30 == 0 {
				x.PausesBegan, x.PauseSeconds[table.ByCPU] = 1, 1
			}
		}
		r.Row(r.row)
		if r.now%TickSeconds == 0 {
			if found := r.Tick(r.now, TickSeconds); len(found) > 0 {
				t.Fatalf("after %d s: found %+v", second, found)
			}
		}
	}
}

// TestFalseAlarms: servers that pause by chance three times as often as usual are not found in a hundred
// server-days.
func TestFalseAlarms(t *testing.T) {
	days := 16
	if testing.Short() {
		days = 2
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRig(t, 1)
	for range days * 86400 {
		if found := r.second(func(int) (table.Cause, float32, bool) {
			if rng.Float64() < 3*DefaultOptions().UsualPerDay/86400 {
				return table.ByProcess, 0.5, true
			}
			return 0, 0, false
		}); len(found) > 0 {
			t.Fatalf("found %+v", found[0])
		}
	}
}

// TestCoarse: rows of 15 s that count their pauses are enough.
func TestCoarse(t *testing.T) {
	r := newRig(t, 15)
	var found []finding.Finding
	for step := range int64(20) {
		r.now += 15
		r.row.Clear()
		r.row.End = r.now
		for s := range r.row.Gauges {
			r.row.Gauges[s].Known = true
		}
		if step%2 == 0 {
			r.row.Gauges[0].PausesBegan, r.row.Gauges[0].PauseSeconds[table.ByMemory] = 1, 3
		}
		r.Row(r.row)
		found = r.Tick(r.now, 15)
	}
	if len(found) != 1 || found[0].Place.Name != "s1" {
		t.Errorf("found %+v", found)
	}
}

// TestRarity holds the chance against sums of the distribution.
func TestRarity(t *testing.T) {
	for _, mean := range []float64{0.007, 0.5, 3, 20} {
		for n := range 30 {
			tail, p := 0.0, math.Exp(-mean)
			for k := range 200 {
				if k >= n {
					tail += p
				}
				p *= mean / float64(k+1)
			}
			if got, want := rarity(float64(n), mean), -math.Log(tail); math.Abs(got-want) > 1e-6*(1+want) {
				t.Errorf("%d or more at a mean of %g: %g, want %g", n, mean, got, want)
			}
		}
	}
}

// TestCut: saved and restored between any two rows, the detector finds the same.
func TestCut(t *testing.T) {
	whole, cut := newRig(t, 1), newRig(t, 1)
	found := 0
	for second := range int64(400) {
		still := hang(3, 2, 30, table.ByNetwork, second)
		want, got := whole.second(still), cut.second(still)
		found += len(want)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("second %d: %+v, want %+v", second, got, want)
		}
		data, err := state.Encode(1, func(c *state.Codec) { cut.State(c, cut.places.Axes(c)) })
		if err != nil {
			t.Fatal(err)
		}
		fresh := newRig(t, 1)
		if err := state.Decode(data, 1, func(c *state.Codec) { fresh.State(c, fresh.places.Axes(c)) }); err != nil {
			t.Fatal(err)
		}
		cut.Detector = fresh.Detector
	}
	if found == 0 {
		t.Error("nothing was found that could be cut")
	}
}

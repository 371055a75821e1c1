package slow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// rack is a detector of the drives of one server, with their latency in ms.
type rack struct {
	*Detector
	t      *testing.T
	row    *table.Row
	rng    *rand.Rand
	spread float64
	times  []float64 // ratio to the usual latency, by drive
	busier []float64 // ratio to the usual load, by drive
}

func newRack(t *testing.T, drives int) *rack {
	t.Helper()
	s := &topology.System{Servers: []string{"h1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	r := &rack{t: t, rng: rand.New(rand.NewPCG(1, 2)), spread: 0.3}
	for i := range drives {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("h1/sd%c", 'a'+i), Server: "h1", Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
		r.times, r.busier = append(r.times, 1), append(r.busier, 1)
	}
	m := blame.NewMap(s)
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.RdSec}, Components: drives}
	f := window.New(criteria.DefaultOptions(), m, window.NewDataTimes(criteria.DefaultOptions(), m, schema), schema, 1, 450, 2)
	f.Begin = 9000
	r.Detector = New(DefaultOptions(), criteria.DefaultOptions(), evidence.DefaultOptions(), DefaultLocalisationOptions(), f, path.New(path.DefaultOptions(), criteria.DefaultOptions(), f, 3), 15, 1e9)
	r.row = table.NewRow(schema)
	r.row.End = 9000
	return r
}

// steps pushes rows, and returns the findings of the last tick.
func (r *rack) steps(n int) []finding.Finding {
	var found []finding.Finding
	for range n {
		r.row.End += 15
		for c := range r.times {
			r.row.Values[0][c] = 100 * r.busier[c]
			r.row.Values[1][c] = 5 * r.times[c] * math.Exp(r.spread*r.rng.NormFloat64())
			r.row.Values[2][c] = 8000 * r.busier[c]
		}
		r.Row(r.row)
		if r.Tick(r.row.End) > 0 {
			found = r.Findings(nil)
			r.ResetCompared()
		}
	}
	return found
}

// TestFindings: a slow drive is found, with its ratio, its evidence and its onset.
func TestFindings(t *testing.T) {
	r := newRack(t, 12)
	if found := r.steps(960); len(found) > 0 {
		t.Errorf("of healthy drives %+v", found)
	}
	began := r.row.End
	r.times[3] = 2
	found := r.steps(240)
	if len(found) != 1 || found[0].Place.Name != "h1/sdd" || found[0].Kind != finding.SlowDrive {
		t.Fatalf("%+v", found)
	}
	f, m := &found[0], &found[0].Members[0]
	if e := m.Effect; e.Low > 2 || e.High < 2 || e.Low < 1.7 || e.High > 2.4 || math.Abs(e.Times-2) > 0.15 {
		t.Errorf("twice as slow is found as %+v", e)
	}
	if !f.Sure || f.Until != 0 || f.Nats < r.incidentEvidence || f.Amount < 0.8 || f.Amount > 1.2 {
		t.Errorf("an hour at twice the wait: %+v", f)
	}
	if began < f.Onset.Early || began > f.Onset.Late || m.Load < 0.95 || m.Load > 1.05 {
		t.Errorf("since %+v, want %d; load %g", f.Onset, began, m.Load)
	}
	// 100 requests a second that wait 5 ms longer, for an hour.
	if want := 1800.0; f.WaitedSeconds < 0.8*want || f.WaitedSeconds > 1.3*want {
		t.Errorf("requests waited %g s, want about %g", f.WaitedSeconds, want)
	}
	r.times[3] = 1
	if found = r.steps(60); len(found) > 0 {
		t.Errorf("a quarter of an hour after its end: %+v", found)
	}
}

// TestCost: a slow drive with hardly any request is a suspect, and no incident before
// its requests have waited for half a minute.
func TestCost(t *testing.T) {
	r := newRack(t, 12)
	for c := range r.busier {
		r.busier[c] = 0.01 // a request a second
	}
	r.steps(960)
	r.times[3] = 10
	found := r.steps(30)
	if len(found) != 1 || found[0].Amount > 0.95 || math.Abs(found[0].Amount-found[0].WaitedSeconds/30) > 1e-9 {
		t.Fatalf("%+v", found)
	}
	if found = r.steps(40); len(found) != 1 || found[0].Amount < 1 {
		t.Errorf("twice as long: %+v", found)
	}
}

// TestMayQueue: in the first day of data, slowness that a little more load may explain
// is no incident.
func TestMayQueue(t *testing.T) {
	for name, tt := range map[string]struct {
		load, times float64
		waits       bool
	}{
		"a little more load":            {1.05, 1.6, true},
		"slower than any queue of that": {1.05, 2.5, false},
		"no more load":                  {1, 1.6, false},
		"less load":                     {0.9, 1.6, false},
	} {
		r := newRack(t, 12)
		r.busier[3] = tt.load
		r.steps(960)
		r.times[3] = tt.times
		found := r.steps(480)
		if len(found) != 1 || (found[0].Until == 9000+86_400) != tt.waits {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestLoad: a drive with far more load is no slow drive.
func TestLoad(t *testing.T) {
	r := newRack(t, 12)
	r.steps(960)
	r.times[3], r.busier[3] = 3, 4
	found := r.steps(240)
	if len(found) != 1 || found[0].Kind != finding.WorkloadImbalance || found[0].Until == 0 {
		t.Errorf("%+v", found)
	}
}

// TestApart: in a group whose members always differ, a slow one must differ more.
func TestApart(t *testing.T) {
	r := newRack(t, 12)
	for c := range r.times {
		r.times[c] = 1 + 0.08*float64(c)
	}
	r.steps(1920)
	if got := r.groups[0].normalDifference; got < 0.2 {
		t.Errorf("drives that differ by up to a factor of 2 are %g apart", got)
	}
	for _, f := range r.steps(960) {
		if f.Sure {
			t.Errorf("%s is blamed", f.Place.Name)
		}
	}
	even := newRack(t, 12)
	even.times[3], even.times[5], even.times[8] = 1.2, 1.2, 1.2
	even.steps(1920)
	if got := even.groups[0].normalDifference; got > 0.02 {
		t.Errorf("with three slow ones of twelve the others are %g apart", got)
	}
	if found := even.steps(3840); len(found) != 3 {
		t.Errorf("%d of three are found", len(found))
	}
}

// TestEffectOfSeveral: several slow members do not make each other look less slow.
func TestEffectOfSeveral(t *testing.T) {
	r := newRack(t, 12)
	r.steps(240)
	r.times[3], r.times[5], r.times[8] = 2, 2, 2
	found := r.steps(960)
	if len(found) != 3 {
		t.Fatalf("%d of three are found", len(found))
	}
	for i := range found {
		if e := found[i].Members[0].Effect; e.Low > 2 || e.High < 2 || math.Abs(e.Times-2) > 0.06 {
			t.Errorf("%s is %+v times slower, want 2", found[i].Place.Name, e)
		}
	}
}

// TestMoreThanIsCounted: a ratio at the bound of one step has no upper end.
func TestMoreThanIsCounted(t *testing.T) {
	r := newRack(t, 12)
	r.steps(240)
	r.times[3] = 10 * maxTimes
	found := r.steps(960)
	if len(found) != 1 {
		t.Fatalf("%d found", len(found))
	}
	if e := found[0].Members[0].Effect; e.Times != maxTimes || e.Low != maxTimes || !math.IsInf(e.High, 1) {
		t.Errorf("%+v", e)
	}
}

// TestUntil: slowness within that of a rebuild is no incident for as long as a rebuild
// lasts, and slowness that may be a rebuild carries that kind until then.
func TestUntil(t *testing.T) {
	at := finding.Onset{At: 1000}
	lun := &explanation{place: blame.Place{Tier: blame.LUN, Name: "1.0"}, members: []int{0}, compared: 1}
	for name, tt := range map[string]struct {
		slow, light, lightSteps float64
		kind                    finding.Kind
		want                    int64
		mayBe                   finding.Kind
	}{
		"as any rebuild":             {1.3, 0, 0, finding.SingleLUN, 1000 + 32_400, finding.ArrayUpkeep},
		"as under load":              {1.6, 0, 0, finding.SingleLUN, 0, finding.ArrayUpkeep},
		"slower than under load":     {2.4, 0, 0, finding.SingleLUN, 0, ""},
		"as with little to do":       {1.9, 1.25, 100, finding.SingleLUN, 1000 + 32_400, finding.ArrayUpkeep},
		"slower with little to do":   {1.5, 1.5, 100, finding.SingleLUN, 0, ""},
		"few steps say nothing":      {2.4, 1.25, 10, finding.SingleLUN, 0, ""},
		"a cache says nothing":       {2.4, 1, 100, finding.SingleLUN, 0, ""},
		"drives rebuild nothing":     {1.6, 0, 0, finding.SlowDrive, 0, ""},
		"load, which may be a job's": {9, 0, 0, finding.WorkloadImbalance, 20_000 + 6300 - 300*15, ""},
	} {
		r := newRack(t, 4)
		r.spread, r.times[0] = 0.1, tt.slow
		r.steps(300)
		w := &r.courses[0]
		r.lastTick, w.lightSteps, w.lightExcess = 20_000, tt.lightSteps, tt.lightSteps*math.Log(max(tt.light, 1))
		if got, or := r.notBefore(lun, tt.kind, at), r.harmlessKind(lun, tt.kind, at); got != tt.want || or != tt.mayBe {
			t.Errorf("%s: until %d, may be %q, want %d, %q", name, got, or, tt.want, tt.mayBe)
		}
		if r.lastTick = at.At + 32_400; r.harmlessKind(lun, tt.kind, at) != "" {
			t.Errorf("%s: no rebuild lasts for so long", name)
		}
	}
	wide := &explanation{place: blame.Place{Tier: blame.Array, Name: "1"}, members: []int{0, 1}, compared: 2}
	r := newRack(t, 4)
	r.lastTick, r.courses[0].steps, r.courses[1].steps = 20_000, 10, 30
	if got := r.notBefore(wide, finding.DrawerError, at); got != 20_000+1200-10*15 {
		t.Errorf("many at once: until %d: only the steps with work count, not the time since the onset", got)
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		tier   blame.Tier
		loaded bool
		want   finding.Kind
	}{
		{blame.LUN, false, finding.SingleLUN},
		{blame.LUN, true, finding.WorkloadImbalance},
		{blame.Attachment, false, finding.SingleLUN},
		{blame.Drive, false, finding.SlowDrive},
		{blame.Drive, true, finding.WorkloadImbalance},
		{blame.Array, true, finding.DrawerError},
		{blame.Drawer, false, finding.DrawerError},
		{blame.Server, true, finding.SharedSlowness},
		{blame.Controller, false, finding.SharedSlowness},
		{blame.Slot, false, finding.SharedSlowness},
		{blame.Model, true, finding.SharedSlowness},
	} {
		if got := kindOf(tt.tier, tt.loaded); got != tt.want {
			t.Errorf("%s, loaded %t: %s, want %s", tt.tier, tt.loaded, got, tt.want)
		}
	}
}

// TestPhases: evidence has a spread for every phase of a queue.
func TestPhases(t *testing.T) {
	if last := int(idle); last != evidence.Phases-1 {
		t.Errorf("the last phase is %d, evidence has %d", last, evidence.Phases)
	}
}

func TestOptions(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	if err := (&Options{}).Validate(); err == nil {
		t.Error("no bounds at all are taken")
	}
}

// TestReference holds the latency of the peers of each member against its definition, with each number
// of anomalous members.
func TestReference(t *testing.T) {
	r := newRack(t, 7)
	for round := range 200 {
		r.steps(1)
		for c := range r.times {
			r.courses[c].anomalous = r.rng.IntN(8) < round%8
		}
		r.gather(0, r.row)
		r.summarise(0)
		r.reference()
		healthy := slices.DeleteFunc(slices.Clone(r.members), func(v memberStep) bool { return r.courses[v.component].anomalous })
		all := len(healthy) < topology.MinPeers
		if all {
			healthy = r.members
		}
		for _, v := range r.members {
			others := slices.DeleteFunc(slices.Clone(healthy), func(o memberStep) bool { return o.component == v.component })
			var latencies []float64
			for _, o := range others {
				latencies = append(latencies, o.latency)
			}
			if want := quantile.Median(latencies); v.peers != want {
				t.Fatalf("round %d: the peers of %d take %g, want %g", round, v.component, v.peers, want)
			}
		}
	}
}

// TestWorstBeforeEpisode: before an episode begins, the largest slowness is that of the last step.
func TestWorstBeforeEpisode(t *testing.T) {
	r := newRack(t, 7)
	for range 500 {
		r.steps(1)
		for c := range r.courses {
			if w := &r.courses[c]; !r.monitor.HasExcursion(c) && w.worst != max(w.now, 0) {
				t.Fatalf("the largest slowness of %d is %g, want %g", c, w.worst, max(w.now, 0))
			}
		}
	}
}

package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

const (
	step  = 15
	hour  = 3600 / step // steps
	drive = 7           // the slow one, on fs1
	far   = 15          // a drive of fs2
)

var midnight = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()

// world makes rows of twelve OSDs on each of two servers. A request takes 5 ms, and each OSD has 100
// requests a second.
type world struct {
	system *topology.System
	schema table.Schema
	random *rand.Rand
	steps  int
	at     int
	// slower returns how many times slower a drive is in a step; change changes the whole row.
	slower func(drive, step int) float64
	change func(step int, row *table.Row)
	reads  float64 // share of sectors
}

func newWorld(t *testing.T, hours int, slower func(drive, step int) float64) *world {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte("name: site\nservers: fs[1-2]\ndrives:\n  - devices: sd[b-m]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Components {
		s.Components[i].Part = topology.Part{Storage: "ceph", Redundancy: "3 replicas", Volume: fmt.Sprint(i), Pool: "vm"}
	}
	return &world{
		system: s, random: rand.New(rand.NewPCG(1, 1)), steps: hours * hour, slower: slower, reads: 0.5,
		schema: table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Load: 0},
	}
}

func (w *world) Schema() table.Schema { return w.schema }

func (w *world) Next() (*table.Row, error) {
	if w.at == w.steps {
		return nil, io.EOF
	}
	row := table.NewRow(w.schema)
	row.End = midnight + step*int64(w.at+1)
	for i := range w.system.Components {
		values := []float64{100, 1600 * w.reads, 1600 * (1 - w.reads), 5 * (1 + 0.1*w.random.NormFloat64()) * w.slower(i, w.at)}
		for m := range row.Values {
			row.Values[m][i] = values[m]
		}
	}
	if w.change != nil {
		w.change(w.at, row)
	}
	w.at++
	return row, nil
}

// slowDuring makes one drive three times slower between two hours.
func slowDuring(from, to int) func(int, int) float64 {
	return func(d, at int) float64 {
		if d == drive && at >= from*hour && at < to*hour {
			return 3
		}
		return 1
	}
}

func policy(t *testing.T, text string) Policy {
	t.Helper()
	p, err := action.ParsePolicy("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Policy{Name: "policy.yaml", Policy: p}
}

const (
	relieve = "mode: do\n"
	takeOut = "mode: do\nrules:\n  - {effects: take out}\n"
)

func run(t *testing.T, w *world, faults []Fault, policies ...Policy) *Result {
	t.Helper()
	r, err := Run(context.Background(), Options{Diagnose: engine.DefaultOptions(), Policies: policies, Known: faults != nil, Faults: faults}, w.system, w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near reports whether a number is within some percent of another one.
func near(got, want, percent float64) bool {
	return math.Abs(got-want) <= math.Abs(want)*percent/100
}

func only(t *testing.T, r *Result) *Action {
	t.Helper()
	if len(r.Policies[0].Actions) != 1 {
		t.Fatalf("%d actions, want 1: %+v; refusals %+v", len(r.Policies[0].Actions), r.Policies[0].Actions, r.Policies[0].Refusals)
	}
	return &r.Policies[0].Actions[0]
}

// TestSaved compares what an action saves with what the rows were made of: 100 requests a second take
// 15 ms, and 5 ms elsewhere.
func TestSaved(t *testing.T) {
	for _, tt := range []struct {
		policy string
		reads  float64
		effect action.Effect
		share  float64 // of the requests that the action keeps away
	}{
		{takeOut, 0.5, action.TakeOut, 1},
		{relieve, 0.75, action.Relieve, 0.75},
	} {
		w := newWorld(t, 6, slowDuring(1, 6))
		w.reads = tt.reads
		r := run(t, w, nil, policy(t, tt.policy))
		a := only(t, r)
		if a.Component != w.system.Components[drive].Name || a.Effect != tt.effect || a.Ended != 0 || a.Verdict == nil || !a.Verdict.Helped {
			t.Fatalf("%+v", a)
		}
		if since := a.Began - midnight; since < 3600+15*60 || since > 3*3600 {
			t.Errorf("%s: the action began after %d s", tt.effect, since)
		}
		seconds := float64(r.To - a.Began)
		if want := seconds * 100 * tt.share * 0.010; !near(a.SavedSeconds, want, 2) || !near(r.Policies[0].SavedSeconds, want, 2) {
			t.Errorf("%s: saved %g request-seconds, want about %g", tt.effect, a.SavedSeconds, want)
		}
		if moved := a.MovedRequests / float64(a.CountedSeconds); !near(moved, 100*tt.share, 0.1) {
			t.Errorf("%s: %g requests a second were moved", tt.effect, moved)
		}
		peers := float64(len(w.system.Groups[w.system.Components[drive].Group-1].Members) - 1)
		if more := a.MovedRequests / a.PeersRequests; !near(more, tt.share/peers, 0.1) {
			t.Errorf("%s: peers have %g more", tt.effect, more)
		}
		if a.ForNothingSeconds != 0 || a.MissingSteps != 0 || a.Steps != int(seconds/step) {
			t.Errorf("%s: for nothing %d s, %d of %d steps missing", tt.effect, a.ForNothingSeconds, a.MissingSteps, a.Steps)
		}
		if spare := a.SpareSeconds(r.To); (spare > 0) != (tt.effect == action.TakeOut) || spare > 0 && spare != r.To-a.Began {
			t.Errorf("%s: one spare less for %d s", tt.effect, spare)
		}
		// All of the wait is that of the incident: the share is what came after the action.
		if !near(r.WaitedSeconds, 5*3600, 5) {
			t.Errorf("waited %g request-seconds", r.WaitedSeconds)
		}
		if len(r.Curves) != 1 || len(r.Curves[0].At) > mostBins {
			t.Fatalf("%d curves", len(r.Curves))
		}
		c := &r.Curves[0]
		last := len(c.At) - 1
		recorded, with := 5+10/(peers+1), 5+10*(1-tt.share)/(peers+1)
		if !near(c.Recorded[last], recorded, 8) || !near(c.Recorded[last]-c.With[0][last], recorded-with, 15) || c.Recorded[0] != c.With[0][0] {
			t.Errorf("%s: the curve ends at %g and %g, want about %g and %g", tt.effect, c.Recorded[last], c.With[0][last], recorded, with)
		}
	}
}

// TestRecovers has a drive that is slow for three hours. The action ends with its incident.
func TestRecovers(t *testing.T) {
	w := newWorld(t, 9, slowDuring(1, 4))
	r := run(t, w, nil, policy(t, takeOut))
	a := only(t, r)
	fast := midnight + 4*3600
	if a.Ending != IncidentOver || a.Ended < fast || a.Ended > fast+3*3600 {
		t.Fatalf("%+v", a)
	}
	// The part was masked for nothing since it is fast again, but for the stretch in which that began.
	if got := a.ForNothingSeconds; got > a.Ended-fast || got < a.Ended-fast-2*engine.DefaultOptions().Criteria.RecoverSeconds {
		t.Errorf("masked for nothing for %d s of %d", got, a.Ended-fast)
	}
	if want := float64(fast - a.Began); !near(a.SavedSeconds, want, 3) {
		t.Errorf("saved %g, want about %g", a.SavedSeconds, want)
	}
}

// TestSecond has two slow drives at once.
func TestSecond(t *testing.T) {
	two := func(second int) func(int, int) float64 {
		return func(d, at int) float64 {
			if (d == drive || d == second) && at >= hour {
				return 3
			}
			return 1
		}
	}
	for _, tt := range []struct {
		second  int
		policy  string
		actions int
		refused action.Reason
	}{
		{far, relieve, 1, action.OtherServer},
		{drive + 1, relieve, 1, action.AtOnce},
		{drive + 1, "mode: do\nmost_at_once: 2\n", 2, ""},
		{drive + 1, takeOut, 0, action.RedundancyUsed},
	} {
		r := run(t, newWorld(t, 6, two(tt.second)), nil, policy(t, tt.policy))
		found := tt.refused == ""
		for _, n := range r.Policies[0].Refusals {
			if n.Reason == tt.refused && n.Incidents > 0 && n.Seconds > 3600 {
				found = true
			}
		}
		if len(r.Policies[0].Actions) != tt.actions || !found {
			t.Errorf("second drive %d, %q: %d actions, refusals %v; want %d and %q", tt.second, tt.policy, len(r.Policies[0].Actions), r.Policies[0].Refusals, tt.actions, tt.refused)
		}
	}
}

// TestSlowAgain: an action that ended because the part was well again is taken again when the same incident comes back.
func TestSlowAgain(t *testing.T) {
	w := newWorld(t, 20, func(d, at int) float64 { return max(slowDuring(2, 5)(d, at), slowDuring(12, 15)(d, at)) })
	r := run(t, w, nil, policy(t, takeOut))
	list := r.Policies[0].Actions
	if len(list) != 2 || list[0].Component != list[1].Component || list[0].Ending != IncidentOver || list[1].Began < midnight+12*3600 {
		t.Errorf("%+v; refusals %+v", list, r.Policies[0].Refusals)
	}
}

// TestDidNotHelp relieves a drive that is hardly read from. The action is reversed, and not repeated for
// the same incident.
func TestDidNotHelp(t *testing.T) {
	w := newWorld(t, 8, slowDuring(1, 8))
	w.reads = 0.05
	r := run(t, w, nil, policy(t, relieve))
	a := only(t, r)
	if a.Ending != DidNotHelp || a.Ended-a.Began != 600 || a.Verdict == nil || a.Verdict.Helped {
		t.Fatalf("%+v", a)
	}
	for _, n := range r.Policies[0].Refusals {
		if n.Reason == action.ActedBefore && n.Seconds > 2*3600 {
			return
		}
	}
	t.Errorf("refusals %v", r.Policies[0].Refusals)
}

// TestPause has two slow drives that are hardly read from. After an action that did not help, no other
// one begins for an hour.
func TestPause(t *testing.T) {
	w := newWorld(t, 8, func(d, at int) float64 {
		if (d == drive || d == drive+1) && at >= hour {
			return 3
		}
		return 1
	})
	w.reads = 0.05
	p := &run(t, w, nil, policy(t, relieve)).Policies[0]
	if len(p.Actions) != 2 || p.Actions[0].Ending != DidNotHelp || p.Actions[1].Began < p.Actions[0].Ended+3600 || p.Actions[1].Began > p.Actions[0].Ended+3600+2*lookSeconds {
		t.Fatalf("%+v", p.Actions)
	}
	for _, n := range p.Refusals {
		if n.Reason == action.Pausing && n.Incidents == 1 && n.Seconds > 3000 {
			return
		}
	}
	t.Errorf("refusals %v", p.Refusals)
}

// TestSilent has a server without data. Its parts count as lost, so that nothing more is taken out.
func TestSilent(t *testing.T) {
	w := newWorld(t, 1, slowDuring(0, 1))
	now := midnight + 2*3600
	in := incident.Incident{
		ID: "id", Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: w.system.Components[drive].Name}, Phase: incident.Active,
		Onset: finding.Onset{At: midnight, Early: midnight, Late: midnight}, Confirmed: midnight + 3600,
		Members: []finding.Member{{Component: drive, Role: finding.IsSlow, Ratio: 3, Worst: 3, Effect: finding.Effect{Times: 3, Low: 2.5, High: 3.5}}},
	}
	for _, tt := range []struct {
		silent  []engine.Silence
		actions int
	}{{nil, 1}, {[]engine.Silence{{Server: "fs2"}}, 0}} {
		r := &replay{o: Options{Policies: []Policy{policy(t, takeOut)}}, system: w.system, schema: w.schema}
		r.begin(engine.DefaultOptions())
		r.look(now, &engine.Summary{Incidents: []incident.Incident{in}, Silent: tt.silent})
		if got := len(r.players[0].actions); got != tt.actions {
			t.Errorf("silent %v: %d actions, want %d", tt.silent, got, tt.actions)
		}
	}
}

// TestMaskedPeers leaves out peers that are masked: they take over nothing.
func TestMaskedPeers(t *testing.T) {
	w := newWorld(t, 1, func(d, _ int) float64 {
		if d == drive || d == drive+1 {
			return 100
		}
		return 1
	})
	m := newMeasure(w.system, w.schema, []string{metric.Await.Name}, 600)
	row, err := w.Next()
	if err != nil {
		t.Fatal(err)
	}
	m.take(row)
	got, _ := m.moved(row, drive, action.TakeOut, map[int]bool{drive: true, drive + 1: true})
	if !near(got.others, 5, 10) {
		t.Errorf("a request to the peers takes %g ms", got.others)
	}
}

// TestMissing leaves out data of the slow drive. What is missing does not count as zero.
func TestMissing(t *testing.T) {
	w := newWorld(t, 6, slowDuring(1, 6))
	w.change = func(at int, row *table.Row) {
		if at >= 5*hour && at < 5*hour+20 {
			for m := range row.Values {
				row.Values[m][drive] = table.Missing
			}
		}
	}
	r := run(t, w, nil, policy(t, takeOut))
	a := only(t, r)
	if a.MissingSteps != 20 || r.Policies[0].MissingSteps != 20 || a.CountedSeconds != r.To-a.Began-20*step {
		t.Errorf("%d steps are missing, %d s are counted", a.MissingSteps, a.CountedSeconds)
	}
	if want := float64(a.CountedSeconds); !near(a.SavedSeconds, want, 2) {
		t.Errorf("saved %g, want about %g", a.SavedSeconds, want)
	}

	// A part without requests has nothing to move: that is known, and not missing.
	w = newWorld(t, 6, slowDuring(1, 6))
	w.change = func(at int, row *table.Row) {
		if at >= 5*hour && at < 5*hour+20 {
			for m := range row.Values {
				clear(row.Values[m])
			}
		}
	}
	r = run(t, w, nil, policy(t, relieve))
	if a = only(t, r); a.MissingSteps != 0 || !near(a.SavedSeconds, 0.5*float64(r.To-a.Began-20*step), 2) {
		t.Errorf("%d steps are missing, saved %g", a.MissingSteps, a.SavedSeconds)
	}

	// Without sectors and latencies of reads nobody knows what a relieved drive saves.
	w = newWorld(t, 6, slowDuring(1, 6))
	w.change = func(_ int, row *table.Row) {
		for c := range row.Values[1] {
			row.Values[1][c], row.Values[2][c] = table.Missing, table.Missing
		}
	}
	r = run(t, w, nil, policy(t, relieve))
	if a = only(t, r); a.Ended != 0 || a.Verdict != nil || !math.IsNaN(a.SavedSeconds) || !math.IsNaN(r.Policies[0].SavedSeconds) || a.MissingSteps != a.Steps || a.Steps == 0 {
		t.Errorf("%+v", a)
	}

	// Latencies that end with the action leave no verdict: a server reverses the action.
	w = newWorld(t, 6, slowDuring(1, 6))
	began := only(t, run(t, newWorld(t, 6, slowDuring(1, 6)), nil, policy(t, takeOut))).Began
	w.change = func(at int, row *table.Row) {
		if row.End > began {
			for c := range row.Values[3] {
				row.Values[3][c] = table.Missing
			}
		}
	}
	if a = only(t, run(t, w, nil, policy(t, takeOut))); a.Ending != NoVerdict || a.Ended-a.Began != 600 {
		t.Errorf("%+v", a)
	}
}

// TestReadLatencies takes latencies of reads where rows have them.
func TestReadLatencies(t *testing.T) {
	w := newWorld(t, 1, slowDuring(1, 1))
	w.schema.Latencies = true
	m := newMeasure(w.system, w.schema, []string{metric.Await.Name}, 600)
	row, err := w.Next()
	if err != nil {
		t.Fatal(err)
	}
	const ms = 1_000_000
	for c := range w.system.Components {
		l, ns := row.LatencyOf(c), uint64(2*ms)
		if c == drive {
			ns = 12 * ms
		}
		l[blklat.Read].Device = blklat.Histogram{{Bucket: uint16(blklat.Bucket(ns)), Requests: 30 * step}}
	}
	m.take(row)
	got, why := m.moved(row, drive, action.Relieve, map[int]bool{drive: true})
	if why != "" || !near(got.requests, 30, 0.1) || !near(got.saved, 30*10, 10) { // buckets are a few percent wide
		t.Errorf("%+v, %q", got, why)
	}
}

// TestFaults compares actions with known faults.
func TestFaults(t *testing.T) {
	hours := func(from, to int64, c ...int) Fault {
		return Fault{Kind: "slow", Component: fmt.Sprint(c), From: midnight + from*3600, To: midnight + to*3600, Components: c}
	}
	for _, tt := range []struct {
		name   string
		faults []Fault
		wrong  int
		missed []action.Reason
	}{
		{"right", []Fault{hours(1, 6, drive)}, 0, nil},
		{"another part", []Fault{hours(1, 6, far)}, 1, []action.Reason{""}},
		{"another time", []Fault{hours(5, 6, drive)}, 1, nil}, // the part is masked when the fault begins
		{"no fault", []Fault{}, 1, nil},
	} {
		r := run(t, newWorld(t, 6, slowDuring(1, 6)), tt.faults, policy(t, takeOut))
		p := &r.Policies[0]
		var missed []action.Reason
		for _, m := range p.Missed {
			missed = append(missed, m.Reason)
		}
		if p.Wrong != tt.wrong || fmt.Sprint(missed) != fmt.Sprint(tt.missed) {
			t.Errorf("%s: %d wrong, missed %q; want %d and %q", tt.name, p.Wrong, missed, tt.wrong, tt.missed)
		}
		if tt.name == "right" && !near(r.WaitedSeconds, 5*3600, 2) {
			t.Errorf("waited %g", r.WaitedSeconds)
		}
	}
	r := run(t, newWorld(t, 6, slowDuring(1, 6)), []Fault{hours(1, 6, drive)}, policy(t, "mode: do\nrules: [{times_slower: 50}]\n"))
	if p := &r.Policies[0]; len(p.Actions) != 0 || len(p.Missed) != 1 || p.Missed[0].Reason != action.TooFast || p.SavedSeconds != 0 || !near(p.Missed[0].WaitedSeconds, 5*3600, 2) {
		t.Errorf("%+v", p)
	}
}

// TestHours counts the hours of a policy in the time of the data.
func TestHours(t *testing.T) {
	a := only(t, run(t, newWorld(t, 6, slowDuring(1, 6)), nil, policy(t, "mode: ask\nrules: [{hours_utc: '04:30-05:00'}]\n")))
	if at := a.Began - midnight; at < 4*3600+1800 || at > 4*3600+1800+lookSeconds {
		t.Errorf("the action began after %d s", at)
	}
}

// TestSeveral replays two policies at once. Each does the same as alone, and the same each time.
func TestSeveral(t *testing.T) {
	text := func(policies ...Policy) []byte {
		var b bytes.Buffer
		if err := run(t, newWorld(t, 6, slowDuring(1, 6)), []Fault{}, policies...).JSON(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	one, two := policy(t, relieve), policy(t, takeOut)
	both := text(one, two)
	if !bytes.Equal(both, text(one, two)) {
		t.Error("the same data and policies give other bytes")
	}
	for _, p := range []Policy{one, two} {
		alone := text(p)
		from, to := bytes.Index(alone, []byte(`"actions"`)), bytes.LastIndex(alone, []byte(`"faults_without_action"`))
		if from < 0 || !bytes.Contains(both, alone[from:to]) {
			t.Errorf("beside another policy, a policy does not do what it does alone: %s", alone)
		}
	}
}

// TestExamples reads the examples of docs/act.md: the planner has a driver for every LUN.
func TestExamples(t *testing.T) {
	dir := filepath.Join("..", "..", "examples", "act", "replay")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	system, _, err := topology.Parse("topology.yaml", read("topology.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, effect := range map[string]action.Effect{"defaults.yaml": action.Relieve, "times-3.yaml": action.Relieve, "suspects.yaml": action.Relieve, "take-out.yaml": action.TakeOut} {
		p := policy(t, string(read(name)))
		for i := range system.Components {
			if p.Lookup(system.Components[i].Storage, effect) == nil {
				t.Fatalf("%s has no driver for %s", name, system.Components[i].Name)
			}
		}
	}
}

func TestPlotHalves(t *testing.T) {
	p := newPlot(1, 1)
	const steps = 2*mostBins + 5
	for i := range steps {
		p.take(int64(i+1)*step, step, func(int) (float64, float64) { return 10, 2 })
		p.save(0, 0, 1)
	}
	c := p.curves(func(int) string { return "g" }, "ms")
	if len(c) != 1 || len(c[0].At) > mostBins || p.width != 4*step {
		t.Fatalf("%d points of %d s", len(c[0].At), p.width)
	}
	for i := range c[0].At {
		if c[0].Recorded[i] != 5 || c[0].With[0][i] != 4.5 {
			t.Errorf("point %d: %g, %g", i, c[0].Recorded[i], c[0].With[0][i])
		}
	}
}

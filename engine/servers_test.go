package engine_test

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// recording has the rows of the servers of a simulated cluster, second by second.
type recording struct {
	system *topology.System
	schema table.Schema
	rows   []*table.Row
}

// The simulated benchmark begins 15 s into a recording. Faults of the tests begin a
// minute later and last until the end.
const (
	benchmark = 15
	strikes   = 60
	lasts     = 260 // seconds of a recording
)

func experiment(c testbench.Cluster, w testbench.Workload, f testbench.Fault, faulty ...int) *testbench.Experiment {
	e := testbench.New(c, w, f, 1)
	e.Watched, e.Faulty = 1, faulty
	e.From, e.To = strikes*time.Second, time.Hour
	return e
}

// record returns the first seconds of an experiment.
func record(t *testing.T, e *testbench.Experiment, seconds int) *recording {
	t.Helper()
	recorded.Lock()
	defer recorded.Unlock()
	key := fmt.Sprintf("%d s of %+v", seconds, *e)
	if recorded.of[key] == nil {
		recorded.of[key] = recordAgain(t, e, seconds)
	}
	shared := *recorded.of[key]
	shared.rows = slices.Clone(shared.rows)
	for i, row := range shared.rows {
		shared.rows[i] = copied(row)
	}
	return &shared
}

// recorded has the recordings of all tests: several tests need the same experiment, and
// simulating it takes longer than copying its rows.
var recorded = struct {
	sync.Mutex
	of map[string]*recording
}{of: map[string]*recording{}}

// recordAgain is record without what other tests recorded.
func recordAgain(t *testing.T, e *testbench.Experiment, seconds int) *recording {
	t.Helper()
	run, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{system: run.System(), schema: run.Schema()}
	for range seconds {
		row, err := run.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		r.rows = append(r.rows, copied(row))
	}
	return r
}

func copied(row *table.Row) *table.Row {
	out := &table.Row{End: row.End, Heard: slices.Clone(row.Heard)}
	for _, values := range row.Values {
		out.Values = append(out.Values, slices.Clone(values))
	}
	return out
}

// start returns the time at which the first row begins.
func (r *recording) start() int64 { return r.rows[0].End - r.schema.StepSeconds }

// judge diagnoses a recording with the servers question.
func (r *recording) judge(t *testing.T) engine.Summary {
	t.Helper()
	o, err := engine.Preset("servers")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(o, r.system, r.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.rows {
		e.Push(row)
	}
	e.Finish()
	return e.Summary(incident.Combined)
}

// said returns the incidents as "ios2 disk-hog, ios5 disk-hog".
func said(list []incident.Incident) string {
	var words []string
	for _, in := range list {
		words = append(words, in.Place.Name+" "+string(in.Kind))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

var (
	pvfs   = testbench.Cluster{FileSystem: testbench.PVFS, Clients: 10, Servers: 10}
	lustre = testbench.Cluster{FileSystem: testbench.Lustre, Clients: 10, Servers: 10}
)

// TestSeveralAtFault: any minority of servers is found at fault, with the right kind and
// onset, and no other server is.
func TestSeveralAtFault(t *testing.T) {
	for _, tt := range []struct {
		cluster  testbench.Cluster
		workload testbench.Workload
		fault    testbench.Fault
		cause    finding.Kind
	}{
		{pvfs, testbench.DDR, testbench.DiskBusy, finding.DiskBusy},
		{pvfs, testbench.PostMark, testbench.DiskHog, finding.DiskHog},
		{pvfs, testbench.DDW, testbench.WriteNetworkHog, finding.NetworkHog},
		{pvfs, testbench.DDW, testbench.ReceiveLoss, finding.PacketLoss},
		{lustre, testbench.DDW, testbench.DiskHog, finding.DiskHog},
		{lustre, testbench.DDW, testbench.DiskBusy, finding.DiskBusy},
		{lustre, testbench.DDR, testbench.ReadNetworkHog, finding.NetworkHog},
		{lustre, testbench.DDR, testbench.SendLoss, finding.PacketLoss},
	} {
		for i, faulty := range [][]int{{1, 4, 7}, {0, 4, 7, 9}} {
			if testing.Short() && (i == 0) != (tt.cluster == pvfs) {
				continue // three servers of one cluster, four of the other
			}
			t.Run(fmt.Sprintf("%s %s %s %d", tt.cluster, tt.workload, tt.fault, len(faulty)), func(t *testing.T) {
				e := experiment(tt.cluster, tt.workload, tt.fault, faulty...)
				got := record(t, e, lasts).judge(t).Incidents
				if want := blamed(tt.cause, faulty); said(got) != want {
					t.Fatalf("%s, want %s", said(got), want)
				}
				for _, in := range got {
					off := in.Onset.At - e.Start.Unix() - benchmark - strikes
					if in.Onset.Earlier || off < -15 || off > 15 {
						t.Errorf("%s: onset %+v, off by %d s", in.Place.Name, in.Onset, off)
					}
				}
			})
		}
	}
}

func blamed(cause finding.Kind, servers []int) string {
	var list []incident.Incident
	for _, s := range servers {
		list = append(list, incident.Incident{Place: blame.Place{Tier: blame.Server, Name: fmt.Sprintf("ios%d", s+1)}, Kind: cause})
	}
	return said(list)
}

// TestFaultFromTheBegin: a server that was never healthy is found at fault too, and its
// onset is before the data.
func TestFaultFromTheBegin(t *testing.T) {
	for _, tt := range []struct {
		workload testbench.Workload
		fault    testbench.Fault
		want     string
	}{
		{testbench.DDR, testbench.DiskBusy, "ios4 disk-busy"},
		{testbench.DDR, testbench.DiskHog, "ios4 disk-hog"},
		{testbench.DDW, testbench.WriteNetworkHog, "ios4 network-hog"},
		{testbench.DDR, testbench.SendLoss, "ios4 packet loss"},
	} {
		t.Run(string(tt.fault), func(t *testing.T) {
			e := experiment(pvfs, tt.workload, tt.fault, 3)
			e.From = 0
			r := record(t, e, lasts)
			for name, rows := range map[string][]*table.Row{"lead": r.rows, "no lead": r.rows[benchmark:]} {
				r := &recording{r.system, r.schema, rows}
				got := r.judge(t).Incidents
				if said(got) != tt.want {
					t.Fatalf("%s: %q, want %q", name, said(got), tt.want)
				}
				if o := got[0].Onset; !o.Earlier || o.At != e.Start.Unix()+benchmark {
					t.Errorf("%s: onset %+v, the data begin at %d", name, o, r.start())
				}
			}
		})
	}
}

// changed is a recording with a function that changes rows by their number.
func (r *recording) changed(change func(i int, row *table.Row)) *recording {
	out := &recording{system: r.system, schema: r.schema}
	for i, row := range r.rows {
		out.rows = append(out.rows, copied(row))
		change(i, out.rows[i])
	}
	return out
}

// without replaces all values of some kinds of components of a server by one value, for
// some seconds.
func (r *recording) without(server string, from, to int, value float64, kinds ...topology.Kind) *recording {
	return r.changed(func(i int, row *table.Row) {
		for c := range r.system.Components {
			of := &r.system.Components[c]
			for m := range row.Values {
				if of.Server == server && slices.Contains(kinds, of.Kind) && i >= from && i < to && !table.IsMissing(row.Values[m][c]) {
					row.Values[m][c] = value
				}
			}
		}
	})
}

// resting removes the load of a server for some seconds.
func (r *recording) resting(server string, from, to int) *recording {
	return r.without(server, from, to, 0, topology.Attachment, topology.Interface, topology.Host)
}

// TestIdleServers: an idle server is reported as idle, is not blamed, and does not hide a
// server at fault.
func TestIdleServers(t *testing.T) {
	healthy := record(t, experiment(pvfs, testbench.DDR, testbench.None), lasts)
	busy := record(t, experiment(pvfs, testbench.DDR, testbench.DiskBusy, 5), lasts)
	for name, tt := range map[string]struct {
		of       *recording
		from, to int
		want     string
		told     bool
	}{
		"works":                  {healthy, lasts, lasts, "", false},
		"never works":            {healthy, 0, lasts, "", true},
		"stops":                  {healthy, 120, lasts, "", true},
		"begins late":            {healthy, 0, 128, "", true},
		"rests for a window":     {healthy, 100, 164, "", true},
		"rests for less":         {healthy, 100, 163, "", false},
		"rests beside a fault":   {busy, 90, lasts, "ios6 disk-busy", true},
		"never works beside one": {busy, 0, lasts, "ios6 disk-busy", true},
	} {
		for _, step := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d s", name, step), func(t *testing.T) {
				r := tt.of.resting("ios3", tt.from, tt.to).folded(step)
				e := r.judge(t)
				if got := said(e.Incidents); got != tt.want {
					t.Errorf("at fault: %q, want %q", got, tt.want)
				}
				idle := e.Idle
				if !tt.told && len(idle) == 0 {
					return
				}
				from, to := healthy.start()+int64(tt.from), healthy.start()+int64(tt.to)
				if tt.from == 0 {
					from += benchmark // before, all rest
				}
				if !tt.told || len(idle) != 1 || idle[0].Server != "ios3" || idle[0].To != to || max(idle[0].From-from, from-idle[0].From) > 3 {
					t.Errorf("idle: %+v, want from %d to %d: %t", idle, from, to, tt.told)
				}
			})
		}
	}
}

// TestOrderOfIdleness: servers are listed in the order in which they became idle, whether
// or not they have load again.
func TestOrderOfIdleness(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDW, testbench.None), lasts)
	r = r.resting("ios9", 60, lasts).resting("ios5", 70, 230).resting("ios7", 80, 160).resting("ios1", 90, lasts)
	if got, want := resting(r.judge(t)), []string{"ios9", "ios5", "ios7", "ios1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func resting(e engine.Summary) (servers []string) {
	for _, i := range e.Idle {
		servers = append(servers, i.Server)
	}
	return servers
}

// TestNotIdle: a server that works from its cache, or without data, is not idle. If half
// of the servers are idle, the others are compared among themselves.
func TestNotIdle(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDR, testbench.None), lasts)
	halted := r
	for _, server := range []string{"ios1", "ios2", "ios3", "ios4", "ios5"} {
		halted = halted.resting(server, 100, lasts)
	}
	for name, r := range map[string]*recording{
		"without a request": r.without("ios1", 100, lasts, 0, topology.Attachment),
		"without traffic":   r.without("ios1", 100, lasts, 0, topology.Interface),
		"without any data":  r.without("ios1", 100, lasts, table.Missing, topology.Attachment, topology.Interface, topology.Host),
	} {
		if got := resting(r.judge(t)); len(got) > 0 {
			t.Errorf("%s: %v are idle", name, got)
		}
	}
	if e := halted.judge(t); len(resting(e)) != 5 || len(e.Incidents) > 0 {
		t.Errorf("half rest: %v, at fault %s", resting(e), said(e.Incidents))
	}
}

// TestExcused: a server without requests is not blamed for segments that its clients send
// in vain. A server that was idle for only a few seconds is.
func TestExcused(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDW, testbench.None), lasts)
	host, _ := r.system.FindHost("ios3")
	unheard := func(r *recording) *recording {
		return r.changed(func(i int, row *table.Row) {
			for name, v := range map[string]float64{"retr_in": 10, "dlv_in": 0, "cwnd_in": 1} {
				if i >= 70 {
					row.Values[metric.Index(r.schema.Metrics, name)][host] = v
				}
			}
		})
	}
	for name, tt := range map[string]struct {
		of   *recording
		want string
	}{
		"works":         {unheard(r), "ios3 packet loss"},
		"rests":         {unheard(r.resting("ios3", 70, lasts)), ""},
		"rested before": {unheard(r.resting("ios3", 30, 70)), "ios3 packet loss"},
	} {
		if got := said(tt.of.judge(t).Incidents); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// folded combines seconds into longer steps: rates are averaged over time, and averages
// over requests are weighted by requests.
func (r *recording) folded(step int) *recording {
	out := &recording{system: r.system, schema: r.schema}
	out.schema.StepSeconds = int64(step)
	for i := step; i <= len(r.rows); i += step {
		row := table.NewRow(out.schema)
		row.End, row.Heard = r.rows[i-1].End, r.rows[i-1].Heard
		for m := range row.Values {
			for c := range row.Values[m] {
				row.Values[m][c] = r.average(m, c, r.rows[i-step:i])
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func (r *recording) average(m, component int, rows []*table.Row) float64 {
	var mean table.Average
	for _, row := range rows {
		weight := 1.0
		if r.schema.Metrics[m].PerIO {
			weight = row.Values[r.schema.Load][component]
		}
		mean.Add(row.Values[m][component], weight)
	}
	if v := mean.Value(); !table.IsMissing(v) || table.IsMissing(rows[0].Values[m][component]) {
		return v
	}
	return 0 // no request, none that waited
}

// TestAnyStep: the verdict does not depend on how often servers are sampled.
func TestAnyStep(t *testing.T) {
	for _, tt := range []struct {
		fault testbench.Fault
		want  string
	}{
		{testbench.None, ""},
		{testbench.DiskHog, "ios6 disk-hog"},
		{testbench.DiskBusy, "ios6 disk-busy"},
		{testbench.WriteNetworkHog, "ios6 network-hog"},
		{testbench.ReceiveLoss, "ios6 packet loss"},
	} {
		seconds := record(t, experiment(lustre, testbench.DDW, tt.fault, 5), lasts)
		whole := seconds.judge(t).Incidents
		for _, step := range []int{1, 2, 4, 8, 10, 16} {
			t.Run(fmt.Sprintf("%s, %d s", tt.fault, step), func(t *testing.T) {
				got := seconds.folded(step).judge(t).Incidents
				if said(got) != tt.want {
					t.Fatalf("%q, want %q", said(got), tt.want)
				}
				if 32%step == 0 && step < 16 && !sameEvidence(got, whole) { // two steps of a shift say nothing of bursts
					t.Errorf("%+v, want\n%+v", got, whole)
				}
			})
		}
	}
}

// sameEvidence compares everything that does not depend on the length of a step.
func sameEvidence(a, b []incident.Incident) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }
	return slices.EqualFunc(a, b, func(a, b incident.Incident) bool {
		return a.Place == b.Place && a.Kind == b.Kind && a.Confirmed == b.Confirmed && a.Last == b.Last &&
			slices.EqualFunc(a.Evidence, b.Evidence, func(a, b finding.Evidence) bool {
				return a.Metric == b.Metric && a.From == b.From && a.To == b.To && near(a.Score, b.Score) && near(a.Peers, b.Peers)
			})
	})
}

// TestOrderOfServers: servers under other names are at fault under these names, with the
// same kinds.
func TestOrderOfServers(t *testing.T) {
	straight := record(t, experiment(pvfs, testbench.PostMark, testbench.DiskHog, 1, 8), lasts)
	n := len(straight.system.Servers)
	turned := straight.changed(func(i int, row *table.Row) {
		for m := range row.Values {
			for c := range row.Values[m] {
				row.Values[m][c] = straight.rows[i].Values[m][c/n*n+(c+3)%n]
			}
		}
	})
	want := straight.judge(t).Incidents
	got := turned.judge(t).Incidents
	if said(want) != "ios2 disk-hog, ios9 disk-hog" || said(got) != "ios6 disk-hog, ios9 disk-hog" {
		t.Fatalf("%s, and turned %s", said(want), said(got))
	}
	straightened := func(c int) int { return c/n*n + (c+3)%n }
	for i := range got { // as strong as they were, so in the same order
		is, was := got[i], want[i]
		is.ID, is.Place = was.ID, was.Place
		for m := range is.Members {
			is.Members[m].Component = straightened(is.Members[m].Component)
		}
		for m := range is.Evidence {
			is.Evidence[m].Component = straightened(is.Evidence[m].Component)
		}
		for m := range is.RuledOut {
			if e := is.RuledOut[m].Evidence; e != nil {
				e.Component = straightened(e.Component)
			}
		}
		if dump(is) != dump(was) {
			t.Errorf("turned: %s, want\n%s", dump(is), dump(was))
		}
	}
}

// TestSameRowsSameVerdict: two diagnoses of the same rows agree to the bit, and so do two
// simulations.
func TestSameRowsSameVerdict(t *testing.T) {
	e := experiment(lustre, testbench.DDR, testbench.DiskHog, 2, 3)
	r := record(t, e, lasts)
	first, second, again := r.judge(t), r.judge(t), recordAgain(t, e, lasts).judge(t)
	if first.Examined != 7 || len(first.Incidents) != 2 {
		t.Fatalf("%d windows, at fault: %s", first.Examined, said(first.Incidents))
	}
	for _, other := range []engine.Summary{second, again} {
		if dump(first) != dump(other) {
			t.Errorf("%s, and then\n%s", dump(first), dump(other))
		}
	}
}

// TestTooLittleToJudge: two servers, or a few seconds, are not enough for a verdict.
func TestTooLittleToJudge(t *testing.T) {
	pair := testbench.Cluster{FileSystem: testbench.PVFS, Clients: 4, Servers: 2}
	two := record(t, experiment(pair, testbench.DDR, testbench.DiskBusy, 1), lasts)
	if e := two.judge(t); e.Examined != 0 || len(e.Incidents) > 0 || len(e.Idle) > 0 {
		t.Errorf("two servers: %d windows, %+v, %+v", e.Examined, e.Incidents, e.Idle)
	}
	x := experiment(pvfs, testbench.DDR, testbench.DiskBusy, 1)
	x.From = 0
	if e := record(t, x, 40).judge(t); e.Examined != 0 || len(e.Incidents) > 0 {
		t.Errorf("40 s: %d windows, %+v", e.Examined, e.Incidents)
	}
	whole := record(t, x, lasts)
	for from := benchmark; from < benchmark+32; from++ { // wherever windows end
		short := &recording{whole.system, whole.schema, whole.rows[from : from+40]}
		if e := short.judge(t); e.Examined > 1 || len(e.Incidents) > 0 {
			t.Errorf("40 s from the %d. on: %d windows, %+v", from, e.Examined, e.Incidents)
		}
	}
}

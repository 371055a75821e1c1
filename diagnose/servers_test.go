package diagnose

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/simulate/testbench"
	"github.com/limpet-storage/limpet/symptom"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// recording is what a simulated cluster's servers did, second by second.
type recording struct {
	system *topology.System
	schema table.Schema
	rows   []*table.Row
}

// The simulated benchmark begins 15 s into a recording. Faults of the tests
// strike a minute later, and are still there when it ends.
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

// record takes the first seconds of an experiment.
func record(t *testing.T, e *testbench.Experiment, seconds int) *recording {
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

// start is when the first row begins.
func (r *recording) start() int64 { return r.rows[0].End - r.schema.StepSeconds }

// judge pushes a recording through an engine.
func (r *recording) judge(t *testing.T) *Engine {
	t.Helper()
	o := ServersOptions()
	o.Detect.StepSeconds = r.schema.StepSeconds
	o.Symptoms.Fit(r.schema.StepSeconds)
	e, err := New(o, r.system, r.schema, nil, nil, &notes{system: r.system})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.rows {
		e.Push(row)
	}
	e.Finish()
	return e
}

// said is "ios2 disk-hog, ios5 disk-hog".
func said(list []explain.Indictment) string {
	var words []string
	for _, in := range list {
		words = append(words, in.Server+" "+string(in.Cause))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

var (
	pvfs   = testbench.Cluster{FileSystem: testbench.PVFS, Clients: 10, Servers: 10}
	lustre = testbench.Cluster{FileSystem: testbench.Lustre, Clients: 10, Servers: 10}
)

// TestSeveralAtFault: any minority of servers is indicted for what is wrong
// with it, and nobody else; and for when it began.
func TestSeveralAtFault(t *testing.T) {
	for _, tt := range []struct {
		cluster  testbench.Cluster
		workload testbench.Workload
		fault    testbench.Fault
		cause    explain.Cause
	}{
		{pvfs, testbench.DDR, testbench.DiskBusy, explain.DiskBusy},
		{pvfs, testbench.PostMark, testbench.DiskHog, explain.DiskHog},
		{pvfs, testbench.DDW, testbench.WriteNetworkHog, explain.NetworkHog},
		{pvfs, testbench.DDW, testbench.ReceiveLoss, explain.PacketLoss},
		{lustre, testbench.DDW, testbench.DiskHog, explain.DiskHog},
		{lustre, testbench.DDW, testbench.DiskBusy, explain.DiskBusy},
		{lustre, testbench.DDR, testbench.ReadNetworkHog, explain.NetworkHog},
		{lustre, testbench.DDR, testbench.SendLoss, explain.PacketLoss},
	} {
		for _, faulty := range [][]int{{1, 4, 7}, {0, 4, 7, 9}} {
			t.Run(fmt.Sprintf("%s %s %s %d", tt.cluster, tt.workload, tt.fault, len(faulty)), func(t *testing.T) {
				e := experiment(tt.cluster, tt.workload, tt.fault, faulty...)
				got := record(t, e, lasts).judge(t).Indictments()
				if want := blamed(tt.cause, faulty); said(got) != want {
					t.Fatalf("%s, want %s", said(got), want)
				}
				for _, in := range got {
					off := in.Onset.At - e.Start.Unix() - benchmark - strikes
					if in.Onset.Earlier || off < -15 || off > 15 {
						t.Errorf("%s: onset %+v, off by %d s", in.Server, in.Onset, off)
					}
				}
			})
		}
	}
}

func blamed(cause explain.Cause, servers []int) string {
	var list []explain.Indictment
	for _, s := range servers {
		list = append(list, explain.Indictment{Server: fmt.Sprintf("ios%d", s+1), Cause: cause})
	}
	return said(list)
}

// TestFaultFromTheBegin: a server that was never seen well is indicted, too,
// and its onset is not in the data.
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
				got := r.judge(t).Indictments()
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

// changed is a recording of which rows were changed, by their number.
func (r *recording) changed(change func(i int, row *table.Row)) *recording {
	out := &recording{system: r.system, schema: r.schema}
	for i, row := range r.rows {
		out.rows = append(out.rows, copied(row))
		change(i, out.rows[i])
	}
	return out
}

// without puts a value in the place of all that a server's components of some
// kinds have for some seconds.
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

// resting lets a server do nothing for some seconds.
func (r *recording) resting(server string, from, to int) *recording {
	return r.without(server, from, to, 0, topology.Attachment, topology.Interface, topology.Host)
}

// TestIdleServers: who has nothing to do is told and not indicted, and does not
// hide who is at fault.
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
				if got := said(e.Indictments()); got != tt.want {
					t.Errorf("indicted: %q, want %q", got, tt.want)
				}
				idle := e.Idle()
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

// TestOrderOfIdleness: who stopped first comes first, whether or not it has
// begun again.
func TestOrderOfIdleness(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDW, testbench.None), lasts)
	r = r.resting("ios9", 60, lasts).resting("ios5", 70, 230).resting("ios7", 80, 160).resting("ios1", 90, lasts)
	if got, want := resting(r.judge(t)), []string{"ios9", "ios5", "ios7", "ios1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func resting(e *Engine) (servers []string) {
	for _, i := range e.Idle() {
		servers = append(servers, i.Server)
	}
	return servers
}

// TestNotIdle: a server that works from its memory, or of which nothing is
// known, is not idle; where half of all rest, they are, and the others are
// judged by themselves.
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
	if e := halted.judge(t); len(resting(e)) != 5 || len(e.Indictments()) > 0 {
		t.Errorf("half rest: %v, indicted %s", resting(e), said(e.Indictments()))
	}
}

// TestExcused: whom nobody asks for anything is not indicted for segments that
// its clients send in vain; who has rested for a few seconds has no excuse.
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
		if got := said(tt.of.judge(t).Indictments()); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// folded makes longer steps of seconds: averages of rates over time, and of
// what is one of requests over requests.
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
		whole := seconds.judge(t).Indictments()
		for _, step := range []int{1, 2, 4, 8, 10, 16} {
			t.Run(fmt.Sprintf("%s, %d s", tt.fault, step), func(t *testing.T) {
				got := seconds.folded(step).judge(t).Indictments()
				if said(got) != tt.want {
					t.Fatalf("%q, want %q", said(got), tt.want)
				}
				if 32%step == 0 && !sameEvidence(got, whole) {
					t.Errorf("%+v, want\n%+v", got, whole)
				}
			})
		}
	}
}

// sameEvidence compares all that does not tell the seconds of a step apart.
func sameEvidence(a, b []explain.Indictment) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }
	return slices.EqualFunc(a, b, func(a, b explain.Indictment) bool {
		return a.Server == b.Server && a.Cause == b.Cause && a.From == b.From && a.To == b.To &&
			slices.EqualFunc(a.Metrics, b.Metrics, func(a, b explain.Evidence) bool {
				return a.Metric == b.Metric && a.From == b.From && a.To == b.To && near(a.Score, b.Score) && near(a.Peers, b.Peers)
			})
	})
}

// TestOrderOfServers: the same servers under other names are indicted under
// these names, for the same.
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
	want := straight.judge(t).Indictments()
	got := turned.judge(t).Indictments()
	if said(want) != "ios2 disk-hog, ios9 disk-hog" || said(got) != "ios6 disk-hog, ios9 disk-hog" {
		t.Fatalf("%s, and turned %s", said(want), said(got))
	}
	for old, in := range got { // as strong as they were, so in the same order
		was, err := json.Marshal(want[old])
		is, err2 := json.Marshal(in)
		if text := strings.ReplaceAll(string(is), in.Server, want[old].Server); text != string(was) || err != nil || err2 != nil {
			t.Errorf("turned: %s, want\n%s", text, was)
		}
	}
}

// TestSameRowsSameVerdict: two diagnoses of the same rows agree to the bit, and
// so do two simulations.
func TestSameRowsSameVerdict(t *testing.T) {
	e := experiment(lustre, testbench.DDR, testbench.DiskHog, 2, 3)
	r := record(t, e, lasts)
	first, second, again := r.judge(t), r.judge(t), record(t, e, lasts).judge(t)
	if first.Examined() != 7 || len(first.Indictments()) != 2 {
		t.Fatalf("indicted: %s", said(first.Indictments()))
	}
	for _, other := range []*Engine{second, again} {
		if !reflect.DeepEqual(first.Indictments(), other.Indictments()) {
			t.Errorf("%+v, and then\n%+v", first.Indictments(), other.Indictments())
		}
	}
}

// TestTooLittleToJudge: neither two servers nor a few seconds say anything.
func TestTooLittleToJudge(t *testing.T) {
	pair := testbench.Cluster{FileSystem: testbench.PVFS, Clients: 4, Servers: 2}
	two := record(t, experiment(pair, testbench.DDR, testbench.DiskBusy, 1), lasts)
	if e := two.judge(t); e.Examined() != 0 || len(e.Indictments()) > 0 || len(e.Idle()) > 0 {
		t.Errorf("two servers: %d windows, %+v, %+v", e.Examined(), e.Indictments(), e.Idle())
	}
	x := experiment(pvfs, testbench.DDR, testbench.DiskBusy, 1)
	x.From = 0
	if e := record(t, x, 40).judge(t); e.Examined() != 0 || len(e.Indictments()) > 0 {
		t.Errorf("40 s: %d windows, %+v", e.Examined(), e.Indictments())
	}
	whole := record(t, x, lasts)
	for from := benchmark; from < benchmark+32; from++ { // wherever windows end
		short := &recording{whole.system, whole.schema, whole.rows[from : from+40]}
		if e := short.judge(t); e.Examined() > 1 || len(e.Indictments()) > 0 {
			t.Errorf("40 s from the %d. on: %d windows, %+v", from, e.Examined(), e.Indictments())
		}
	}
}

// sign is a symptom that makes a drive suspect, or one that is doubted.
func sign(kind symptom.Kind, component int, score float64, suspect bool) symptom.Sign {
	name := []string{symptom.Slow: "await", symptom.Receives: "rxbyt", symptom.LosesIn: "retr_in"}[kind]
	return symptom.Sign{Kind: kind, Metric: name, Component: component, Score: score, Threshold: 1, Odd: suspect, Suspect: suspect}
}

// ranked hears one window of two servers with two drives each.
func ranked(signs ...symptom.Sign) []explain.Indictment {
	r := explain.NewRanking(drives(4), newRows(0).schema, symptom.DefaultOptions())
	r.Window(&symptom.Window{Start: 32, End: 96, Signs: signs}, func(string) bool { return false })
	return r.List()
}

// TestNextBest: a cause that a server is suspect of as well comes before one
// that shows more and is doubted.
func TestNextBest(t *testing.T) {
	for _, tt := range []struct {
		slow, receives, loses float64
		loss                  bool
		next                  explain.Cause
	}{{9, 2, 3, false, explain.NetworkHog}, {9, 2, 3, true, explain.PacketLoss}, {2, 9, 3, false, explain.DiskBusy}} {
		list := ranked(sign(symptom.Slow, 0, tt.slow, true), sign(symptom.Receives, 0, tt.receives, true), sign(symptom.LosesIn, 0, tt.loses, tt.loss))
		if len(list) != 1 || list[0].Next == nil || list[0].Next.Cause != tt.next || !list[0].Next.Holds {
			t.Errorf("%+v, want next %s", list, tt.next)
		}
	}
}

// TestWorstDrive: a server answers for the drive that shows most: a suspect
// before one that was odd only now, that before one that is doubted.
func TestWorstDrive(t *testing.T) {
	now := sign(symptom.Slow, 0, 9, true)
	now.Suspect = false
	for name, other := range map[string]symptom.Sign{
		"stronger": sign(symptom.Slow, 0, 2, true), "odd": sign(symptom.Slow, 0, 9, false), "suspect": now,
	} {
		worst := sign(symptom.Slow, 2, 3, true)
		for _, order := range [][]symptom.Sign{{worst, other}, {other, worst}} {
			if list := ranked(order...); len(list) != 1 || list[0].Metrics[0].Component != "d2" || list[0].Metrics[0].Score != 3 {
				t.Errorf("%s: %+v, want d2", name, list)
			}
		}
	}
}

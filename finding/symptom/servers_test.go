package symptom

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/simulate/testbench"
	"github.com/limpet-storage/limpet/table"
)

// The simulated benchmark begins 15 s into a recording. Faults strike a minute
// later, and are still there when the recording ends.
const (
	benchmark = 15
	strikes   = 60
	lasts     = 260 // seconds of a recording
)

// struck records servers that are at fault from so many seconds of the benchmark
// on.
func struck(t *testing.T, fs testbench.FileSystem, w testbench.Workload, f testbench.Fault, from int, faulty ...int) *recording {
	t.Helper()
	return record(t, fs, w, f, lasts, time.Duration(from)*time.Second, time.Hour, faulty...)
}

func (r *recording) start() int64 { return r.rows[0].End - r.schema.StepSeconds }

// last returns what is found last of each server, in the order of their names.
func (r *recording) last(t *testing.T) []finding.Finding {
	t.Helper()
	o := DefaultOptions()
	o.Fit(r.schema.StepSeconds)
	d, err := New(o, place.NewMap(r.system), r.schema)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]finding.Finding{}
	for _, row := range r.rows {
		d.Push(row, nobody, func(_ int64, list []finding.Finding) {
			for _, f := range list {
				found[f.Place.Name] = f
			}
		})
	}
	var list []finding.Finding
	for _, server := range r.system.Servers {
		if f, ok := found[server]; ok {
			list = append(list, f)
		}
	}
	return list
}

// said is "ios2 disk-hog, ios5 disk-hog".
func said(list []finding.Finding) string {
	var words []string
	for i := range list {
		words = append(words, list[i].Place.Name+" "+string(list[i].Kind))
	}
	return strings.Join(words, ", ")
}

// TestSeveralAtFault: any minority of servers is found for what is wrong with it,
// and nobody else; and for when it began.
func TestSeveralAtFault(t *testing.T) {
	const pvfs, lustre = testbench.PVFS, testbench.Lustre
	for _, tt := range []struct {
		fs       testbench.FileSystem
		workload testbench.Workload
		fault    testbench.Fault
		kind     finding.Kind
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
		for _, faulty := range [][]int{{1, 4, 7}, {0, 4, 7, 9}} {
			t.Run(fmt.Sprintf("%s %s %s %d", tt.fs, tt.workload, tt.fault, len(faulty)), func(t *testing.T) {
				r := struck(t, tt.fs, tt.workload, tt.fault, strikes, faulty...)
				var want []string
				for _, s := range faulty {
					want = append(want, fmt.Sprintf("ios%d %s", s+1, tt.kind))
				}
				got := r.last(t)
				if said(got) != strings.Join(want, ", ") {
					t.Fatalf("%s, want %s", said(got), want)
				}
				for _, f := range got {
					if off := f.Onset.At - r.start() - benchmark - strikes; f.Onset.Earlier || off < -15 || off > 15 {
						t.Errorf("%s: onset %+v, off by %d s", f.Place.Name, f.Onset, off)
					}
				}
			})
		}
	}
}

// TestFaultFromTheBegin: a server that was never seen well is found, too, and its
// onset is not in the data.
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
			r := struck(t, testbench.PVFS, tt.workload, tt.fault, 0, 3)
			began := r.start() + benchmark
			for name, rows := range map[string][]*table.Row{"lead": r.rows, "no lead": r.rows[benchmark:]} {
				got := (&recording{r.system, r.schema, rows}).last(t)
				if said(got) != tt.want {
					t.Fatalf("%s: %q, want %q", name, said(got), tt.want)
				}
				if got[0].Onset != finding.Before(began) {
					t.Errorf("%s: onset %+v, the benchmark begins at %d", name, got[0].Onset, began)
				}
			}
		})
	}
}

// TestTooLittleToJudge: a few seconds say nothing.
func TestTooLittleToJudge(t *testing.T) {
	r := struck(t, testbench.PVFS, testbench.DDR, testbench.DiskBusy, 0, 1)
	for from := benchmark; from < benchmark+32; from++ { // wherever windows end
		d := r.detector(t)
		for _, row := range r.rows[from : from+40] {
			for _, h := range push(d, row) {
				if len(h.Found) > 0 || h.Examined > 1 {
					t.Errorf("40 s from the %d. on: %+v", from, h)
				}
			}
		}
	}
}

// folded makes longer steps of seconds: averages of rates over time, and of what
// is one of requests over requests.
func (r *recording) folded(step int) *recording {
	out := &recording{system: r.system, schema: r.schema}
	out.schema.StepSeconds = int64(step)
	for i := step; i <= len(r.rows); i += step {
		row := table.NewRow(out.schema)
		row.End = r.rows[i-1].End
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

// TestAnyStep: what is found does not depend on how often servers are sampled.
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
		seconds := struck(t, testbench.Lustre, testbench.DDW, tt.fault, strikes, 5)
		whole := seconds.last(t)
		for _, step := range []int{1, 2, 4, 8, 10, 16} {
			got := seconds.folded(step).last(t)
			if said(got) != tt.want {
				t.Errorf("%s, %d s: %q, want %q", tt.fault, step, said(got), tt.want)
			} else if 32%step == 0 && !slices.EqualFunc(got, whole, sameEvidence) {
				t.Errorf("%s, %d s: %+v, want\n%+v", tt.fault, step, got, whole)
			}
		}
	}
}

// sameEvidence compares all that does not tell the seconds of a step apart.
func sameEvidence(a, b finding.Finding) bool {
	return slices.EqualFunc(a.Evidence, b.Evidence, func(a, b finding.Evidence) bool {
		return a.Metric == b.Metric && a.From == b.From && a.To == b.To && near(a.Score, b.Score) && near(a.Peers, b.Peers)
	})
}

// record takes the first seconds of a run in which some servers are at fault for
// a while, counted from the begin of the benchmark.
func record(t *testing.T, fs testbench.FileSystem, w testbench.Workload, f testbench.Fault, seconds int, from, to time.Duration, faulty ...int) *recording {
	t.Helper()
	e := testbench.New(testbench.Cluster{FileSystem: fs, Clients: 10, Servers: 10}, w, f, 1)
	e.Watched, e.Faulty, e.From, e.To = 1, faulty, from, to
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
		out := table.NewRow(r.schema)
		out.End = row.End
		for m := range row.Values {
			copy(out.Values[m], row.Values[m])
		}
		r.rows = append(r.rows, out)
	}
	return r
}

// TestNoAllocation: rows and windows in which nobody is at fault take no memory.
func TestNoAllocation(t *testing.T) {
	d := fresh(t, plainShape(20))
	row := rowOf(d, peers(20))
	row.End = begin
	window := func() {
		for range 32 {
			row.End++
			d.Push(row, nobody, func(int64, []finding.Finding) {})
		}
	}
	window()
	window()
	if n := testing.AllocsPerRun(5, window); n > 0 {
		t.Errorf("%g allocations a window", n)
	}
}

// BenchmarkPush: a window of a thousand servers, 32 rows.
func BenchmarkPush(b *testing.B) {
	system := plainShape(1000).system()
	d, err := New(DefaultOptions(), place.NewMap(system), schemaOf(system))
	if err != nil {
		b.Fatal(err)
	}
	row := rowOf(d, peers(1000))
	row.End = begin
	b.ReportAllocs()
	for b.Loop() {
		for range 32 {
			row.End++
			d.Push(row, nobody, func(int64, []finding.Finding) {})
		}
	}
}

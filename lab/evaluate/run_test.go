package evaluate

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// fewRuns are five, with a training as short as can be.
func fewRuns() TestbenchOptions {
	o := DefaultTestbench()
	o.Clusters = []testbench.Cluster{{FileSystem: testbench.PVFS, Clients: 3, Servers: 4}}
	o.Workloads, o.Faults, o.Runs = []testbench.Workload{testbench.DDW}, []testbench.Fault{testbench.None, testbench.DiskHog}, 2
	o.Training, o.TrainingRuns = o.Workloads, 1
	return o
}

func inText(t *testing.T, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	if err := r.CSV(&out); err != nil {
		t.Fatal(err)
	}
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTestbenchWhoeverDoesIt: the same seed gives the same bytes, whatever the
// number of workers; another seed gives others.
func TestTestbenchWhoeverDoesIt(t *testing.T) {
	run := func(seed uint64, workers int) string {
		o := fewRuns()
		o.Seed, o.Workers = seed, workers
		told := 0
		r, err := Testbench(t.Context(), o, func(done, total int) {
			if told++; done != told || total != 5 {
				t.Errorf("%d of %d done, want %d of 5", done, total, told)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Experiments {
			if (e.Fault == "disk-hog") != (len(e.Faulty) == 1) {
				t.Errorf("%s: faulty are %v", e.Fault, e.Faulty)
			}
		}
		return inText(t, r.Report(published(t)))
	}
	first := run(1, 1)
	if run(1, 2) != first {
		t.Error("two workers come to another result than one")
	}
	if run(2, 2) == first {
		t.Error("another seed comes to the same result")
	}
}

// TestTestbenchPlans: runs of a combination hit different servers, training
// runs are no control runs, and a selection has the runs of the whole.
func TestTestbenchPlans(t *testing.T) {
	o := DefaultTestbench()
	if n := len(o.plans()); n != 4*5*7*10 {
		t.Errorf("%d runs, want 1400", n)
	}
	hit := map[string]map[int]bool{}
	seeds := map[uint64]string{}
	note := func(p plan) {
		e := o.experiment(p)
		if other, ok := seeds[e.Seed]; ok {
			t.Errorf("%s and %s have one seed", p, other)
		}
		seeds[e.Seed] = p.String()
		if p.fault == testbench.None {
			return
		}
		key := p.cluster.String() + string(p.workload) + string(p.fault)
		if hit[key] == nil {
			hit[key] = map[int]bool{}
		}
		hit[key][e.Faulty[0]] = true
	}
	for _, p := range o.plans() {
		note(p)
	}
	for _, c := range o.Clusters {
		for _, p := range o.trainingPlans(c) {
			note(p)
		}
	}
	for key, servers := range hit {
		if len(servers) != 10 {
			t.Errorf("ten runs of %s hit %d servers", key, len(servers))
		}
	}
	quick := DefaultTestbench()
	quick.Quick()
	for _, p := range quick.plans() {
		if e := quick.experiment(p); seeds[e.Seed] != p.String() {
			t.Errorf("%s is no run of the whole", p)
		}
	}
}

func TestBadOptions(t *testing.T) {
	bench := func(change func(*TestbenchOptions)) error { o := fewRuns(); change(&o); return o.Validate() }
	site := func(change func(*IntrepidOptions)) error { o := DefaultIntrepid(); change(&o); return o.Validate() }
	truth := func(change func(*TruthOptions)) error { o := DefaultTruthOptions(); change(&o); return o.Validate() }
	tests := []struct {
		err  error
		want string
	}{
		{bench(func(o *TestbenchOptions) { o.Runs = 0 }), "0 runs are too few"},
		{bench(func(o *TestbenchOptions) { o.Methods = nil }), "no method is chosen"},
		{bench(func(o *TestbenchOptions) { o.Methods = append(o.Methods, o.Methods[0]) }), "method f10 is given twice"},
		{bench(func(o *TestbenchOptions) { o.Workloads = append(o.Workloads, o.Workloads...) }), "workload ddw is given twice"},
		{bench(func(o *TestbenchOptions) { o.Clusters = nil }), "nothing to simulate"},
		{bench(func(o *TestbenchOptions) { o.Clusters[0].Servers = 0 }), "0 servers"},
		{bench(func(o *TestbenchOptions) { o.Strength = -1; o.Faults = o.Faults[1:] }), "strength of -1"},
		{bench(func(o *TestbenchOptions) { o.Training = nil }), "no workload is chosen for training"},
		{site(func(o *IntrepidOptions) { o.Incidents = nil }), "no event is chosen"},
		{site(func(o *IntrepidOptions) { o.Measures = []string{"cdf", "cdf"} }), "measure cdf is given twice"},
		{site(func(o *IntrepidOptions) { o.Measures = []string{"l2"} }), `measure "l2" is unknown`},
		{site(func(o *IntrepidOptions) { o.Operator.Together = 1 }), "the setting together must be at least 2, not 1"},
		{site(func(o *IntrepidOptions) { o.Workers = 0 }), "0 workers"},
		{truth(func(o *TruthOptions) { o.Persist = []int{8, 1} }), "the thresholds of the accumulator are [8 1]: give whole numbers of 1 or more, in ascending order"},
		{truth(func(o *TruthOptions) { o.Persist = nil }), "the threshold of the accumulator is missing"},
	}
	for _, tt := range tests {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("error %v, want %q", tt.err, tt.want)
		}
	}
}

func TestChooseEvents(t *testing.T) {
	tests := []struct {
		texts []string
		want  int
	}{{[]string{"ddn19a"}, 2}, {[]string{"drawer"}, 4}, {[]string{"2011-07-14", "single LUN"}, 6}, {[]string{"20"}, 23}}
	for _, tt := range tests {
		o := DefaultIntrepid()
		if err := o.Choose(tt.texts); err != nil || len(o.Incidents) != tt.want {
			t.Errorf("%q: %d events, error %v, want %d", tt.texts, len(o.Incidents), err, tt.want)
		}
	}
	o := DefaultIntrepid()
	if err := o.Choose([]string{"drawer", "flood"}); err == nil || !strings.Contains(err.Error(), `no event has "flood"`) {
		t.Errorf("error %v", err)
	}
}

// fewLUNs are an Intrepid of two arrays, and one event of theirs, twice.
func fewLUNs(t *testing.T) IntrepidOptions {
	t.Helper()
	o := DefaultIntrepid()
	o.System.Arrays, o.System.Servers, o.System.LUNs = 2, 16, 16
	if err := o.Choose([]string{"fs16"}); err != nil {
		t.Fatal(err)
	}
	o.Incidents = append(o.Incidents, o.Incidents...)
	return o
}

func TestIntrepidWhoeverDoesIt(t *testing.T) {
	run := func(workers int) (*IntrepidResult, string) {
		o := fewLUNs(t)
		o.Workers = workers
		r, err := Intrepid(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r, inText(t, r.Report(published(t)))
	}
	r, one := run(1)
	if _, two := run(2); two != one {
		t.Error("two workers come to another result than one")
	}
	for _, e := range r.Events {
		if len(e.Seen) != 3 || e.Paper == 0 || e.Source == "" {
			t.Errorf("%s %s lacks something: %+v", e.At, e.Device, e)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Testbench(ctx, fewRuns(), nil); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("test bench: error %v", err)
	}
	if _, err := Intrepid(ctx, fewLUNs(t), nil); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("Intrepid: error %v", err)
	}
}

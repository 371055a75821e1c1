package replay

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

func hadoop(t testing.TB, requests int, rate float64) []Record {
	h := DefaultHadoop()
	h.Requests, h.Rate = requests, rate
	s, err := h.Source()
	if err != nil {
		t.Fatal(err)
	}
	var records []Record
	for {
		r, err := s.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		records = append(records, r)
	}
}

// figure12 replays, logs the table, and returns the runs by policy; that
// without slow drives has none.
func figure12(t *testing.T, records []Record, distribution string, kinds ...policy.Kind) map[policy.Kind]*Run {
	t.Helper()
	o := Default()
	var err error
	if o.Distribution, err = Parse(distribution); err != nil {
		t.Fatal(err)
	}
	o.Policies = nil
	for _, kind := range kinds {
		o.Policies = append(o.Policies, policy.Default(kind))
	}
	res, err := Virtual(t.Context(), "hadoop", records, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := res.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
	runs := map[policy.Kind]*Run{"": res.FaultFree}
	for _, r := range res.Runs {
		runs[r.Policy.Kind] = r
	}
	return runs
}

// within is how far the slowest of a thousand reads may be from where no drive
// is slow.
const within = 1.3

// TestFigure12Rare has T16's rare slowdowns, at the times of word counts that
// keep disks busy for 7 % and for a third of the time.
func TestFigure12Rare(t *testing.T) {
	requests := 50_000
	if testing.Short() {
		requests = 20_000
	}
	for _, rate := range []float64{5, 25} {
		runs := figure12(t, hadoop(t, requests, rate), "rare", policy.Kinds()...)
		for _, kind := range []policy.Kind{policy.Proactive2, policy.Hedge} {
			if x := runs[kind].Against(runs[""], tail); x > within {
				t.Errorf("%s: p99.9 is %.2f times that without slow drives", kind, x)
			}
		}
		if x := runs[policy.Normal].Against(runs[""], tail); x < 2*within {
			t.Errorf("normal: p99.9 is only %.2f times that without slow drives: nothing to hide", x)
		}
		if budget := policy.Default(policy.Hedge).Budget; runs[policy.Hedge].Extra() > 1.05*budget {
			t.Errorf("hedge makes %.4f extra reads", runs[policy.Hedge].Extra())
		}
	}
}

// TestFigure12Periodic has hours with a drive that is slow for some minutes of
// them.
func TestFigure12Periodic(t *testing.T) {
	requests, distribution := 120_000, "periodic" // three hours and a third
	if testing.Short() {
		requests, distribution = 22_000, "periodic:compress=10"
	}
	runs := figure12(t, hadoop(t, requests, 10), distribution, policy.Kinds()...)
	for _, kind := range []policy.Kind{policy.Adaptive, policy.Hedge} {
		if x := runs[kind].Against(runs[""], tail); x > within {
			t.Errorf("%s: p99.9 is %.2f times that without slow drives", kind, x)
		}
		if extra, most := runs[kind].Extra(), runs[policy.Proactive1].Extra()/3; extra > most {
			t.Errorf("%s: %.4f extra reads, more than a third of proactive1's, %.4f", kind, extra, most)
		}
	}
	if x := runs[policy.Normal].Against(runs[""], tail); x < 2*within {
		t.Errorf("normal: p99.9 is only %.2f times that without slow drives: nothing to hide", x)
	}
}

// TestSlowOnlySlower checks that the runs differ by nothing but slow drives: in
// normal mode these make no read faster, and without them none slower.
func TestSlowOnlySlower(t *testing.T) {
	records := hadoop(t, 5000, 25)
	o := Default()
	o.Policies = []policy.Options{policy.Default(policy.Normal)}
	res, err := Virtual(t.Context(), "hadoop", records, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Runs[0].latency, res.FaultFree.latency) {
		t.Error("normal without slow drives is not as the run without them")
	}
	o.Distribution = defaultDistribution(KindRare)
	if res, err = Virtual(t.Context(), "hadoop", records, o, nil); err != nil {
		t.Fatal(err)
	}
	slower := 0
	for i, l := range res.Runs[0].latency {
		switch base := res.FaultFree.latency[i]; {
		case l < base:
			t.Fatalf("read %d takes %v with slow drives and %v without", i, l, base)
		case l > base:
			slower++
		}
	}
	if slower < 500 {
		t.Errorf("%d of 5000 reads are slower", slower)
	}
}

// TestSame replays twice and compares every byte.
func TestSame(t *testing.T) {
	records := hadoop(t, 3000, 25)
	write := func() []byte {
		o := Default()
		o.Distribution = defaultDistribution(KindRare)
		res, err := Virtual(t.Context(), "hadoop", records, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := errors.Join(res.WriteText(&b), res.WriteCSV(&b), res.WritePage(&b)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(write(), write()) {
		t.Error("the same trace and seed give other results")
	}
}

func TestOptionsMistakes(t *testing.T) {
	for i, spoil := range []func(*Options){
		func(o *Options) { o.Policies = nil },
		func(o *Options) { o.Policies[0].Kind = "lazy" },
		func(o *Options) { o.Layout.Data = 0 },
		func(o *Options) { o.Depth = -1 },
		func(o *Options) { o.Speed = 0 },
		func(o *Options) { o.Drive = "tape" },
		func(o *Options) { o.Distribution.Kind = "often" },
		func(o *Options) { o.Distribution, _ = Parse("periodic:member=10") },
	} {
		o := Default()
		spoil(&o)
		if _, err := Virtual(t.Context(), "", nil, o, nil); err == nil {
			t.Errorf("%d: no error", i)
		}
	}
}

func BenchmarkVirtual(b *testing.B) {
	records := hadoop(b, 10_000, 25)
	for _, kind := range policy.Kinds() {
		b.Run(string(kind), func(b *testing.B) {
			o := Default()
			d := defaultDistribution(KindRare)
			for b.Loop() {
				if _, err := virtual(b.Context(), records, &o, policy.Default(kind), &d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(records)), "ns/request")
		})
	}
}
